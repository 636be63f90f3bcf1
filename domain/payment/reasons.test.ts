import { expect, test } from 'vitest';
import { paymentReasons, tellableReason } from './reasons.ts';

const told = (payer_msisdn: string | null, payer_proof: string | null) =>
  paymentReasons.map((reason) => tellableReason({ state: 'REVIEW', reason, payer_msisdn, payer_proof }));

test('what a wallet says about its owner is told only to a payer who proved to be the owner', () => {
  expect(told('0390000001', 'proof')).toEqual(paymentReasons);
  expect(told('0390000001', null)).toEqual([
    ...Array(8).fill('notApproved'),
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

test('where no number pays, as with a card, every reason is told', () => {
  expect(told(null, null)).toEqual(paymentReasons);
});

test('without a reason there is nothing to tell', () => {
  const nobody = { payer_msisdn: '0390000001', payer_proof: null };
  expect(tellableReason({ state: 'FAILED', reason: null, ...nobody })).toBeNull();
});

test('why a person was asked is told while the person is asked, and not once it is decided', () => {
  for (const reason of ['retriesSpent', 'noConnector'] as const)
    for (const state of ['REVIEW', 'REFUND_DUE', 'REFUNDED', 'SUCCEEDED', 'FAILED'] as const) {
      const told = tellableReason({ state, reason, payer_msisdn: null, payer_proof: null });
      expect(told, state).toBe(state === 'REVIEW' ? reason : null);
    }
});
