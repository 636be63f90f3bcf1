import { describe, expect, test } from 'vitest';
import { decisionEvents } from './review-decisions.ts';
import {
  IllegalTransition,
  isFinal,
  next,
  type PaymentEvent,
  type PaymentState,
  paymentEvents,
  paymentStates,
  transitions,
} from './transitions.ts';

/** Written by hand from the design, independent of the table it checks. */
const designed: Record<PaymentState, PaymentState[]> = {
  CREATED: ['SUBMITTING', 'REVIEW', 'FAILED'],
  SUBMITTING: ['AWAITING_PAYER', 'PAID', 'UNKNOWN', 'FAILED', 'REVIEW'],
  AWAITING_PAYER: ['PAID', 'FAILED', 'UNKNOWN', 'REVIEW'],
  UNKNOWN: ['PAID', 'FAILED', 'AWAITING_PAYER', 'REVIEW'],
  PAID: ['FULFILLING', 'REFUND_DUE'],
  FULFILLING: ['SUCCEEDED', 'FULFIL_UNKNOWN', 'REFUND_DUE'],
  FULFIL_UNKNOWN: ['SUCCEEDED', 'FULFILLING', 'REFUND_DUE', 'REVIEW'],
  SUCCEEDED: [],
  FAILED: ['REFUND_DUE', 'REVIEW'],
  REFUND_DUE: ['REFUNDING'],
  REFUNDING: ['REFUNDED', 'REFUND_UNKNOWN'],
  REFUND_UNKNOWN: ['REFUNDING', 'REFUNDED', 'REVIEW'],
  REFUNDED: [],
  // Only by a person. After the last three the portal acts, starting with a lookup.
  REVIEW: ['SUCCEEDED', 'FAILED', 'REFUNDED', 'FULFIL_UNKNOWN', 'REFUND_DUE', 'CREATED'],
};

const events: Record<PaymentState, PaymentEvent[]> = {
  CREATED: ['submit', 'hold', 'expire'],
  SUBMITTING: ['accept', 'pay', 'lose', 'refuse', 'conflict'],
  AWAITING_PAYER: ['pay', 'refuse', 'lose', 'conflict', 'giveUp'],
  UNKNOWN: ['pay', 'refuse', 'accept', 'conflict', 'giveUp'],
  PAID: ['fulfil', 'findOrderPaid'],
  FULFILLING: ['deliver', 'loseDelivery', 'refuseDelivery'],
  FULFIL_UNKNOWN: ['deliver', 'fulfil', 'refuseDelivery', 'findOrderPaid', 'giveUp'],
  SUCCEEDED: [],
  FAILED: ['findLateMoney', 'conflict'],
  REFUND_DUE: ['refund'],
  REFUNDING: ['completeRefund', 'loseRefund'],
  REFUND_UNKNOWN: ['refund', 'completeRefund', 'giveUp'],
  REFUNDED: [],
  REVIEW: ['settleDelivered', 'settleNotTaken', 'settleGivenBack', 'resumeDelivery', 'giveBack', 'letGoOn'],
};

const pairs = paymentStates.flatMap((state) => paymentEvents.map((event) => ({ state, event })));

describe('every state with every event', () => {
  const allowed = pairs.filter(({ state, event }) => events[state].includes(event));
  const refused = pairs.filter(({ state, event }) => !events[state].includes(event));

  test.each(allowed)('$state takes $event', ({ state, event }) => {
    expect(designed[state]).toContain(next(state, event));
  });

  test('all others are refused, and the error names both', () => {
    expect(refused.length).toBe(paymentStates.length * paymentEvents.length - allowed.length);
    for (const { state, event } of refused) {
      expect(() => next(state, event), `${state} ${event}`).toThrow(IllegalTransition);
      expect(() => next(state, event)).toThrow(`A payment in ${state} does not take "${event}".`);
    }
  });
});

test.each(paymentStates)('the moves from %s are exactly the designed edges', (state) => {
  const reached = [...new Set(Object.values(transitions[state]))];
  expect(reached.sort()).toEqual([...designed[state]].sort());
});

test('every state is reachable from the first', () => {
  const reached = new Set<PaymentState>(['CREATED']);
  for (const state of reached) for (const to of Object.values(transitions[state])) reached.add(to);
  expect([...reached].sort()).toEqual([...paymentStates].sort());
});

test('every open state has a path to a final one', () => {
  for (const state of paymentStates) {
    const ahead = new Set<PaymentState>([state]);
    for (const each of ahead) for (const to of Object.values(transitions[each])) ahead.add(to);
    expect([...ahead].some(isFinal), state).toBe(true);
  }
});

test('delivered and refunded are final; failed can only change through late money', () => {
  expect(paymentStates.filter(isFinal)).toEqual(['SUCCEEDED', 'FAILED', 'REFUNDED']);
  expect(transitions.SUCCEEDED).toEqual({});
  expect(transitions.REFUNDED).toEqual({});
  expect(transitions.FAILED).toEqual({ findLateMoney: 'REFUND_DUE', conflict: 'REVIEW' });
});

test('a payment that is or will be refunded can no longer be delivered', () => {
  const back: PaymentState[] = ['FAILED', 'REFUND_DUE', 'REFUNDING', 'REFUND_UNKNOWN', 'REFUNDED'];
  for (const state of back) {
    expect(() => next(state, 'fulfil')).toThrow(IllegalTransition);
    expect(() => next(state, 'deliver')).toThrow(IllegalTransition);
  }
});

test('only a person leaves REVIEW', () => {
  const byHand = Object.keys(transitions.REVIEW).sort();
  expect(byHand).toEqual(Object.values(decisionEvents).sort());
  const elsewhere = paymentStates
    .filter((state) => state !== 'REVIEW')
    .flatMap((state) => Object.keys(transitions[state]));
  expect(elsewhere.filter((event) => byHand.includes(event))).toEqual([]);
});
