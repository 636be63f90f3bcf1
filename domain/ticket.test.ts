import { expect, test } from 'vitest';
import type { PaymentState } from './payment/transitions.ts';
import { afterWriting, lateCause, readTicketNumber, ticketStates, writeTicketNumber } from './ticket.ts';

const now = new Date('2026-03-03T08:00:00Z');
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

test.each<[string, PaymentState, { reason?: 'held'; waited: number; expected?: Date; untimed?: true }, string | null]>([
  ['a decision within a day', 'REVIEW', { waited: 23.9 }, null],
  ['a decision after a day', 'REVIEW', { waited: 24.1 }, 'reviewLate'],
  ['a held payment within an hour', 'REVIEW', { reason: 'held', waited: 0.9 }, null],
  ['a held payment after an hour', 'REVIEW', { reason: 'held', waited: 1.1 }, 'reviewLate'],
  ['a refund before its time', 'REFUND_UNKNOWN', { waited: 90, expected: ago(-0.1) }, null],
  ['a refund after its time', 'REFUND_UNKNOWN', { waited: 0.1, expected: ago(0.1) }, 'refundLate'],
  ['a refund that nobody has begun within a day', 'REFUND_DUE', { waited: 23.9 }, null],
  ['a refund that nobody has begun after a day', 'REFUND_DUE', { waited: 24.1 }, 'refundLate'],
  ['a refund without a promise', 'REFUNDING', { waited: 90, expected: ago(50), untimed: true }, null],
  ['money that is back', 'REFUNDED', { waited: 90, expected: ago(50) }, null],
  ['a delivery', 'FULFIL_UNKNOWN', { waited: 90 }, null],
])('%s', (_what, state, { reason, waited, expected, untimed }, cause) => {
  const payment = { state, reason: reason ?? null, changed_at: ago(waited), refund_expected_at: expected ?? null };
  expect(lateCause(payment, { now, isRefundTimed: !untimed })).toBe(cause);
});

test('whose turn it is after somebody wrote', () => {
  expect(ticketStates.map((state) => afterWriting(state, 'care'))).toEqual(Array(4).fill('waitingForCustomer'));
  expect(ticketStates.map((state) => afterWriting(state, 'customer'))).toEqual([
    'new',
    ...Array(3).fill('waitingForUs'),
  ]);
  expect(ticketStates.map((state) => afterWriting(state, 'portal'))).toEqual([...ticketStates]);
});

test('a number is parsed as people write it, and anything else is refused', () => {
  expect(writeTicketNumber('K7QM2XRD')).toBe('K7QM-2XRD');
  for (const text of ['K7QM-2XRD', 'k7qm 2xrd', ' K7QM2XRD ']) expect(readTicketNumber(text)).toBe('K7QM2XRD');
  for (const text of ['K7QM-2XR', 'K7QM-2XRDD', 'K7QM-2XR0', 'IOUL-1234', ''])
    expect(readTicketNumber(text)).toBeNull();
});
