import { expect, test } from 'vitest';
import { decisionEvents, decisionProblem, decisions, isHeld } from './review-decisions.ts';
import { type PaymentState, transitions } from './transitions.ts';

const through = (...states: PaymentState[]) => states.map((to) => ({ to, event: '' }));
const asAsked = { isAsAsked: true };
const another = { isAsAsked: false };
const allowed = (taken: typeof asAsked | null, ...states: PaymentState[]) =>
  decisions.filter((one) => decisionProblem(through(...states), taken, one) === null);

test('only a payment in REVIEW can be decided by a person', () => {
  for (const state of Object.keys(transitions) as PaymentState[])
    if (state !== 'REVIEW') expect(allowed(asAsked, 'CREATED', state)).toEqual([]);
});

test('after days without a response any outcome is possible, and nothing is sent before the provider stated what it took', () => {
  const silent = ['CREATED', 'SUBMITTING', 'AWAITING_PAYER', 'REVIEW'] as const;
  expect(allowed(null, ...silent)).toEqual(['delivered', 'notTaken', 'givenBack']);
});

test('REL-12 (its rule; the flow beside the payments) money of another amount cannot be settled as not taken, and is not delivered automatically', () => {
  expect(allowed(another, 'SUBMITTING', 'AWAITING_PAYER', 'REVIEW')).toEqual(['delivered', 'givenBack', 'giveBack']);
});

test('a payment shown as failed is never delivered or settled as delivered afterwards (I8)', () => {
  expect(allowed(null, 'SUBMITTING', 'FAILED', 'REVIEW')).toEqual(['notTaken', 'givenBack']);
  expect(allowed(asAsked, 'SUBMITTING', 'FULFILLING', 'REFUND_DUE', 'REFUNDING', 'REFUND_UNKNOWN', 'REVIEW')).toEqual([
    'givenBack',
    'giveBack',
  ]);
});

test('money that was proven taken cannot be settled as not taken', () => {
  expect(allowed(asAsked, 'SUBMITTING', 'PAID', 'FULFILLING', 'FULFIL_UNKNOWN', 'REVIEW')).toEqual([
    'delivered',
    'givenBack',
    'deliver',
    'giveBack',
  ]);
});

test('a refused decision has a code', () => {
  const problem = (taken: typeof asAsked | null, decision: (typeof decisions)[number], ...states: PaymentState[]) =>
    decisionProblem(through(...states), taken, decision);
  expect(problem(asAsked, 'givenBack', 'CREATED')).toBe('notWaiting');
  expect(decisionProblem([], null, 'givenBack')).toBe('notWaiting');
  expect(problem(null, 'delivered', 'SUBMITTING', 'FAILED', 'REVIEW')).toBe('toldFailed');
  expect(problem(asAsked, 'deliver', 'SUBMITTING', 'FAILED', 'REVIEW')).toBe('toldFailed');
  expect(problem(asAsked, 'notTaken', 'SUBMITTING', 'PAID', 'REVIEW')).toBe('provedTaken');
  for (const action of ['deliver', 'giveBack'] as const)
    expect(problem(null, action, 'SUBMITTING', 'AWAITING_PAYER', 'REVIEW')).toBe('notStatedTaken');
  expect(problem(another, 'deliver', 'SUBMITTING', 'AWAITING_PAYER', 'REVIEW')).toBe('otherAmount');
});

test('each decision is an edge out of REVIEW', () => {
  const ends = decisions.map((one) => transitions.REVIEW[decisionEvents[one]]);
  expect(ends).toEqual(['SUCCEEDED', 'FAILED', 'REFUNDED', 'FULFIL_UNKNOWN', 'REFUND_DUE', 'CREATED']);
});

test('SEC-28 a payment held before any provider was called can be released or settled as not taken, and nothing else', () => {
  expect(allowed(null, 'CREATED', 'REVIEW')).toEqual(['notTaken', 'letGoOn']);
  expect(allowed(null, 'CREATED', 'REVIEW', 'CREATED', 'REVIEW')).toEqual(['notTaken', 'letGoOn']);
  expect(decisionProblem(through('CREATED', 'REVIEW'), null, 'delivered')).toBe('notAskedYet');
  expect(decisionProblem(through('CREATED', 'SUBMITTING', 'UNKNOWN', 'REVIEW'), null, 'letGoOn')).toBe('askedBefore');
  expect(isHeld(through('CREATED', 'REVIEW'))).toBe(true);
  expect(isHeld(through('CREATED'))).toBe(false);
  expect(isHeld(through('CREATED', 'SUBMITTING', 'REVIEW'))).toBe(false);
});
