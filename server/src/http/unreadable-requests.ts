import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorWords, sendError } from './error-map.ts';
import { PortalError } from './portal-error.ts';
import type { SecurityHeaders } from './security-headers.ts';

const unreadable = 'The request could not be read.';
const refusals: Record<string, [status: string, sentence: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Content Too Large', 'The request is too large.'],
};

/**
 * Server options that let us answer requests which Node and the router would otherwise answer by themselves, in their
 * own words and without our headers.
 */
export function unreadableRequestOptions(headers: SecurityHeaders, words: ErrorWords) {
  return {
    // `refuseUnaddressed` refuses these instead, where there is a response to set headers on.
    http: { requireHostHeader: false },
    /** A URL that cannot be decoded is a 404. */
    frameworkErrors(_error: Error, request: FastifyRequest, reply: FastifyReply) {
      headers.addTo(request, reply);
      reply.header('x-request-id', request.id);
      sendError(new PortalError('nothingHere'), request, reply, words);
    },
    clientErrorHandler(error: Error & { code?: string }, socket: Socket) {
      // In the middle of another response it would be read as part of that one.
      const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse };
      if (socket.writable && error.code !== 'ECONNRESET' && !current?.headersSent) {
        const [status, sentence] = refusals[error.code ?? ''] ?? ['400 Bad Request', unreadable];
        socket.write(rawResponse(status, sentence, headers.bare));
      }
      socket.destroy(error);
    },
  };
}

function rawResponse(status: string, sentence: string, headers: Record<string, string>): string {
  const lines = {
    ...headers,
    date: new Date().toUTCString(),
    'cache-control': 'no-store',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(sentence)),
    connection: 'close',
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status}`, ...head, '', sentence].join('\r\n');
}

/** Refuses requests without a host, for a proxy ("GET http://elsewhere/") or for the whole server ("OPTIONS *"). */
export function refuseUnaddressed(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const hasHost = Boolean(request.headers.host) || request.raw.httpVersion === '1.0';
    if (hasHost && request.url.startsWith('/')) return done();
    reply.status(400).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(unreadable);
  });
  // An unknown Expect header may be ignored; Node would refuse it without our headers.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
}
