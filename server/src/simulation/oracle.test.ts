import { describe, expect, test } from 'vitest';
import type { Act } from './books.ts';
import { Broken } from './broken.ts';
import type { Ending, SeenChange, SeenMessage, SeenPayment, SeenPosting } from './observation.ts';
import { Oracle } from './oracle.ts';

type Open<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer One)[] ? One[] : T[K] };
type Story = Open<Ending>;

const start = 1_800_000_000_000;
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const id = 'payment-1';
const sum = { amount: 5_000, currency: 'MGA' };

const intents: Record<string, Act['kind']> = { SUBMITTING: 'charge', FULFILLING: 'delivery', REFUNDING: 'refund' };
const owed = 'customers:owed';

/** What the status page shows in each state of a wallet payment, by the design. */
function shownAs(state: string): { status: string; money: string } {
  if (state === 'CREATED') return { status: 'REQUEST_REGISTERED', money: 'notTaken' };
  if (['SUBMITTING', 'AWAITING_PAYER', 'UNKNOWN'].includes(state))
    return { status: 'IN_PROCESS', money: 'awaitingApproval' };
  if (state === 'SUCCEEDED') return { status: 'SUCCESS', money: 'delivered' };
  if (state === 'REFUNDED') return { status: 'FAILED', money: 'givenBack' };
  if (state === 'FAILED') return { status: 'FAILED', money: 'notTaken' };
  return { status: state.startsWith('REFUND') ? 'FAILED' : 'REQUEST_RAISED', money: 'taken' };
}

/**
 * A payment that went through these states, a quarter of an hour each, with everything consistent inside and outside.
 */
function story(path: string, taken = sum): Story {
  const states = path.split(' ');
  const step = 15 * minute;
  const at = (state: string): number => start + states.indexOf(state) * step;
  const has = (state: string): boolean => states.includes(state);
  const last = states.at(-1) ?? '';
  const account = taken.amount === sum.amount ? owed : 'customers:conflict';
  const reasonOf = (to: string): string | null => (to === 'REVIEW' ? 'amountConflict' : null);
  const isTaken = has('PAID') || has('REFUND_DUE') || has('REVIEW');
  const posted = (kind: SeenPosting['kind'], debit: string, credit: string): SeenPosting => ({
    payment: id,
    kind,
    debit,
    credit,
    ...taken,
  });
  const messages: SeenMessage['kind'][] = [
    ...(has('SUCCEEDED') ? (['delivered'] as const) : []),
    ...(has('FAILED') ? (['notTaken'] as const) : []),
    ...(has('PAID') && has('REVIEW') ? (['lookedInto'] as const) : []),
    ...(has('REFUNDED') ? (['goingBack', 'givenBack'] as const) : []),
  ];
  // Providers act a second before the portal stores it. Late money is taken after the failure.
  const takenAt = (has('FAILED') ? at('REFUND_DUE') : Math.min(...['PAID', 'REVIEW'].filter(has).map(at))) - second;
  return {
    now: start + states.length * step,
    payments: [
      {
        ...{ id, order: 'order-1', gateway: 'wallet', item: 'bill', ...sum, state: last, version: states.length - 1 },
        ...{ reason: reasonOf(last), submittedAt: has('SUBMITTING') ? at('SUBMITTING') : null, changedAt: at(last) },
        dueAt: ['SUCCEEDED', 'REFUNDED', 'REVIEW'].includes(last) ? null : start + states.length * step + minute,
        ...{ taken: isTaken ? taken : null, epoch: 1 },
      },
    ],
    history: states.map(
      (to, version): SeenChange => ({
        ...{ payment: id, version, event: 'move', from: states[version - 1] ?? null, to, reason: reasonOf(to) },
        ...{ at: start + version * step, by: states[version - 1] === 'REVIEW' ? 'Rina' : null },
      }),
    ),
    postings: [
      ...(isTaken ? [posted('paid', 'provider:wallet', account)] : []),
      ...(has('SUCCEEDED') ? [posted('delivered', account, 'sales:BILL')] : []),
      ...(has('REFUNDED') ? [posted('refunded', account, 'provider:wallet')] : []),
    ],
    messages: messages.map((kind) => ({ payment: id, kind })),
    ...{ proposals: [], credits: [], goodwill: [] },
    money: has('SUBMITTING')
      ? [
          {
            ...{ gateway: 'wallet', reference: id, shortReference: '', asked: sum, ticket: 'T1', receipt: 'R1' },
            state: isTaken ? 'taken' : has('FAILED') ? 'refused' : 'pending',
            debits: isTaken ? [{ ...taken, at: takenAt }] : [],
            refunds: has('REFUNDED') ? [{ ...taken, at: at('REFUNDED') - second, visibleAt: 0 }] : [],
            ...{
              isReversed: false,
              isReported: false,
              isDeclined: false,
              page: null,
              visibleAt: 0,
              decisionVisibleAt: 0,
            },
          },
        ]
      : [],
    deliveries: has('SUCCEEDED')
      ? [
          {
            ...{ system: 'billing', id: 'B1', reference: id, to: 'PA1', what: 'bill', ...sum },
            ...{ at: at('SUCCEEDED') - second, visibleAt: at('SUCCEEDED') - second },
          },
        ]
      : [],
    received: [],
    acts: states.flatMap((state, version): Act[] => {
      const kind = intents[state];
      return kind ? [{ kind, reference: id, at: start + version * step + second, stored: { state, version } }] : [];
    }),
    shown: [{ payment: id, ...shownAs(last) }],
    attempts: [{ key: 'key-1', payments: [id] }],
    lag: 10 * minute,
    restores: [],
    faultsEndedAt: null,
    isOver: false,
    acknowledged: [{ payment: id, ...sum, at: start, wasProcessed: has('SUBMITTING') }],
    differences: [],
    comparedUntil: start + 24 * hour,
  };
}

