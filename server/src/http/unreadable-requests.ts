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
 * What Node and the router would answer by themselves, in words of their own and without our headers: the options of the
 * server that leave it to us.
 */
export function unreadableRequestOptions(headers: SecurityHeaders, words: ErrorWords) {
  return {
    // Refused by `refuseUnaddressed` instead, where there is an answer to put headers on.
    http: { requireHostHeader: false },
    /** An address that cannot be decoded is nobody's. */
    frameworkErrors(_error: Error, request: FastifyRequest, reply: FastifyReply) {
      headers.addTo(request, reply);
      reply.header('x-request-id', request.id);
      sendError(new PortalError('nothingHere'), request, reply, words);
    },
    clientErrorHandler(error: Error & { code?: string }, socket: Socket) {
      // In the middle of another answer it would be read as a part of that one.
      const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse };
      if (socket.writable && error.code !== 'ECONNRESET' && !current?.headersSent) {
        const [status, sentence] = refusals[error.code ?? ''] ?? ['400 Bad Request', unreadable];
        socket.write(bareAnswer(status, sentence, headers.bare));
      }
      socket.destroy(error);
    },
  };
}

function bareAnswer(status: string, sentence: string, headers: Record<string, string>): string {
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

/** Requests without a host, for a proxy ("GET http://elsewhere/") or for the server as a whole ("OPTIONS *"). */
export function refuseUnaddressed(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const hasHost = Boolean(request.headers.host) || request.raw.httpVersion === '1.0';
    if (hasHost && request.url.startsWith('/')) return done();
    reply.status(400).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(unreadable);
  });
  // One may ignore what one does not know to expect; Node would refuse it without our headers.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
}
