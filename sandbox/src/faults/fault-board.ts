import { randomUUID } from 'node:crypto';
import { asRecord, type JsonRecord } from '../wire/json-fields.ts';

export const faultProviders = [
  'charging',
  'billing',
  'crm',
  'qualification',
  'simSwap',
  'exchange',
  'sms',
  'mail',
  'card',
  'paystack',
  'orange',
  'wallet',
  'mpesa',
  'smartcash',
] as const;
export type FaultProvider = (typeof faultProviders)[number];

/** `wrongAmount` takes one too much, `lateDebit` refuses and takes the money after all, `unlistedCode` acts and answers in a code nobody knows. */
const requestFaults = [
  'timeout',
  'refuse',
  'error500',
  'loseAnswer',
  'wrongAmount',
  'unlistedCode',
  'lateDebit',
] as const;
const callbackFaults = [
  'duplicateCallback',
  'lateCallback',
  'reorderCallbacks',
  'badSignature',
  'contradictoryCallbacks',
] as const;
export const faultKinds = [...requestFaults, ...callbackFaults] as const;
export type RequestFault = (typeof requestFaults)[number];
export type CallbackFault = (typeof callbackFaults)[number];

export interface Fault {
  id: string;
  provider: FaultProvider;
  fault: RequestFault | CallbackFault;
  /** Narrows the fault to one call (pay, enquire, topup ...); '*' is every call. */
  operation?: string;
  /** Narrows the fault to requests that contain this text, such as a line's number. */
  about?: string;
  times?: number;
  rate?: number;
  delayMs?: number;
}

export interface FaultableCall {
  provider: FaultProvider;
  operation: string;
  /** Whether the call moves money or goods, or only asks. */
  moves: boolean;
}

export interface Strike<Kind> {
  kind: Kind;
  delayMs: number | undefined;
}

export class FaultInputError extends Error {}

const longestDelayMs = 600_000;

export class FaultBoard {
  #faults: Fault[] = [];

  add(body: unknown): Fault {
    const fault = parseFault(asRecord(body));
    this.#faults.push(fault);
    return fault;
  }

  list(): readonly Fault[] {
    return this.#faults;
  }

  clear(): void {
    this.#faults = [];
  }

  /** `text` is the request's URL and body. */
  strikeRequest(call: FaultableCall, text = ''): Strike<RequestFault> | undefined {
    return this.#strike(
      requestFaults,
      call.provider,
      (fault) => reaches(fault, call) && (fault.about === undefined || text.includes(fault.about)),
    );
  }

  strikeCallback(provider: FaultProvider): Strike<CallbackFault> | undefined {
    return this.#strike(callbackFaults, provider, () => true);
  }

  #strike<Kind extends string>(
    kinds: readonly Kind[],
    provider: FaultProvider,
    matches: (fault: Fault) => boolean,
  ): Strike<Kind> | undefined {
    for (const fault of this.#faults) {
      const kind = kinds.find((candidate) => candidate === fault.fault);
      if (kind === undefined || fault.provider !== provider || !matches(fault)) continue;
      if (fault.rate !== undefined && Math.random() >= fault.rate) continue;
      if (fault.times !== undefined) {
        fault.times -= 1;
        if (fault.times <= 0) this.#faults = this.#faults.filter((kept) => kept !== fault);
      }
      return { kind, delayMs: fault.delayMs };
    }
    return undefined;
  }
}

/**
 * A counted fault waits for a call that moves something, so that the look-ups before a purchase do not use it up.
 * A standing timeout or error is an outage: it strikes questions too.
 */
function reaches(fault: Fault, call: FaultableCall): boolean {
  if (fault.operation !== undefined) return fault.operation === '*' || fault.operation === call.operation;
  if (fault.fault === 'wrongAmount' || fault.fault === 'lateDebit') return call.operation === 'pay';
  if (call.moves) return true;
  return fault.times === undefined && (fault.fault === 'timeout' || fault.fault === 'error500');
}

function parseFault(body: JsonRecord): Fault {
  const provider = faultProviders.find((name) => name === body.provider);
  if (!provider) throw new FaultInputError(`provider must be one of ${faultProviders.join(', ')}.`);
  const kind = faultKinds.find((name) => name === body.fault);
  if (!kind) throw new FaultInputError(`fault must be one of ${faultKinds.join(', ')}.`);
  const fault: Fault = { id: randomUUID(), provider, fault: kind };
  if (body.operation !== undefined) {
    if (typeof body.operation !== 'string') throw new FaultInputError('operation must be the name of a call, or *.');
    fault.operation = body.operation;
  }
  if (body.about !== undefined) {
    if (typeof body.about !== 'string' || !body.about) throw new FaultInputError('about must be a text.');
    fault.about = body.about;
  }
  if (body.times !== undefined) fault.times = wholeNumber('times', body.times, 1, Number.MAX_SAFE_INTEGER);
  if (body.delayMs !== undefined) fault.delayMs = wholeNumber('delayMs', body.delayMs, 0, longestDelayMs);
  if (body.rate !== undefined) {
    if (typeof body.rate !== 'number' || !(body.rate >= 0 && body.rate <= 1)) {
      throw new FaultInputError('rate must be a number from 0 to 1.');
    }
    fault.rate = body.rate;
  }
  return fault;
}

function wholeNumber(name: string, value: unknown, least: number, most: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most) {
    throw new FaultInputError(
      `${name} must be a whole number of at least ${least}${most === longestDelayMs ? ` and at most ${most}` : ''}.`,
    );
  }
  return value;
}