const first = <T>(list: T[]): T => {
  const [one] = list;
  if (one === undefined) throw new Error('The story has none.');
  return one;
};
const paymentOf = (it: Story): SeenPayment => first(it.payments);
const changeTo = (it: Story, to: string): SeenChange => {
  const found = it.history.find((change) => change.to === to);
  if (!found) throw new Error(`It was never ${to}.`);
  return found;
};
const postingOf = (it: Story, kind: SeenPosting['kind']): SeenPosting =>
  first(it.postings.filter((one) => one.kind === kind));
const again = <T>(list: T[]): void => void list.push({ ...first(list) });

/** The broken promise, or null. */
function judge(...them: Story[]): string | null {
  const oracle = new Oracle();
  try {
    for (const it of them.slice(0, -1)) oracle.observe(it);
    oracle.end(first(them.slice(-1)));
    return null;
  } catch (error) {
    if (error instanceof Broken) return error.message.split(':')[0] ?? '';
    throw error;
  }
}

const started = 'CREATED SUBMITTING AWAITING_PAYER';
const succeeded = `${started} PAID FULFILLING SUCCEEDED`;
const refused = `${started} FAILED`;
const refunded = `${started} PAID FULFILLING REFUND_DUE REFUNDING REFUNDED`;
const late = `${refused} REFUND_DUE REFUNDING REFUNDED`;
const reviewed = `${started} REVIEW`;
const conflict = { amount: 4_000, currency: 'MGA' };

test.each([succeeded, refused, refunded, started, 'CREATED', 'CREATED FAILED'])('%s keeps every promise', (path) => {
  expect(judge(story(path))).toBeNull();
});

test('late money goes back by itself', () => {
  expect(judge(story(refused), story(late))).toBeNull();
});

test('what a state said before must go on to be so', () => {
  const undone = story(succeeded);
  undone.deliveries.pop();
  expect(judge(story(succeeded), undone)).toBe('SUCCESS is one delivery');
  const paid = `${started} PAID`;
  const other = story(paid, conflict);
  expect(judge(story(paid), other)).toBe('another sum is not delivered for');
});

