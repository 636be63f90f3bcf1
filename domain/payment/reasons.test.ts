import { expect, test } from 'vitest';
import { paymentReasons, tellableReason } from './reasons.ts';

const told = (payer_msisdn: string | null, payer_proof: string | null) =>
  paymentReasons.map((reason) => tellableReason({ state: 'REVIEW', reason, payer_msisdn, payer_proof }));

test('a wallet’s reason is shown only to a payer who proved to be its owner', () => {
  expect(told('0390000001', 'proof')).toEqual(paymentReasons);
  expect(told('0390000001', null)).toEqual([
    ...Array(9).fill('notApproved'),
    'neverArrived',
    'notReached',
    'orderExpired',
    'deliveryRefused',
    'lateMoney',
    'amountConflict',
    'retriesSpent',
    'noConnector',
    'held',
    'calledOff',
    'payAgain',
    'paidAlready',
    'replaced',
  ]);
});

test('without a paying number, as with a card, every reason is shown', () => {
  expect(told(null, null)).toEqual(paymentReasons);
});

test('without a reason nothing is shown', () => {
  const nobody = { payer_msisdn: '0390000001', payer_proof: null };
  expect(tellableReason({ state: 'FAILED', reason: null, ...nobody })).toBeNull();
});

test('the reason for REVIEW is shown during REVIEW, and not after the decision', () => {
  for (const reason of ['retriesSpent', 'noConnector'] as const)
    for (const state of ['REVIEW', 'REFUND_DUE', 'REFUNDED', 'SUCCEEDED', 'FAILED'] as const) {
      const told = tellableReason({ state, reason, payer_msisdn: null, payer_proof: null });
      expect(told, state).toBe(state === 'REVIEW' ? reason : null);
    }
});
