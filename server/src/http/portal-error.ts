import type { ErrorBody } from '@portal/contract/envelope.ts';
import * as errorCodes from '@portal/contract/error-codes.ts';
import { type ErrorCode, type ErrorName, errorDetails } from '@portal/contract/errors.ts';
import { type ParametersOf, type Refusal, refusalInEnglish, refusals } from './refusals.ts';

const codes: Record<ErrorName, ErrorCode> = { ...errorCodes };

type Extra = Omit<ErrorBody, 'message'>;
type Given<R extends Refusal> = keyof ParametersOf<R> extends never
  ? [extra?: Extra]
  : [extra: Extra, parameters: ParametersOf<R>];

/**
 * A refusal with its reason. Responses carry it as the envelope, with its error code and HTTP status, in the reader's
 * language.
 */
export class PortalError<R extends Refusal = Refusal> extends Error {
  readonly refusal: Refusal;
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly kind: ErrorName;
  readonly extra: Extra;

  constructor(refusal: R, ...given: Given<R>) {
    const [extra = {}, parameters = {}] = given as [Extra?, Record<string, string | number>?];
    super(refusalInEnglish(refusal, parameters));
    this.name = 'PortalError';
    this.refusal = refusal;
    this.parameters = parameters;
    this.kind = refusals[refusal].error;
    this.extra = extra;
  }

  get httpStatus(): number {
    return errorDetails[this.kind].http;
  }

  /** `message` replaces the English text for another language. */
  envelope(message = this.message) {
    return {
      statusCode: codes[this.kind],
      status: 'failure' as const,
      message,
      result: null,
      error: { message, ...this.extra },
    };
  }
}