test('another sum than asked goes to a person, and back', () => {
  expect(judge(story(reviewed, conflict))).toBeNull();
  expect(judge(story(`${reviewed} REFUND_DUE REFUNDING REFUNDED`, conflict))).toBeNull();
});

type Breach = [promise: string, path: string, breakIt: (it: Story) => void, taken?: typeof sum];
const breaches: Breach[] = [
  ['nothing without an order', succeeded, (it) => it.deliveries.push({ ...first(it.deliveries), reference: 'nobody' })],
  ['one row per payment', succeeded, (it) => again(it.payments)],
  ['intent before act', succeeded, (it) => Object.assign(first(it.acts), { stored: { state: 'CREATED', version: 0 } })],
  ['intent before act', succeeded, (it) => Object.assign(first(it.acts), { stored: null })],
  ['whole amounts', 'CREATED', (it) => Object.assign(paymentOf(it), { amount: 0.5 })],
  ['versions without gaps', succeeded, (it) => Object.assign(changeTo(it, 'PAID'), { version: 7 })],
  ['history is a chain', succeeded, (it) => Object.assign(changeTo(it, 'PAID'), { from: 'UNKNOWN' })],
  ['only listed edges', `${started} FULFILLING SUCCEEDED`, () => {}],
  [
    'a person decides a review',
    `${reviewed} REFUND_DUE`,
    (it) => Object.assign(changeTo(it, 'REFUND_DUE'), { by: null }),
    conflict,
  ],
  ['shown FAILED never becomes SUCCESS', `${refused} REVIEW SUCCEEDED`, () => {}],
  ['time goes forward', succeeded, (it) => Object.assign(changeTo(it, 'PAID'), { at: start })],
  ['history tells the state', succeeded, (it) => Object.assign(paymentOf(it), { state: 'PAID' })],
  ['submitted is remembered', started, (it) => Object.assign(paymentOf(it), { submittedAt: null })],
  ['paid only on proof', `${started} PAID`, (it) => Object.assign(first(it.money), { state: 'pending', debits: [] })],
  ['paid only on proof', `${started} PAID`, () => {}, conflict],
  ['delivered only on proof', succeeded, (it) => it.deliveries.pop()],
  ['refunded only on proof', refunded, (it) => first(it.money).refunds.pop()],
  [
    'late money is money',
    `${refused} REFUND_DUE`,
    (it) => {
      Object.assign(changeTo(it, 'REFUND_DUE'), { reason: 'lateMoney' });
      first(it.money).debits.pop();
    },
  ],
  [
    'maybe there for the lag',
    `${started} PAID FULFILLING FULFIL_UNKNOWN FULFILLING SUCCEEDED`,
    (it) => {
      const sent = changeTo(it, 'FULFILLING');
      Object.assign(changeTo(it, 'FULFIL_UNKNOWN'), { at: sent.at + 20 * second });
      Object.assign(it.history[6] ?? {}, { at: sent.at + 9 * minute });
    },
  ],
  [
    'looked for before it is sent again',
    `${started} PAID FULFILLING FULFIL_UNKNOWN FULFILLING SUCCEEDED`,
    (it) => {
      const there = changeTo(it, 'FULFILLING').at + second;
      Object.assign(first(it.deliveries), { at: there, visibleAt: there });
    },
  ],
  ['FAILED only on proof', refused, (it) => Object.assign(first(it.money), { state: 'pending' })],
  [
    'FAILED only on proof',
    refused,
    (it) => {
      Object.assign(first(it.money), { state: 'taken', debits: [{ ...sum, at: changeTo(it, 'FAILED').at - minute }] });
    },
  ],
  ['not found is proof after a day', 'CREATED SUBMITTING UNKNOWN FAILED', (it) => it.money.pop()],
  ['REVIEW only with a cause', reviewed, () => {}],
  [
    'REVIEW only with a cause',
    reviewed,
    (it) => Object.assign(changeTo(it, 'REVIEW'), { reason: 'retriesSpent' }),
    conflict,
  ],
  ['asked where ordered', succeeded, (it) => Object.assign(first(it.money), { gateway: 'mpesa' })],
  ['asked what was ordered', succeeded, (it) => Object.assign(first(it.money), { asked: conflict })],
  ['one charge', started, (it) => again(it.money)],
  ['one debit', succeeded, (it) => again(first(it.money).debits)],
  ['one delivery', succeeded, (it) => again(it.deliveries)],
  ['one refund', refunded, (it) => again(first(it.money).refunds)],
  [
    'never both delivered and refunded',
    succeeded,
    (it) => first(it.money).refunds.push({ ...sum, at: it.now, visibleAt: 0 }),
  ],
  ['what was taken goes back', refunded, (it) => Object.assign(first(first(it.money).refunds), { amount: 4_999 })],
  ['no delivery without a debit', succeeded, (it) => Object.assign(first(it.deliveries), { at: start })],
  ['what was ordered is delivered', succeeded, (it) => Object.assign(first(it.deliveries), { system: 'crm' })],
  ['what was taken is kept', succeeded, (it) => Object.assign(paymentOf(it), { taken: conflict })],
  ['what was taken is kept', reviewed, (it) => Object.assign(paymentOf(it), { taken: null }), conflict],
  [
    'shown FAILED is not delivered',
    `${started} PAID FULFILLING REFUND_DUE`,
    (it) => {
      it.deliveries.push(first(story(succeeded).deliveries));
    },
  ],
  [
    'delivery is known',
    started,
    (it) => {
      Object.assign(first(it.money), { debits: [{ ...sum, at: start }] });
      it.deliveries.push({ ...first(story(succeeded).deliveries), at: start + minute });
    },
  ],
  [
    'refund is known',
    started,
    (it) => {
      Object.assign(first(it.money), { debits: [{ ...sum, at: start }], refunds: [{ ...sum, at: start + minute }] });
    },
  ],
  ['booked once', succeeded, (it) => again(it.postings)],
  ['what was taken is booked', succeeded, (it) => it.postings.shift()],
  ['what was delivered is booked', succeeded, (it) => it.postings.pop()],
  ['what went back is booked', refunded, (it) => it.postings.pop()],
  ['booked as it was taken', succeeded, (it) => Object.assign(postingOf(it, 'paid'), { credit: 'customers:conflict' })],
  ['booked as it was taken', reviewed, (it) => Object.assign(postingOf(it, 'paid'), sum), conflict],
  ['booked as it was taken', succeeded, (it) => Object.assign(postingOf(it, 'paid'), { debit: 'provider:mpesa' })],
  [
    'booked as it was delivered',
    succeeded,
    (it) => Object.assign(postingOf(it, 'delivered'), { debit: 'customers:conflict' }),
  ],
  ['booked as it went back', refunded, (it) => Object.assign(postingOf(it, 'refunded'), { amount: 4_999 })],
  ['each message once', succeeded, (it) => again(it.messages)],
  ['messages are true', started, (it) => it.messages.push({ payment: id, kind: 'delivered' })],
  ['messages are true', succeeded, (it) => it.messages.push({ payment: id, kind: 'goingBack' })],
  ['nothing open is left alone', started, (it) => Object.assign(paymentOf(it), { dueAt: null })],
  ['nothing open is left alone', refused, (it) => Object.assign(paymentOf(it), { dueAt: null })],
  ['nothing open is left alone', started, (it) => Object.assign(paymentOf(it), { dueAt: it.now + 3 * hour })],
  [
    'money taken is noticed',
    started,
    (it) => {
      Object.assign(first(it.money), { state: 'taken', debits: [{ ...sum, at: it.now }] });
      Object.assign(it, { faultsEndedAt: it.now, now: it.now + 3 * hour });
      Object.assign(paymentOf(it), { dueAt: it.now });
    },
  ],
  [
    'what was paid is delivered or goes back',
    `${started} PAID`,
    (it) => {
      Object.assign(it, { faultsEndedAt: it.now, now: it.now + 25 * hour });
      Object.assign(paymentOf(it), { dueAt: it.now });
    },
  ],
  [
    'what is due goes back',
    `${started} PAID FULFILLING REFUND_DUE`,
    (it) => {
      Object.assign(it, { faultsEndedAt: it.now, now: it.now + 49 * hour });
      Object.assign(paymentOf(it), { dueAt: it.now });
    },
  ],
  ['nothing open is left alone', started, (it) => Object.assign(it, { faultsEndedAt: it.now, now: it.now + 2 * hour })],
  ['everything ends', 'CREATED', (it) => Object.assign(it, { isOver: true })],
  ['everything ends', started, (it) => Object.assign(it, { isOver: true })],
  ['everything ends', `${started} PAID`, () => {}],
  [
    'late money goes back',
    refused,
    (it) => {
      Object.assign(first(it.money), { state: 'taken', debits: [{ ...sum, at: it.now }] });
    },
  ],
  ['a delivery has a message', succeeded, (it) => it.messages.pop()],
  ['a refund has a message', refunded, (it) => it.messages.pop()],
  [
    'the comparison finds only what differs',
    succeeded,
    (it) => {
      it.differences.push({ what: 'takenNotBooked', gateway: 'wallet', reference: id });
    },
  ],
  ['shown as it is', started, (it) => Object.assign(first(it.shown), { status: 'FAILED' })],
  ['shown as it is', started, (it) => Object.assign(first(it.shown), { money: 'taken' })],
  ['shown as it is', succeeded, (it) => Object.assign(first(it.shown), { money: 'taken' })],
  ['shown as it is', reviewed, (it) => Object.assign(first(it.shown), { money: 'awaitingApproval' }), conflict],
  ['shown as it is', `${started} PAID`, (it) => Object.assign(first(it.shown), { status: 'IN_PROCESS' })],
  ['what was acknowledged is kept', succeeded, (it) => Object.assign(first(it.acknowledged), { amount: 4_999 })],
  ['what was acknowledged is kept', succeeded, (it) => Object.assign(first(it.acknowledged), { payment: 'lost' })],
  ['what was processed is submitted', 'CREATED', (it) => Object.assign(first(it.acknowledged), { wasProcessed: true })],
];

