import type { ErrorBody } from '@portal/contract/envelope.ts';
import * as errorCodes from '@portal/contract/error-codes.ts';
import { type ErrorCode, type ErrorName, errorDetails } from '@portal/contract/errors.ts';

const codes: Record<ErrorName, ErrorCode> = { ...errorCodes };

/** A refusal in words: becomes the envelope with the code's own HTTP status. */
export class PortalError extends Error {
  readonly kind: ErrorName;
  readonly extra: Omit<ErrorBody, 'message'>;

  constructor(kind: ErrorName, message: string, extra: Omit<ErrorBody, 'message'> = {}) {
    super(message);
    this.name = 'PortalError';
    this.kind = kind;
    this.extra = extra;
  }

  get httpStatus(): number {
    return errorDetails[this.kind].http;
  }

  /** In other words where the reader speaks another language. */
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
