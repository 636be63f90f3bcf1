import { describe, expect, test } from 'vitest';
import {
  isAwaited,
  isSeenMove,
  moneyProven,
  moneyState,
  moneyTimeline,
  nextPollSeconds,
  type ShownStatus,
  type StateChange,
  shownOnStatusPage,
  shownStatus,
} from './shown-status.ts';
import { isFinal, type PaymentState, paymentStates } from './transitions.ts';

/** The table of the design: state, push and PIN modes, card. */
const table: [PaymentState, ShownStatus, ShownStatus][] = [
  ['CREATED', 'REQUEST_REGISTERED', 'REQUEST_REGISTERED'],
  ['SUBMITTING', 'IN_PROCESS', 'REQUEST_REGISTERED'],
  ['AWAITING_PAYER', 'IN_PROCESS', 'REQUEST_REGISTERED'],
  ['UNKNOWN', 'IN_PROCESS', 'REQUEST_REGISTERED'],
  ['PAID', 'REQUEST_RAISED', 'REQUEST_RAISED'],
  ['FULFILLING', 'REQUEST_RAISED', 'REQUEST_RAISED'],
  ['FULFIL_UNKNOWN', 'REQUEST_RAISED', 'REQUEST_RAISED'],
  ['REVIEW', 'REQUEST_RAISED', 'REQUEST_RAISED'],
  ['SUCCEEDED', 'SUCCESS', 'SUCCESS'],
  ['FAILED', 'FAILED', 'FAILED'],
  ['REFUND_DUE', 'FAILED', 'FAILED'],
  ['REFUNDING', 'FAILED', 'FAILED'],
  ['REFUND_UNKNOWN', 'FAILED', 'FAILED'],
  ['REFUNDED', 'FAILED', 'FAILED'],
];

describe('the status of a state in the API', () => {
  test.each(table)('%s is %s for push and PIN, %s for a card', (state, push, card) => {
    expect(shownStatus(state, 'payer')).toBe(push);
    expect(shownStatus(state, 'redirect')).toBe(card);
  });

  test('the table has every state', () => {
    expect(table.map(([state]) => state).sort()).toEqual([...paymentStates].sort());
  });

  test('no state has the status ALREADY_PROCESSED or FALIURE', () => {
    const shown = paymentStates.flatMap((state) => [shownStatus(state, 'payer'), shownStatus(state, 'redirect')]);
    expect(new Set(shown)).toEqual(
      new Set(['REQUEST_REGISTERED', 'IN_PROCESS', 'REQUEST_RAISED', 'SUCCESS', 'FAILED']),
    );
    expect(paymentStates as readonly string[]).not.toContain('ALREADY_PROCESSED');
  });

  test('the status page never gets IN_PROCESS, at which it would stop polling', () => {
    expect(shownOnStatusPage('IN_PROCESS')).toBe('REQUEST_REGISTERED');
    for (const status of ['REQUEST_REGISTERED', 'REQUEST_RAISED', 'SUCCESS', 'FAILED'] as const)
      expect(shownOnStatusPage(status)).toBe(status);
  });
});

const changes = (...states: PaymentState[]): StateChange[] =>
  states.map((to, index) => ({ to, at: new Date(Date.UTC(2026, 0, 1, 0, index)) }));

const told = (...states: PaymentState[]) =>
  moneyTimeline(changes(...states)).map(({ state, at }) => [state, at.getUTCMinutes()]);

describe('the five plain states', () => {
  test.each<[PaymentState, string]>([
    ['CREATED', 'notTaken'],
    ['SUBMITTING', 'awaitingApproval'],
    ['AWAITING_PAYER', 'awaitingApproval'],
    ['UNKNOWN', 'awaitingApproval'],
    ['PAID', 'taken'],
    ['FULFILLING', 'taken'],
    ['FULFIL_UNKNOWN', 'taken'],
    ['SUCCEEDED', 'delivered'],
    ['FAILED', 'notTaken'],
    ['REFUND_DUE', 'taken'],
    ['REFUNDING', 'taken'],
    ['REFUND_UNKNOWN', 'taken'],
    ['REFUNDED', 'givenBack'],
  ])('%s is %s', (state, expected) => {
    expect(moneyState(changes('CREATED', state))).toBe(expected);
  });

  test('unknown is not shown as failed', () => {
    expect(moneyState(changes('CREATED', 'SUBMITTING', 'UNKNOWN'))).not.toBe('notTaken');
  });

  test('in review the money is where it was last proven to be', () => {
    expect(moneyState(changes('CREATED', 'SUBMITTING', 'AWAITING_PAYER', 'REVIEW'))).toBe('awaitingApproval');
    const conflict = [
      ...changes('CREATED', 'SUBMITTING'),
      { to: 'REVIEW' as const, at: new Date(), event: 'conflict' },
    ];
    expect(moneyState(conflict)).toBe('taken');
    expect(moneyState(changes('CREATED', 'SUBMITTING', 'PAID', 'FULFILLING', 'FULFIL_UNKNOWN', 'REVIEW'))).toBe(
      'taken',
    );
    expect(
      moneyState(changes('CREATED', 'SUBMITTING', 'FAILED', 'REFUND_DUE', 'REFUNDING', 'REFUND_UNKNOWN', 'REVIEW')),
    ).toBe('taken');
  });

  test('SEC-28 a payment held before any provider was called is not taken', () => {
    expect(moneyState(changes('CREATED', 'REVIEW'))).toBe('notTaken');
    expect(told('CREATED', 'REVIEW')).toEqual([['notTaken', 1]]);
    expect(told('CREATED', 'REVIEW', 'CREATED', 'SUBMITTING', 'PAID')).toEqual([
      ['notTaken', 1],
      ['awaitingApproval', 3],
      ['taken', 4],
    ]);
  });

  test('without any change nothing was taken', () => {
    expect(moneyState([])).toBe('notTaken');
    expect(moneyTimeline([])).toEqual([]);
  });

  test('money counts as taken only after a response that proves it', () => {
    const unproven: PaymentState[] = ['CREATED', 'SUBMITTING', 'AWAITING_PAYER', 'UNKNOWN', 'FAILED', 'REVIEW'];
    expect(paymentStates.filter((state) => !moneyProven(state)).sort()).toEqual(unproven.sort());
  });
});