const judged = (...[promise, path, breakIt, taken]: Breach) => {
  const it = story(path, taken);
  // A late debit is checked against a refusal seen in an earlier observation.
  const before = promise === 'late money goes back' ? [story(path)] : [];
  breakIt(it);
  expect(judge(...before, it)).toBe(promise);
};
const aboutMoney = [
  ...['asked what was ordered', 'what was taken goes back', 'what was taken is kept', 'what was taken is booked'],
  ...['booked as it was taken', 'booked as it was delivered', 'booked as it went back'],
];
const ofMoney = breaches.filter(([promise]) => aboutMoney.includes(promise));
const ofReview = breaches.filter(([promise]) => promise === 'REVIEW only with a cause');
const others = breaches.filter((one) => !ofMoney.includes(one) && !ofReview.includes(one));
test.each(ofMoney)('REL-15 the oracle knows amounts and accounts: %s (%s)', judged);
test.each(ofReview)('REL-15 ending in REVIEW without a cause is a fault: %s (%s)', judged);
test.each(others)('%s (%s)', judged);
test('there are breaches of all that is known of amounts and accounts, and of REVIEW without a cause', () => {
  expect(aboutMoney.filter((promise) => !ofMoney.some(([one]) => one === promise))).toEqual([]);
  expect(ofReview.length).toBeGreaterThan(0);
});

