import type { FastifyReply, FastifyRequest } from 'fastify';
import { asRecord, asText } from './json-fields.ts';

/** An error in the format of the TMF APIs. */
export class TmfError extends Error {
  readonly httpStatus: number;
  readonly code: string;
  readonly reason: string;

  constructor(httpStatus: number, code: string, reason: string, message: string) {
    super(message);
    this.httpStatus = httpStatus;
    this.code = code;
    this.reason = reason;
  }
}

export function invalid(message: string): TmfError {
  return new TmfError(400, '20', 'invalid request', message);
}

export function requireBearer(request: FastifyRequest, key: string): void {
  if (request.headers.authorization === `Bearer ${key}`) return;
  throw new TmfError(401, '1', 'unauthorized', 'The bearer key is missing or wrong.');
}

export function queryText(request: FastifyRequest, name: string): string | undefined {
  return asText(asRecord(request.query)[name]);
}

export function replyTmfError(error: unknown, reply: FastifyReply) {
  if (error instanceof TmfError) {
    const { httpStatus, code, reason, message } = error;
    return reply.code(httpStatus).send({ code, reason, message });
  }
  const status = asRecord(error).statusCode;
  const message = error instanceof Error ? error.message : 'The request could not be read.';
  if (typeof status === 'number' && status < 500) {
    return reply.code(status).send({ code: '20', reason: 'invalid request', message });
  }
  return reply.code(500).send({ code: '1', reason: 'internal error', message: 'The system failed.' });
}
