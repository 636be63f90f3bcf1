import { z } from 'zod';
import { challenge } from './challenge.ts';
import * as errorCodes from './error-codes.ts';

export const errorBody = z.object({
  message: z.string(),
  field: z.string().optional().describe('The field at fault, as a dotted path.'),
  attemptsLeft: z.int().min(0).optional(),
  retryAfterSeconds: z.int().min(0).optional(),
  earlierTransactionId: z.string().optional(),
  challenge: challenge.optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** The response of every successful portal call. */
export const envelope = <R extends z.ZodType>(result: R) =>
  z.object({ statusCode: z.literal(200), status: z.literal('success'), message: z.string(), result });

export type SuccessEnvelope<R> = { statusCode: 200; status: 'success'; message: string; result: R };

/** Named, so that the OpenAPI document defines it once and every failure refers to it. */
export const failureEnvelope = z
  .object({
    statusCode: z.literal(Object.values(errorCodes)),
    status: z.literal('failure'),
    message: z.string(),
    result: z.null(),
    error: errorBody,
  })
  .meta({ id: 'Failure' });
export type FailureEnvelope = z.infer<typeof failureEnvelope>;