describe('the timeline of the money', () => {
  test('an order that nobody paid is shown as not taken', () => {
    expect(told('CREATED')).toEqual([['notTaken', 0]]);
  });

  test('a success has three steps, each with the time it began', () => {
    expect(told('CREATED', 'SUBMITTING', 'AWAITING_PAYER', 'PAID', 'FULFILLING', 'SUCCEEDED')).toEqual([
      ['awaitingApproval', 1],
      ['taken', 3],
      ['delivered', 5],
    ]);
  });

  test('a failure ends with nothing taken', () => {
    expect(told('CREATED', 'SUBMITTING', 'AWAITING_PAYER', 'FAILED')).toEqual([
      ['awaitingApproval', 1],
      ['notTaken', 3],
    ]);
  });

  test('an expired order keeps the time at which it expired', () => {
    expect(told('CREATED', 'FAILED').map(([state]) => state)).toEqual(['notTaken']);
  });

  test('a refused delivery ends with a refund', () => {
    const states: PaymentState[] = [
      'CREATED',
      'SUBMITTING',
      'PAID',
      'FULFILLING',
      'REFUND_DUE',
      'REFUNDING',
      'REFUNDED',
    ];
    expect(told(...states)).toEqual([
      ['awaitingApproval', 1],
      ['taken', 2],
      ['givenBack', 6],
    ]);
  });

  test('late money is shown after the failure it followed', () => {
    expect(
      told('CREATED', 'SUBMITTING', 'FAILED', 'REFUND_DUE', 'REFUNDING', 'REFUNDED').map(([state]) => state),
    ).toEqual(['awaitingApproval', 'notTaken', 'taken', 'givenBack']);
  });

  test('several internal states with one plain state are shown once', () => {
    expect(told('CREATED', 'SUBMITTING', 'UNKNOWN', 'AWAITING_PAYER', 'UNKNOWN').map(([state]) => state)).toEqual([
      'awaitingApproval',
    ]);
  });
});

describe('when to poll again', () => {
  test('never once it is final, slowly in review, less often with age', () => {
    for (const state of paymentStates) {
      const often = nextPollSeconds(state, 0);
      if (isFinal(state)) expect(often).toBeNull();
      else expect(often).toBeGreaterThanOrEqual(1);
    }
    expect(nextPollSeconds('REVIEW', 0)).toBe(60);
    const waits = [0, 29, 30, 179, 180, 86_400].map((age) => nextPollSeconds('AWAITING_PAYER', age) ?? 0);
    expect(waits).toEqual([2, 2, 5, 5, 15, 15]);
  });
});

describe('a move that a waiting client is notified of', () => {
  test.each([
    ['AWAITING_PAYER', 'PAID', true],
    ['PAID', 'FULFILLING', false],
    ['FULFILLING', 'SUCCEEDED', true],
    ['FULFILLING', 'FULFIL_UNKNOWN', false],
    ['SUBMITTING', 'AWAITING_PAYER', false],
    ['UNKNOWN', 'AWAITING_PAYER', true],
    ['SUBMITTING', 'UNKNOWN', true],
    ['REFUNDING', 'REFUND_UNKNOWN', false],
    ['AWAITING_PAYER', 'FAILED', true],
    ['AWAITING_PAYER', 'REVIEW', true],
    ['PAID', 'REFUND_DUE', true],
    ['REFUND_DUE', 'REFUNDING', false],
    ['REFUNDING', 'REFUNDED', true],
    ['FAILED', 'REFUND_DUE', true],
  ] as const)('%s to %s: %s', (from, to, isSeen) => {
    expect(isSeenMove(from, to)).toBe(isSeen);
  });

  test('only a payment that the payer has not decided is awaited', () => {
    expect(paymentStates.filter(isAwaited)).toEqual(['CREATED', 'SUBMITTING', 'AWAITING_PAYER', 'UNKNOWN']);
  });
});
