import { readPackage } from '@portal/operators/content.ts';
import { describe, expect, test } from 'vitest';
import type { Failure, FailureCode } from '../../lib/api.ts';
import { isUnclear, ownCodes, ownFailure, readFailure } from './payment-failure.ts';

const failure = (code: FailureCode, field?: string): Failure => ({
  ok: false,
  code,
  message: 'said by the server',
  ...(field ? { field } : {}),
});
const texts = readPackage('mg', 'EN', 'translation') as Record<string, string>;
const textOf = (key: string) => texts[key];

describe('MNY-3 every refusal has a text and one next step', () => {
  test.each<[FailureCode, string | undefined, string]>([
    ['NOT_OFFERED', 'productCode', 'chooseAgain'],
    ['NOT_OFFERED', 'paymentMode', 'otherWay'],
    ['PRICE_CHANGED', 'amount', 'chooseAgain'],
    ['PRICE_CHANGED', 'invoiceNumber', 'chooseAgain'],
    ['PRICE_CHANGED', 'exchangeQuote', 'again'],
    ['LINE_UNKNOWN', undefined, 'chooseAgain'],
    ['LINE_NOT_ELIGIBLE', undefined, 'chooseAgain'],
    ['INSUFFICIENT_BALANCE', undefined, 'otherWay'],
    ['PAYER_BUSY', undefined, 'otherWay'],
    ['NOT_VERIFIED', undefined, 'again'],
    ['UPSTREAM_FAILED', undefined, 'again'],
    ['SOMETHING_NEW' as FailureCode, undefined, 'again'],
  ])('MNY-3 D15 %s (%s) leads to %s, in the words of the server', (code, field, next) => {
    const read = readFailure({ ...failure(code, field), isSaid: true });
    expect(read).toEqual({ key: null, next });
    expect(textOf(`payment.then.${next}`)).toEqual(expect.stringMatching(/./));
  });

  test.each<[FailureCode, string]>([
    ['OFFLINE', 'again'],
    ['TIMEOUT', 'again'],
    [ownCodes.needsScript, 'otherWay'],
    [ownCodes.notOffered, 'otherWay'],
    [ownCodes.insufficient, 'otherWay'],
    [ownCodes.noTransactionId, 'again'],
  ])('MNY-3 %s leads to %s, in words of ours where no server said any', (code, next) => {
    const read = readFailure(ownFailure(code));
    expect(read.next).toBe(next);
    expect(textOf(read.key ?? '')).toEqual(expect.stringMatching(/./));
  });

  test('AIR-2 too little airtime is reported in the words of the specification', () => {
    const { key } = readFailure(ownFailure(ownCodes.insufficient));
    expect(textOf(key ?? '')).toBe('Looks like you don’t have sufficient balance.');
  });
});

test('PAY-9 no response and a payment past this step lead to the status page; a refusal does not', () => {
  for (const code of [
    'OFFLINE',
    'TIMEOUT',
    'UNKNOWN',
    'ABORTED',
    'UPSTREAM_TIMEOUT',
    'INTERNAL',
    'WRONG_STATE',
  ] as const)
    expect(isUnclear(failure(code))).toBe(true);
  for (const code of ['RATE_LIMITED', 'NOT_VERIFIED', 1004, '56D005', 'PIN_REFUSED'] as const)
    expect(isUnclear(failure(code))).toBe(false);
});
