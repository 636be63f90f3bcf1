import { validateHeaderValue } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { isConnectionLoss } from '../db/connection-loss.ts';
import type { Logger } from './logging.ts';
import { PortalError } from './portal-error.ts';
import { isCall } from './security-headers.ts';

/** If the order could not be stored, nothing was paid. For any other call it is not known whether money moved. */
const orderCalls = new Set(['initiate', 'mpesaInitiate', 'authInitiate']);

/** Maps any error to a refusal with the right status. Details stay in the log. */
export function toPortalError(error: unknown, call?: string): PortalError {
  if (error instanceof PortalError) return error;
  // Anything can be thrown. If the error handler itself throws, Fastify answers with its own text.
  if (!(error instanceof Error)) return new PortalError('internal');
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [problem] = error.validation;
    const path = problem?.instancePath.split('/').filter(Boolean).join('.') ?? '';
    return new PortalError('fieldInvalid', { field: path || 'body' }, { field: path || 'body' });
  }
  const code = 'code' in error ? String(error.code) : '';
  const status = 'statusCode' in error ? Number(error.statusCode) : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new PortalError('tooLarge');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new PortalError('notJson');
  if (status !== undefined && status >= 400 && status < 500) return new PortalError('bodyUnreadable');
  // Text that PostgreSQL cannot store, such as a NUL byte.
  if (code === '22021' || code === '22P05') return new PortalError('textNotStorable', { field: 'body' });
  if (isConnectionLoss(error))
    return new PortalError(call && orderCalls.has(call) ? 'unavailableNothingTaken' : 'unavailable');
  return new PortalError('internal');
}

export interface ErrorWords {
  /** The message in the reader's language. */
  say(request: FastifyRequest, error: PortalError): string;
  /** The HTML page for an address that is not a call. */
  page(error: PortalError, request: FastifyRequest): string;
}

/** Responds with a page to a browser and with the envelope to a program. */
export function sendError(error: PortalError, request: FastifyRequest, reply: FastifyReply, words: ErrorWords) {
  const wantsPage = !isCall(request) && String(request.headers.accept).includes('text/html');
  if (wantsPage) return sendErrorPage(error, reply, words.page(error, request));
  dropUnsendable(reply);
  // Some error statuses are cacheable by default, and the next attempt may succeed.
  return reply
    .status(error.httpStatus)
    .header('cache-control', 'no-store')
    .send(error.envelope(words.say(request, error)));
}

export function sendErrorPage(error: PortalError, reply: FastifyReply, html: string) {
  dropUnsendable(reply);
  return reply.status(error.httpStatus).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(html);
}

/** An invalid header makes sending fail, and would make sending the error response fail too. */
function dropUnsendable(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    try {
      for (const one of [value].flat()) validateHeaderValue(name, String(one));
    } catch {
      reply.removeHeader(name);
    }
  }
}

export function mapErrors(app: FastifyInstance, log: Logger, words: ErrorWords): void {
  app.setNotFoundHandler(() => {
    throw new PortalError('nothingHere');
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = toPortalError(error, request.routeOptions.config?.call);
    // A spent limit answers 502 as the specification says, and nothing failed: strangers could fill the log with it.
    if (answer.httpStatus >= 500 && answer.kind !== 'maxLimit')
      log.error({ requestId: request.id, route: request.routeOptions.url, err: error }, 'request failed');
    if (answer.kind === 'unavailable') reply.header('retry-after', '5');
    return sendError(answer, request, reply, words);
  });
}
