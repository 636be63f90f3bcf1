import * as errorCodes from '@portal/contract/error-codes.ts';
import type { Failure } from '../../lib/api.ts';

/** The one next thing to do after a refusal. Nothing is ever taken before a payment is processed. */
export type NextStep = 'again' | 'otherWay' | 'chooseAgain';

export interface ReadFailure {
  /** Text key; null where only the server's own words say it. */
  key: string | null;
  next: NextStep;
}

/** Codes of ours for what no server said. */
export const ownCodes = {
  noTransactionId: 'NO_TRANSACTION_ID',
  needsScript: 'NEEDS_SCRIPT',
  pinAgain: 'PIN_AGAIN',
} as const;

export const ownFailure = (code: string): Failure => ({ ok: false, code, message: '' });

const silent: readonly (string | number)[] = [
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

export function readFailure({ code, field, isSaid }: Failure): ReadFailure {
  if (silent.includes(code)) return { key: isSaid ? null : 'payment.failure.noAnswer', next: 'again' };
  switch (code) {
    case errorCodes.notOffered:
      if (field === 'invoiceNumber') return { key: null, next: 'chooseAgain' };
      return field === 'paymentMode'
        ? { key: 'payment.notOffered', next: 'otherWay' }
        : { key: 'payment.failure.withdrawn', next: 'chooseAgain' };
    case errorCodes.priceChanged:
      if (field === 'exchangeQuote') return { key: 'payment.failure.rateChanged', next: 'again' };
      return {
        key: field === 'invoiceNumber' ? 'payment.failure.alreadyPaid' : 'payment.failure.priceChanged',
        next: 'chooseAgain',
      };
    case errorCodes.lineUnknown:
    case errorCodes.lineNotEligible:
      return { key: 'payment.failure.line', next: 'chooseAgain' };
    case errorCodes.amountOutOfRange:
    case errorCodes.keyReused:
      return { key: null, next: 'chooseAgain' };
    case errorCodes.orderPaid:
      return { key: 'payment.alreadyPaid', next: 'chooseAgain' };
    case errorCodes.payerBusy:
      return { key: 'payment.failure.payerBusy', next: 'otherWay' };
    case errorCodes.codeNeeded:
      return { key: 'payment.failure.codeNeeded', next: 'again' };
    case errorCodes.insufficientBalance:
      return { key: 'payment.failure.insufficient', next: 'otherWay' };
    case errorCodes.notVerified:
      return { key: 'payment.failure.notVerified', next: 'again' };
    case ownCodes.needsScript:
      return { key: 'payment.needsScript', next: 'otherWay' };
    case ownCodes.noTransactionId:
      return { key: 'payment.failure.noTransactionId', next: 'again' };
    default:
      return { key: null, next: 'again' };
  }
}
