import { expect, test } from 'vitest';
import { decisionEvents, decisionProblem, decisions, isHeld } from './settle.ts';
import { type PaymentState, transitions } from './transitions.ts';

const through = (...states: PaymentState[]) => states.map((to) => ({ to, event: '' }));
const asAsked = { isAsAsked: true };
const another = { isAsAsked: false };
const allowed = (taken: typeof asAsked | null, ...states: PaymentState[]) =>
  decisions.filter((one) => decisionProblem(through(...states), taken, one) === null);

test('only a payment that waits for a person is decided by one', () => {
  for (const state of Object.keys(transitions) as PaymentState[])
    if (state !== 'REVIEW') expect(allowed(asAsked, 'CREATED', state)).toEqual([]);
});

test('silence for days may turn out any way, and nothing is sent before the provider stated what it took', () => {
  const silent = ['CREATED', 'SUBMITTING', 'AWAITING_PAYER', 'REVIEW'] as const;
  expect(allowed(null, ...silent)).toEqual(['delivered', 'notTaken', 'givenBack']);
});

test('REL-12 (its rule; the flow beside the payments) what was taken in another amount is not called not taken, and not delivered by itself', () => {
  expect(allowed(another, 'SUBMITTING', 'AWAITING_PAYER', 'REVIEW')).toEqual(['delivered', 'givenBack', 'giveBack']);
});

test('what was shown as failed is never delivered afterwards, nor called so (I8)', () => {
  expect(allowed(null, 'SUBMITTING', 'FAILED', 'REVIEW')).toEqual(['notTaken', 'givenBack']);
  expect(allowed(asAsked, 'SUBMITTING', 'FULFILLING', 'REFUND_DUE', 'REFUNDING', 'REFUND_UNKNOWN', 'REVIEW')).toEqual([
    'givenBack',
    'giveBack',
  ]);
});

test('money that was proven taken is never called not taken', () => {
  expect(allowed(asAsked, 'SUBMITTING', 'PAID', 'FULFILLING', 'FULFIL_UNKNOWN', 'REVIEW')).toEqual([
    'delivered',
    'givenBack',
    'deliver',
    'giveBack',
  ]);
});

test('why a person may not decide so is told in words', () => {
  const problem = (taken: typeof asAsked | null, decision: (typeof decisions)[number], ...states: PaymentState[]) =>
    decisionProblem(through(...states), taken, decision);
  expect(problem(asAsked, 'givenBack', 'CREATED')).toBe('It does not wait for a person.');
  expect(decisionProblem([], null, 'givenBack')).toBe('It does not wait for a person.');
  expect(problem(null, 'delivered', 'SUBMITTING', 'FAILED', 'REVIEW')).toContain(
    'The customer was told that it failed',
  );
  expect(problem(asAsked, 'deliver', 'SUBMITTING', 'FAILED', 'REVIEW')).toContain(
    'The customer was told that it failed',
  );
  expect(problem(asAsked, 'notTaken', 'SUBMITTING', 'PAID', 'REVIEW')).toBe(
    'The provider proved that the money was taken.',
  );
  for (const action of ['deliver', 'giveBack'] as const)
    expect(problem(null, action, 'SUBMITTING', 'AWAITING_PAYER', 'REVIEW')).toContain('ask it first');
  expect(problem(another, 'deliver', 'SUBMITTING', 'AWAITING_PAYER', 'REVIEW')).toContain('Another amount was taken');
});

test('each decision is an edge out of REVIEW to where it says', () => {
  const ends = decisions.map((one) => transitions.REVIEW[decisionEvents[one]]);
  expect(ends).toEqual(['SUCCEEDED', 'FAILED', 'REFUNDED', 'FULFIL_UNKNOWN', 'REFUND_DUE', 'CREATED']);
});

test('SEC-28 what was held before any provider was asked may go on or not be taken, and nothing else', () => {
  expect(allowed(null, 'CREATED', 'REVIEW')).toEqual(['notTaken', 'letGoOn']);
  expect(allowed(null, 'CREATED', 'REVIEW', 'CREATED', 'REVIEW')).toEqual(['notTaken', 'letGoOn']);
  expect(decisionProblem(through('CREATED', 'REVIEW'), null, 'delivered')).toContain('No provider was asked yet');
  expect(decisionProblem(through('CREATED', 'SUBMITTING', 'UNKNOWN', 'REVIEW'), null, 'letGoOn')).toContain(
    'asked before',
  );
  expect(isHeld(through('CREATED', 'REVIEW'))).toBe(true);
  expect(isHeld(through('CREATED'))).toBe(false);
  expect(isHeld(through('CREATED', 'SUBMITTING', 'REVIEW'))).toBe(false);
});
