import {
  type ConsoleRefusalBody,
  type ConsoleRefusalCode,
  consoleRefusals,
} from '@portal/contract/console/refusals.ts';

type Details = Omit<ConsoleRefusalBody['error'], 'code'>;

/** Why the console does not do what it was asked to. */
export class ConsoleRefusal extends Error {
  readonly code: ConsoleRefusalCode;
  readonly details: Details;

  constructor(code: ConsoleRefusalCode, details: Details = {}) {
    super(details.detail ?? code);
    this.name = 'ConsoleRefusal';
    this.code = code;
    this.details = details;
  }

  get httpStatus(): number {
    return consoleRefusals[this.code];
  }

  get body(): ConsoleRefusalBody {
    return { error: { code: this.code, ...this.details } };
  }
}
