import * as errorCodes from '@portal/contract/error-codes.ts';
import type { Failure, FailureCode } from '../../lib/api.ts';

/** The one next thing to do after a refusal. Nothing is ever taken before a payment is processed. */
type NextStep = 'again' | 'otherWay' | 'chooseAgain';

interface ReadFailure {
  /** Text key; null where the message is shown as it is. */
  key: string | null;
  next: NextStep;
}

/** Codes of ours for what no server said. */
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

/** Whether money began to move cannot be told from such an answer: the status page finds out. */
export function isUnclear({ code }: Failure): boolean {
  return silent.includes(code) || code === errorCodes.wrongState || code === 'ABORTED';
}

/** What the server says is what is shown; words of ours stand only where it did not say any. */
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
      // While the portal is closed for maintenance.
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