/** Combines it with another payment of the same order. */
function beside(one: Story, two: Story): Story {
  const other = { payment: 'payment-2' };
  one.payments.push({ ...paymentOf(two), id: 'payment-2' });
  one.history.push(...two.history.map((change) => ({ ...change, ...other })));
  one.postings.push(...two.postings.map((posting) => ({ ...posting, ...other })));
  one.messages.push(...two.messages.map((message) => ({ ...message, ...other })));
  one.money.push(...two.money.map((money) => ({ ...money, reference: 'payment-2' })));
  one.deliveries.push(...two.deliveries.map((delivery) => ({ ...delivery, reference: 'payment-2' })));
  return one;
}

test('one key is debited once, also where a restore made it two payments', () => {
  const both = (): Story => beside(story(`${started} PAID`), story(`${started} PAID`));
  const judged = (payments: string[]) => {
    const it = both();
    Object.assign(first(it.attempts), { payments });
    const oracle = new Oracle();
    try {
      oracle.observe(it);
      return null;
    } catch (error) {
      return (error as Broken).message.split(':')[0];
    }
  };
  expect(judged([id])).toBeNull();
  expect(judged([id, 'payment-2'])).toBe('one key, one debit');
});

test('while a delivery of an order may be there, nothing is sent for another payment of it', () => {
  const judged = (other: string) => {
    const waiting = story(other);
    // Whatever waits for a person has been tried for a week.
    const review = waiting.history.find((change) => change.to === 'REVIEW');
    if (review) Object.assign(review, { at: review.at + 8 * 24 * hour, reason: 'retriesSpent' });
    if (review) Object.assign(paymentOf(waiting), { changedAt: review.at, reason: 'retriesSpent' });
    const it = beside(story(`${started} PAID FULFILLING`), waiting);
    if (review) Object.assign(it, { now: review.at + minute });
    try {
      new Oracle().observe(it);
      return null;
    } catch (error) {
      return (error as Broken).message.split(':')[0];
    }
  };
  expect(judged(`${started} PAID`)).toBeNull();
  expect(judged(`${started} PAID FULFILLING REFUND_DUE`)).toBeNull();
  expect(judged(`${started} PAID FULFILLING FULFIL_UNKNOWN`)).toBe('one delivery per order');
  expect(judged(`${started} PAID FULFILLING FULFIL_UNKNOWN REVIEW`)).toBe('one delivery per order');
  expect(judged(`${started} PAID FULFILLING REFUND_DUE REFUNDING REFUND_UNKNOWN REVIEW`)).toBeNull();
});

