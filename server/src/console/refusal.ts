import {
  type ConsoleRefusalBody,
  type ConsoleRefusalCode,
  consoleRefusals,
  type ParametersOf,
} from '@portal/contract/console/refusals.ts';

type Details = Omit<ConsoleRefusalBody['error'], 'code'>;
type Given<C extends ConsoleRefusalCode> = Omit<Details, 'parameters'> & { parameters: ParametersOf<C> };

/** Why the console refuses a call; its texts are the console's own. */
export class ConsoleRefusal<C extends ConsoleRefusalCode = ConsoleRefusalCode> extends Error {
  readonly code: ConsoleRefusalCode;
  readonly details: Details;

  constructor(
    code: C,
    ...[details = {}]: undefined extends ParametersOf<C> ? [Omit<Details, 'parameters'>?] : [Given<C>]
  ) {
    super(code);
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
