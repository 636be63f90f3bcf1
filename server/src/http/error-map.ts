import { validateHeaderValue } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { isConnectionLoss } from '../db/connection-loss.ts';
import type { Logger } from './logging.ts';
import { PortalError } from './portal-error.ts';
import { isCall } from './security-headers.ts';

/** An order that could not be stored was not paid either. Of any other call nothing is known about money. */
const storing = new Set(['initiate', 'mpesaInitiate', 'authInitiate']);

/** Every way a request can go wrong, as a sentence in the envelope with an honest status. Details stay in the log. */
export function toPortalError(error: unknown, call?: string): PortalError {
  if (error instanceof PortalError) return error;
  // Anything can be thrown, and what the handler of errors itself throws is answered in the framework's words.
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
  // Text that the database has no way to store, such as one with a zero byte.
  if (code === '22021' || code === '22P05') return new PortalError('textNotStorable', { field: 'body' });
  if (isConnectionLoss(error))
    return new PortalError(call && storing.has(call) ? 'unavailableNothingTaken' : 'unavailable');
  return new PortalError('internal');
}

export interface ErrorWords {
  /** Why, in the reader's language. */
  say(request: FastifyRequest, error: PortalError): string;
  /** For a person at an address that is no call's. */
  page(error: PortalError, request: FastifyRequest): string;
}

/** An error as an answer: a page for somebody who reads, the envelope for a program. */
export function sendError(error: PortalError, request: FastifyRequest, reply: FastifyReply, words: ErrorWords) {
  const isRead = !isCall(request) && String(request.headers.accept).includes('text/html');
  if (isRead) return sendErrorPage(error, reply, words.page(error, request));
  dropUnsendable(reply);
  return reply.status(error.httpStatus).send(error.envelope(words.say(request, error)));
}

export function sendErrorPage(error: PortalError, reply: FastifyReply, html: string) {
  dropUnsendable(reply);
  return reply.status(error.httpStatus).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(html);
}

/** A header that cannot be written fails the answer, and would fail the answer about that failure too. */
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
    if (answer.httpStatus >= 500)
      log.error({ requestId: request.id, route: request.routeOptions.url, err: error }, 'request failed');
    if (answer.kind === 'unavailable') reply.header('retry-after', '5');
    return sendError(answer, request, reply, words);
  });
}