test('what may be there is not asked for again within the lag, unless a person wants it', () => {
  const judged = (apart: number, wantedBy: string | null = null) => {
    const it = story(`${started} PAID FULFILLING REFUND_DUE REFUNDING`);
    const { at } = changeTo(it, 'REFUNDING');
    it.received.push({ kind: 'delivery', reference: id, at: at - second });
    for (const later of [second, second + apart]) it.received.push({ kind: 'refund', reference: id, at: at + later });
    Object.assign(changeTo(it, 'REFUNDING'), { by: wantedBy, at: wantedBy ? at + 2 * second : at });
    Object.assign(it, { now: it.now + hour });
    try {
      new Oracle().observe(it);
      return null;
    } catch (error) {
      return (error as Broken).message.split(':')[0];
    }
  };
  expect(judged(10 * minute)).toBeNull();
  expect(judged(7 * minute)).toBe('maybe there for the lag');
  expect(judged(7 * minute, 'Rina')).toBeNull();
});

test('whoever has paid hears that a person looks at it', () => {
  const it = story(`${started} PAID FULFILLING FULFIL_UNKNOWN REVIEW`);
  // Whatever waits for a person has been tried for a week.
  const review = changeTo(it, 'REVIEW');
  Object.assign(review, { at: review.at + 8 * 24 * hour, reason: 'retriesSpent' });
  Object.assign(paymentOf(it), { changedAt: review.at, reason: 'retriesSpent' });
  Object.assign(it, { now: review.at + minute });
  expect(judge(it)).toBeNull();
  it.messages.pop();
  expect(judge(it)).toBe('money that waits for a person has a message');
});

