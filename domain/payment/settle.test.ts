import { expect, test } from 'vitest';
import { settlementProblem, settlements } from './settle.ts';
import { type PaymentState, transitions } from './transitions.ts';

const through = (...states: PaymentState[]) => states.map((to) => ({ to, event: '' }));
const allowed = (...states: PaymentState[]) =>
  settlements.filter((one) => settlementProblem(through(...states), one) === null);

test('only a payment that waits for a person is settled by one', () => {
  for (const state of Object.keys(transitions) as PaymentState[])
    if (state !== 'REVIEW') expect(allowed('CREATED', state)).toEqual([]);
});

test('an amount that does not fit, or silence for days, may turn out any way', () => {
  expect(allowed('CREATED', 'SUBMITTING', 'AWAITING_PAYER', 'REVIEW')).toEqual(['delivered', 'notTaken', 'givenBack']);
});

test('what was shown as failed is never called delivered afterwards (I8)', () => {
  expect(allowed('SUBMITTING', 'FAILED', 'REVIEW')).toEqual(['notTaken', 'givenBack']);
  expect(allowed('PAID', 'FULFILLING', 'REFUND_DUE', 'REFUNDING', 'REFUND_UNKNOWN', 'REVIEW')).toEqual(['givenBack']);
});

test('money that was proven taken is never called not taken', () => {
  expect(allowed('PAID', 'FULFILLING', 'FULFIL_UNKNOWN', 'REVIEW')).toEqual(['delivered', 'givenBack']);
});
