import { expect, test } from 'vitest';
import { isHeld, settlementEvents, settlementProblem, settlements } from './settle.ts';
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
  expect(allowed('SUBMITTING', 'PAID', 'FULFILLING', 'REFUND_DUE', 'REFUNDING', 'REFUND_UNKNOWN', 'REVIEW')).toEqual([
    'givenBack',
  ]);
});

test('money that was proven taken is never called not taken', () => {
  expect(allowed('SUBMITTING', 'PAID', 'FULFILLING', 'FULFIL_UNKNOWN', 'REVIEW')).toEqual(['delivered', 'givenBack']);
});

test('why a person may not settle it so is told in words', () => {
  const problem = (settlement: (typeof settlements)[number], ...states: PaymentState[]) =>
    settlementProblem(through(...states), settlement);
  expect(problem('givenBack', 'CREATED')).toBe('It does not wait for a person.');
  expect(settlementProblem([], 'givenBack')).toBe('It does not wait for a person.');
  expect(problem('delivered', 'SUBMITTING', 'FAILED', 'REVIEW')).toContain('The customer was told that it failed');
  expect(problem('notTaken', 'SUBMITTING', 'PAID', 'REVIEW')).toBe('The provider proved that the money was taken.');
  expect(problem('notTaken', 'SUBMITTING', 'FAILED', 'REFUND_DUE', 'REVIEW')).toBe(
    'The provider proved that the money was taken.',
  );
});

test('each settlement is an edge out of REVIEW to where it says', () => {
  const ends = settlements.map((one) => transitions.REVIEW[settlementEvents[one]]);
  expect(ends).toEqual(['SUCCEEDED', 'FAILED', 'REFUNDED', 'CREATED']);
});

test('SEC-28 what was held before any provider was asked may go on or not be taken, and nothing else', () => {
  expect(allowed('CREATED', 'REVIEW')).toEqual(['notTaken', 'letGoOn']);
  expect(allowed('CREATED', 'REVIEW', 'CREATED', 'REVIEW')).toEqual(['notTaken', 'letGoOn']);
  expect(settlementProblem(through('CREATED', 'REVIEW'), 'delivered')).toContain('No provider was asked yet');
  expect(settlementProblem(through('CREATED', 'SUBMITTING', 'UNKNOWN', 'REVIEW'), 'letGoOn')).toContain('asked before');
  expect(isHeld(through('CREATED', 'REVIEW'))).toBe(true);
  expect(isHeld(through('CREATED'))).toBe(false);
  expect(isHeld(through('CREATED', 'SUBMITTING', 'REVIEW'))).toBe(false);
});