test('a delivery that a person restarted is not failed because of earlier attempts', () => {
  const again = 'FULFILLING FULFIL_UNKNOWN REVIEW FULFIL_UNKNOWN REVIEW';
  const it = story(`${started} PAID ${again}`);
  // Four days pass before the first REVIEW, a quarter of an hour before the second.
  for (const change of it.history.slice(6)) change.at += 96 * hour;
  for (const change of it.history) if (change.to === 'REVIEW') Object.assign(change, { reason: 'retriesSpent' });
  Object.assign(paymentOf(it), { reason: 'retriesSpent', changedAt: it.history.at(-1)?.at });
  Object.assign(it, { now: it.now + 96 * hour });
  expect(judge(it)).toBe('REVIEW only with a cause');
});

test('a refusal is noticed once nothing goes wrong', () => {
  const { now, ...it } = story(started);
  Object.assign(first(it.money), { state: 'refused' });
  const after = (passed: number): Story => {
    const payments = it.payments.map((payment) => ({ ...payment, dueAt: now + passed }));
    return { ...it, payments, faultsEndedAt: now, now: now + passed };
  };
  expect(judge(after(0), after(hour))).toBeNull();
  expect(judge(after(0), after(3 * hour))).toBe('a refusal is noticed');
});

test('what nobody found for a day never arrived', () => {
  const it = story('CREATED SUBMITTING UNKNOWN FAILED');
  it.money.pop();
  Object.assign(changeTo(it, 'FAILED'), { reason: 'neverArrived', at: changeTo(it, 'SUBMITTING').at + 24 * hour });
  Object.assign(it, { now: it.now + 25 * hour });
  expect(judge(it)).toBeNull();
});

test('an order stays as it was, and its versions grow', () => {
  const other = story(succeeded);
  Object.assign(paymentOf(other), { amount: 5_001 });
  expect(judge(story(started), story(succeeded))).toBeNull();
  expect(judge(story(started), other)).toBe('an order stays as it was');
  expect(judge(story(succeeded), story(started))).toBe('versions only grow');
});

test('only a restore loses what was stored, and never what happened outside', () => {
  const gone: Story = { ...story(succeeded), payments: [], history: [], postings: [], messages: [], acknowledged: [] };
  expect(judge(story(succeeded), gone)).toBe('nothing stored is lost');
  const restores = [{ at: gone.now, backTo: start - hour }];
  const differences = [{ what: 'takenNotBooked', gateway: 'wallet', reference: id }];
  expect(judge(story(succeeded), { ...gone, restores, differences })).toBeNull();
  expect(judge(story(succeeded), { ...gone, restores })).toBe('the comparison finds what differs');
});

test('after a restore no message or delivery is repeated', () => {
  const before = story(succeeded);
  const restores = [{ at: before.now, backTo: start + 46 * minute }];
  const back: Story = {
    ...before,
    ...{ payments: story(`${started} PAID`).payments, history: story(`${started} PAID`).history },
  };
  const { postings, shown } = story(`${started} PAID`);
  Object.assign(back, { postings, shown, messages: [], restores });
  const later = story(succeeded);
  // After the restore, the payment continues and looks up what was done.
  for (const change of later.history.slice(4)) change.at += 2 * hour;
  Object.assign(later, { restores, now: later.now + 3 * hour });
  expect(judge(before, back, { ...later, messages: [] })).toBeNull();
  expect(judge(before, back, later)).toBe('each message once');
  again(later.deliveries);
  expect(judge(before, back, { ...later, messages: [] })).toBe('one delivery');
});

