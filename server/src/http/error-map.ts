import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { isConnectionLoss } from '../db/connection-loss.ts';
import type { Logger } from './logging.ts';
import { PortalError } from './portal-error.ts';

/** An order that could not be stored was not paid either. Of any other call nothing is known about money. */
const storing = new Set(['initiate', 'mpesaInitiate', 'authInitiate']);

/** Every way a request can go wrong, as a sentence in the envelope with an honest status. Details stay in the log. */
export function toPortalError(error: FastifyError | Error, call?: string): PortalError {
  if (error instanceof PortalError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [problem] = error.validation;
    const path = problem?.instancePath.split('/').filter(Boolean).join('.') ?? '';
    return new PortalError('malformed', `The field ${path || 'body'} is not valid.`, { field: path || 'body' });
  }
  const code = 'code' in error ? String(error.code) : '';
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new PortalError('tooLarge', 'The request is too large.');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new PortalError('unsupportedType', 'The body must be JSON (content-type: application/json).');
  if (status !== undefined && status >= 400 && status < 500)
    return new PortalError('malformed', 'The request body could not be read.', { field: 'body' });
  // Text that the database has no way to store, such as one with a zero byte.
  if (code === '22021' || code === '22P05')
    return new PortalError('malformed', 'The request holds characters that cannot be stored.', { field: 'body' });
  if (isConnectionLoss(error))
    return new PortalError(
      'unavailable',
      call && storing.has(call)
        ? 'We cannot answer right now. Nothing was taken. Please try again in a moment.'
        : 'We cannot answer right now. Please try again in a moment.',
    );
  return new PortalError('internal', 'Something Went Wrong!');
}

export function mapErrors(
  app: FastifyInstance,
  log: Logger,
  say: (request: FastifyRequest, sentence: string) => string = (_request, sentence) => sentence,
): void {
  app.setNotFoundHandler(() => {
    throw new PortalError('notFound', 'There is nothing at this address.');
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = toPortalError(error, request.routeOptions.config?.call);
    if (answer.httpStatus >= 500 && answer.kind !== 'notBuilt')
      log.error({ requestId: request.id, route: request.routeOptions.url, err: error }, 'request failed');
    if (answer.kind === 'unavailable') reply.header('retry-after', '5');
    return reply.status(answer.httpStatus).send(answer.envelope(say(request, answer.message)));
  });
}
