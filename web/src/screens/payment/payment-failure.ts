import * as errorCodes from '@portal/contract/error-codes.ts';
import type { Failure, FailureCode } from '../../lib/api.ts';

/** The one next step after a refusal. Nothing is ever taken before a payment is processed. */
type NextStep = 'again' | 'otherWay' | 'chooseAgain';

interface ReadFailure {
  /** Text key; null where the message is shown unchanged. */
  key: string | null;
  next: NextStep;
}

/** Our own codes for failures without a server response. */
export const ownCodes = {
  noTransactionId: 'NO_TRANSACTION_ID',
  needsScript: 'NEEDS_SCRIPT',
  notOffered: 'NOT_OFFERED_HERE',
  insufficient: 'INSUFFICIENT',
  pinAgain: 'PIN_AGAIN',
} as const satisfies Record<string, FailureCode>;

export const ownFailure = (code: FailureCode): Failure => ({ ok: false, code, message: '' });

const silent: readonly FailureCode[] = [
  'OFFLINE',
  'TIMEOUT',
  'UNKNOWN',
  errorCodes.upstreamFailed,
  errorCodes.upstreamTimeout,
  errorCodes.unavailable,
  errorCodes.internal,
];

/** Failures that leave it open whether money moved: the status page finds out. */
export function isUnclear({ code }: Failure): boolean {
  return silent.includes(code) || code === errorCodes.wrongState || code === 'ABORTED';
}

/** The server's message is shown; our own text only where it gave none. */
export function readFailure(failure: Failure): ReadFailure {
  const { code } = failure;
  const ownKey = silent.includes(code) ? 'payment.failure.noAnswer' : (ownKeys[code] ?? null);
  return { key: failure.isSaid ? null : ownKey, next: nextStep(failure) };
}

const ownKeys: Partial<Record<FailureCode, string>> = {
  [ownCodes.needsScript]: 'payment.needsScript',
  [ownCodes.notOffered]: 'payment.notOffered',
  [ownCodes.insufficient]: 'payment.failure.insufficient',
  [ownCodes.noTransactionId]: 'payment.failure.noTransactionId',
};

function nextStep({ code, field, retryAfterSeconds }: Failure): NextStep {
  switch (code) {
    case errorCodes.notOffered:
      // During maintenance.
      if (retryAfterSeconds !== undefined) return 'again';
      return field === 'paymentMode' ? 'otherWay' : 'chooseAgain';
    case errorCodes.priceChanged:
      return field === 'exchangeQuote' ? 'again' : 'chooseAgain';
    case errorCodes.lineUnknown:
    case errorCodes.lineNotEligible:
    case errorCodes.amountOutOfRange:
    case errorCodes.keyReused:
    case errorCodes.orderPaid:
      return 'chooseAgain';
    case errorCodes.payerBusy:
    case errorCodes.insufficientBalance:
    case ownCodes.insufficient:
    case ownCodes.needsScript:
    case ownCodes.notOffered:
      return 'otherWay';
    default:
      return 'again';
  }
}
