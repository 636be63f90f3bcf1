import { describe, expect, test } from 'vitest';
import type { Transaction } from './status-words.ts';
import { pollDelayMs } from './use-transaction.ts';

const transaction = (more: Partial<Transaction>): Transaction => ({
  status: 'REQUEST_REGISTERED',
  transactionStatus: 'REQUEST_REGISTERED',
  transactionId: 'abc',
  transactionType: 'PREPAID_RECHARGE',
  paymentMode: 'FANILO_MONEY',
  mobileNumber: '',
  msisdn: '',
  currencyCode: 'MGA',
  amount: 5_000,
  reference: 'abc',
  moneyState: 'awaitingApproval',
  timeline: [],
  final: false,
  ...more,
});

describe('when the status page polls', () => {
  test('while registered: five times at intervals of a second, then more slowly, without end', () => {
    const delays = [0, 1, 2, 3, 4, 5, 6, 500].map((polls) => pollDelayMs(transaction({ nextPollSeconds: 5 }), polls));
    expect(delays).toEqual([1_000, 1_000, 1_000, 1_000, 1_000, 5_000, 5_000, 5_000]);
  });

  test('otherwise at the server’s interval, at most every two seconds', () => {
    expect(pollDelayMs(transaction({ status: 'REQUEST_RAISED', nextPollSeconds: 15 }), 0)).toBe(15_000);
    expect(pollDelayMs(transaction({ status: 'REQUEST_RAISED', nextPollSeconds: 1 }), 0)).toBe(2_000);
    expect(pollDelayMs(transaction({ status: 'REQUEST_RAISED' }), 0)).toBe(10_000);
  });

  test('rarely after the first five while the event stream is open', () => {
    const waiting = transaction({ nextPollSeconds: 5 });
    expect([4, 5, 500].map((polls) => pollDelayMs(waiting, polls, true))).toEqual([1_000, 30_000, 30_000]);
    expect(pollDelayMs(transaction({ status: 'REQUEST_RAISED', nextPollSeconds: 60 }), 0, true)).toBe(60_000);
  });

  test('not after a final state', () => {
    expect(pollDelayMs(transaction({ status: 'SUCCESS', final: true, nextPollSeconds: 2 }), 0)).toBeNull();
    expect(pollDelayMs(transaction({ final: true }), 0)).toBeNull();
  });
});