test('after a restore a message may be sent again if a person decided again, and not otherwise', () => {
  const goingBack: SeenMessage = { payment: id, kind: 'goingBack' };
  const before: Story = { ...story(`${reviewed} REFUND_DUE`, conflict), messages: [goingBack] };
  const restores = [{ at: before.now, backTo: before.now - minute }];
  const back: Story = { ...story(reviewed, conflict), now: before.now, restores };
  const later: Story = { ...story(`${reviewed} REFUND_DUE REFUNDING REFUNDED`, conflict), restores };
  for (const change of later.history.slice(reviewed.split(' ').length)) change.at += 2 * hour;
  for (const { refunds } of later.money) for (const refund of refunds) refund.at += 2 * hour;
  later.now += 3 * hour;
  expect(judge(before, back, later)).toBeNull();
  // The same, but the restored backup contains the decision, and only automatic steps followed.
  const decided: Story = { ...before, messages: [], restores };
  const decision = later.history.find((change) => change.by);
  Object.assign(decision ?? {}, { at: before.history.find((change) => change.by)?.at });
  expect(judge(before, decided, later)).toBe('each message once');
});

test('one order is delivered once, by whichever payment', () => {
  const both = (isSecondDelivered: boolean): Story =>
    beside(story(succeeded), story(isSecondDelivered ? succeeded : refused));
  expect(judge(both(false))).toBeNull();
  expect(judge(both(true))).toBe('one delivery per order');
});

describe('two people and credits on top', () => {
  /** A delivered payment with a credit that another person approved. */
  function credited(): Story {
    const it = story(succeeded);
    const payment = paymentOf(it).id;
    const gift = { amount: 700, currency: 'MGA' };
    it.proposals.push({
      ...{ id: 'P1', kind: 'goodwill', payment, amount: gift.amount, state: 'approved' },
      ...{ proposedBy: 'care', approvedBy: 'finance' },
    });
    it.credits.push({ id: 'C1', proposal: 'P1', payment, ...gift, state: 'given', dueAt: null });
    it.goodwill.push({
      ...{ ...gift, system: 'charging', id: 'B9', reference: 'C1', to: 'x', what: 'airtime', payment },
      ...{ at: it.now - second, visibleAt: it.now - second },
    });
    it.postings.push({ payment, kind: 'goodwill', debit: 'costs:goodwill', credit: 'sales:goodwill', ...gift });
    return it;
  }

  test('a credit that was approved by somebody else keeps every promise', () => {
    expect(judge(credited())).toBeNull();
  });

  test.each<[promise: string, breakIt: (it: Story) => void]>([
    ['two people', (it) => Object.assign(first(it.proposals), { approvedBy: 'care' })],
    ['two people', (it) => Object.assign(first(it.proposals), { approvedBy: null })],
    ['what was approved is done', (it) => it.credits.pop()],
    ['what was approved is done', (it) => Object.assign(first(it.proposals), { kind: 'refund' })],
    ['credited as approved', (it) => Object.assign(first(it.proposals), { state: 'open' })],
    ['credited as approved', (it) => Object.assign(first(it.proposals), { amount: 699 })],
    ['credited once', (it) => again(it.goodwill)],
    ['credited only on proof', (it) => it.goodwill.pop()],
    ['refused is not credited', (it) => Object.assign(first(it.credits), { state: 'refused' })],
    ['a credit is booked', (it) => it.postings.pop()],
    ['booked as it was credited', (it) => Object.assign(postingOf(it, 'goodwill'), { amount: 1 })],
  ])('%s', (promise, breakIt) => {
    const it = credited();
    breakIt(it);
    expect(judge(it)).toBe(promise);
  });

  test('what goes back is not credited, and a credit comes to an end', () => {
    const back = story(refunded);
    const { proposals, credits, goodwill } = credited();
    Object.assign(back, { proposals, credits, goodwill });
    expect(judge(back)).toBe('never both credited and refunded');
    const open = credited();
    Object.assign(first(open.credits), { state: 'unknown' });
    open.postings.pop();
    expect(judge({ ...open, isOver: true })).toBe('a credit comes to an end');
    const early = credited();
    first(early.acts).credit = { payment: paymentOf(early).id, state: 'due' };
    expect(judge(early)).toBe('intent before act');
  });
});
