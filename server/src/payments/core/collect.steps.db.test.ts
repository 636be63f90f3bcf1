import { describe, expect, test } from 'vitest';
import type { EnquiryOutcome, StartOutcome } from '../../connectors/ports.ts';
import {
  database,
  live,
  liveUntilDue,
  loseLease,
  paymentsTests,
  processWith,
  waitsOf,
  world,
} from '../../testing/payments-tests.fixture.ts';
import type { Payments, Quote } from '../payments.service.ts';

const hour = 3_600;
const lost = { kind: 'unclear', detail: 'HTTP 500' } as const;
const notFound = { kind: 'notFound' } as const;
const refused = { kind: 'refused', reason: 'declined' } as const;
const paid = { kind: 'paid', providerReference: 'money-1', amount: 5_000, currency: 'XTS' } as const;

paymentsTests();

const enquiries = () => world.gateway.calls.enquire.length;
const found = (answer: () => EnquiryOutcome) => {
  world.gateway.answers.enquire = answer;
};
const evidenceOf = async (id: string) =>
  (await world.payments.evidence(id)).map(({ call, answer, detail }) =>
    [call, answer, detail].filter(Boolean).join(' '),
  );

describe('a payment that its payer has not answered', () => {
  const growing = [10, 10, 20, 40, 80, 160, 320, 600, 600];

  test.each([
    ['pending', { kind: 'pending' }],
    ['not found', notFound],
    ['unclear', lost],
  ] as const)('is enquired about at growing intervals while it is %s', async (_, answer) => {
    found(() => answer);
    const id = await world.submitted();
    expect(await waitsOf(id, growing.length)).toEqual(growing);
    expect(enquiries()).toBe(growing.length);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'AWAITING_PAYER', not_found_answers: 0 });
    expect(world.unclear).toEqual(answer.kind === 'unclear' ? growing.map(() => ['enquire', 'HTTP 500']) : []);
    // Equal answers are stored once.
    expect(await evidenceOf(id)).toEqual([
      'start accepted',
      `enquire ${answer.kind}${answer.kind === 'unclear' ? ' HTTP 500' : ''}`,
    ]);
  });

  test.each([
    ['pending', { kind: 'pending' }],
    ['not found', notFound],
    ['unclear', lost],
  ] as const)('hourly after a day, and after three days a person gets it: %s', async (_, answer) => {
    const id = await world.submitted();
    found(() => answer);
    await live(25 * hour, hour);
    expect(await waitsOf(id, 2)).toEqual([hour, hour]);
    await live(44 * hour, hour);
    expect(await world.stateOf(id)).toBe('AWAITING_PAYER');
    await live(3 * hour, hour);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', reason: 'retriesSpent' });
    expect((await evidenceOf(id)).at(-1)).toMatch(/^enquire /);
  });

  test('three days after it was sent, however long before it was ordered, a person gets it', async () => {
    const id = await world.order();
    world.advance(1_500);
    await world.payments.process(id);
    world.advance(3 * 24 * hour - 1);
    await world.sweep();
    expect(await world.stateOf(id)).toBe('AWAITING_PAYER');
    await liveUntilDue(id);
    expect(await world.stateOf(id)).toBe('REVIEW');
  });

  const closed = { kind: 'notFound', isClosed: true } as const;

  test('that can no longer be answered, and is not there, counts as one that may not have arrived', async () => {
    found(() => closed);
    const id = await world.submitted();
    await waitsOf(id, 1);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'UNKNOWN', not_found_answers: 1, attempts: 1 });
    expect(enquiries()).toBe(1);
    expect(await evidenceOf(id)).toEqual(['start accepted', 'enquire notFound']);
    expect(await waitsOf(id, 2)).toEqual([10, 20]);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'UNKNOWN', not_found_answers: 3, attempts: 3 });
    found(() => notFound);
    await live(23 * hour, 10 * 60);
    expect(await world.stateOf(id)).toBe('UNKNOWN');
    await live(2 * hour, 10 * 60);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason: 'neverArrived' });
    expect(await evidenceOf(id)).toContain('enquire refused neverArrived');
    expect(await world.noticesOf(id)).toEqual(['notTaken']);
  });

  test('for three days, and then can no longer be answered, goes to a person', async () => {
    const id = await world.submitted();
    found(() => closed);
    world.advance(3 * 24 * hour);
    await world.sweep();
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', reason: 'retriesSpent' });
  });

  test('that was not found, and then found to wait, has arrived: later responses of “not found” prove nothing', async () => {
    world.gateway.answers.start = () => lost;
    found(() => notFound);
    const id = await world.submitted();
    await waitsOf(id, 6);
    found(() => ({ kind: 'pending' }));
    await waitsOf(id, 1);
    found(() => notFound);
    await live(26 * hour, hour);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'AWAITING_PAYER', not_found_answers: 6 });
    found(() => closed);
    await liveUntilDue(id);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'UNKNOWN', not_found_answers: 1 });
  });
});

describe('a start without a response', () => {
  test('is enquired about after ten seconds, and the response is evidence', async () => {
    world.gateway.answers.start = () => lost;
    found(() => ({ kind: 'pending' }));
    const id = await world.submitted();
    expect(await world.stateOf(id)).toBe('UNKNOWN');
    expect(world.unclear).toEqual([['start', 'HTTP 500']]);
    expect(await waitsOf(id, 3)).toEqual([10, 10, 20]);
    expect(enquiries()).toBe(3);
    // "Pending" shows that it arrived.
    expect(await world.stateOf(id)).toBe('AWAITING_PAYER');
    expect(await evidenceOf(id)).toEqual(['start accepted', 'start unclear HTTP 500', 'enquire pending'].slice(1));
  });

  test('stays unknown while enquiries are not clear either', async () => {
    world.gateway.answers.start = () => lost;
    found(() => lost);
    const id = await world.submitted();
    expect(await waitsOf(id, 4)).toEqual([10, 10, 20, 40]);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'UNKNOWN', not_found_answers: 0, attempts: 4 });
  });
});

describe('REL-14 late money after a failure', () => {
  /** A payment that its payer refused. */
  async function failed(): Promise<string> {
    found(() => refused);
    const id = await world.submitted();
    await live(10);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason: 'declined' });
    expect((await evidenceOf(id)).at(-1)).toBe('enquire refused declined');
    return id;
  }

  test('is looked for every half an hour, until the provider’s term has passed and its answer is clear', async () => {
    const id = await failed();
    expect(await waitsOf(id, 49)).toEqual(Array(49).fill(1_800));
    found(() => lost);
    expect(await waitsOf(id, 2)).toEqual([1_800, 1_800]);
    found(() => refused);
    await liveUntilDue(id);
    expect((await world.paymentOf(id)).due_at).toBeNull();
    expect(await world.stateOf(id)).toBe('FAILED');
  });

  test('that is found is refunded, and the payer is told', async () => {
    const id = await failed();
    found(() => paid);
    await liveUntilDue(id);
    await live(60);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REFUNDED', reason: 'lateMoney', taken_amount: 5_000 });
    expect(await world.noticesOf(id)).toEqual(['notTaken', 'goingBack', 'givenBack']);
    expect(world.charging.calls.deliver).toEqual([]);
  });

  test('is looked for up to the usual term of 25 hours, and not after it', async () => {
    const id = await failed();
    expect(await waitsOf(id, 50)).toEqual(Array(50).fill(1_800));
    expect((await world.paymentOf(id)).due_at).toBeNull();
    expect(enquiries()).toBe(51);
  });

  test('is looked for after the term until it was not found six times, and is not found then', async () => {
    const id = await failed();
    found(() => notFound);
    await waitsOf(id, 5);
    expect(await world.paymentOf(id)).toMatchObject({ not_found_answers: 5, last_enquiry_at: world.now() });
    found(() => ({ kind: 'pending' }));
    await live(26 * hour, hour);
    found(() => notFound);
    await live(0.5 * hour, 0.5 * hour);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', not_found_answers: 6, due_at: null });
    expect(await evidenceOf(id)).toEqual([
      'start accepted',
      'enquire refused declined',
      'enquire notFound',
      'enquire pending',
      'enquire notFound',
    ]);
  });

  test('that was not found often enough is still looked for while the provider says that it waits', async () => {
    const id = await failed();
    found(() => notFound);
    await waitsOf(id, 6);
    found(() => ({ kind: 'pending' }));
    await live(26 * hour, hour);
    expect((await world.paymentOf(id)).due_at).not.toBeNull();
  });

  test('at a provider that is no longer configured ends with the term', async () => {
    const id = await failed();
    world.gateways.clear();
    expect(await waitsOf(id, 50)).toEqual(Array(50).fill(1_800));
    expect((await world.paymentOf(id)).due_at).toBeNull();
  });

  test('is not looked for if no provider was called', async () => {
    const id = await world.order();
    await live(1_800, 1_800);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason: 'orderExpired', due_at: null });
    await database.db.updateTable('payments').set({ due_at: world.now() }).execute();
    await world.sweep();
    expect((await world.paymentOf(id)).due_at).toBeNull();
    expect(enquiries()).toBe(0);
  });

  test('is not looked for by a process whose lease was taken', async () => {
    const id = await failed();
    const before = enquiries();
    await loseLease(id, 'FAILED', 1_800);
    expect(enquiries()).toBe(before + 1);
  });
});

describe('a request to a provider', () => {
  test('names the order and whom to send the browser back to, and a PIN only where there is one', async () => {
    const id = await world.submitted({ payerMsisdn: '0390000009' as Quote['payerMsisdn'], email: 'payer@example.mg' });
    const { short_reference: shortReference } = await world.paymentOf(id);
    const order = { reference: id, shortReference, amount: 5_000, currency: 'XTS', payerMsisdn: '0390000009' };
    expect(world.gateway.calls.start).toEqual([
      {
        ...order,
        providerReference: null,
        since: world.now(),
        email: 'payer@example.mg',
        language: 'en-GB',
        returnUrl: `https://portal.example/payment/status?id=${id}`,
      },
    ]);
    const since = world.now();
    await liveUntilDue(id);
    expect(world.gateway.calls.enquire).toMatchObject([{ ...order, since }]);
  });

  test.each<[StartOutcome, object]>([
    [{ kind: 'await' }, { provider_reference: null, continuation: null }],
    [
      { kind: 'await', providerReference: 'p-1' },
      { provider_reference: 'p-1', continuation: null },
    ],
    [
      { kind: 'redirect', url: 'https://pay.example/1', providerReference: 'p-2' },
      { provider_reference: 'p-2', continuation: { redirectUrl: 'https://pay.example/1' } },
    ],
  ])('that is accepted waits for the payer: %j', async (outcome, stored) => {
    world.gateway.answers.start = () => outcome;
    const id = await world.submitted();
    const receipt = 'providerReference' in outcome ? outcome.providerReference : null;
    expect(await world.paymentOf(id)).toMatchObject({ state: 'AWAITING_PAYER', ...stored });
    expect(await world.payments.evidence(id)).toMatchObject([{ call: 'start', answer: 'accepted', receipt }]);
    expect(await waitsOf(id, 1)).toEqual([10]);
  });

  test('that is refused fails the payment, and the guards learn why', async () => {
    const told: unknown[] = [];
    const payments = processWith(({ guards }) => ({
      guards: { ...guards, refused: async (_, { id, state }, reason) => void told.push([id, state, reason]) },
    }));
    world.gateway.answers.start = () => ({ kind: 'refused', reason: 'insufficientFunds' });
    const id = await world.order();
    await payments.process(id);
    expect(told).toEqual([[id, 'FAILED', 'insufficientFunds']]);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason: 'insufficientFunds' });
    expect(await evidenceOf(id)).toEqual(['start refused insufficientFunds']);
    expect(await world.noticesOf(id)).toEqual(['notTaken']);
    expect(await waitsOf(id, 1)).toEqual([1_800]);
  });
});

test.each([
  [5_000, 'XTS'],
  [null, null],
])(
  'REL-12 (its statement) money of which %s %s is stated is stored as that, and booked as asked',
  async (amount, currency) => {
    found(() => ({ ...paid, amount, currency }) as EnquiryOutcome);
    const id = await world.submitted();
    await liveUntilDue(id);
    const evidence = (await world.payments.evidence(id)).find(({ answer }) => answer === 'paid');
    expect(evidence).toMatchObject({ call: 'enquire', amount, currency, receipt: 'money-1' });
    expect(await world.paymentOf(id)).toMatchObject({ taken_amount: 5_000, taken_currency: 'XTS' });
  },
);

test('a payment that is found paid starts its delivery anew, and the guards learn the card', async () => {
  const told: unknown[] = [];
  const payments = processWith(({ guards }) => ({
    guards: { ...guards, paid: async (_, { id, state }, card) => void told.push([id, state, card]) },
  }));
  world.gateway.answers.start = () => lost;
  found(() => lost);
  const id = await world.submitted();
  await waitsOf(id, 2);
  found(() => notFound);
  await waitsOf(id, 2);
  expect(await world.paymentOf(id)).toMatchObject({ attempts: 4, not_found_answers: 2 });
  found(() => ({ ...paid, card: 'a card' }));
  world.charging.answers.deliver = () => lost;
  world.advance(80);
  await payments.sweep(100);
  expect(told).toEqual([[id, 'PAID', 'a card']]);
  const taken = { provider_reference: 'money-1', taken_amount: 5_000, taken_currency: 'XTS' };
  expect(await world.paymentOf(id)).toMatchObject({ state: 'FULFIL_UNKNOWN', ...taken, last_enquiry_at: world.now() });
  expect(await waitsOf(id, 3)).toEqual([5, 5, 10]);
});

describe('a payment that was held and that a person released', () => {
  const shown: unknown[] = [];
  let payments: Payments;

  /** One that was released just now. */
  async function released(quote: Partial<Quote> = {}): Promise<string> {
    shown.length = 0;
    payments = processWith(({ guards }) => ({
      guards: { ...guards, submitting: async (_transaction, { id }, code) => void shown.push([id, code]) },
    }));
    const id = await world.order(quote);
    const now = world.now();
    await database.db.updateTable('payments').set({ released_at: now, due_at: now }).where('id', '=', id).execute();
    return id;
  }

  test('is sent, with no payer present to enter a code', async () => {
    const id = await released();
    world.advance(1_800);
    await payments.sweep(100);
    expect(shown).toEqual([[id, undefined]]);
    expect(world.gateway.calls.start.map(({ reference }) => reference)).toEqual([id]);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'AWAITING_PAYER', submitted_at: world.now() });
  });

  test('expires if it is older than an order lives', async () => {
    const id = await released();
    world.advance(1_800.001);
    await payments.sweep(100);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason: 'orderExpired', submitted_at: null });
    expect(await world.noticesOf(id)).toEqual([]);
    expect(world.gateway.calls.start).toEqual([]);
  });

  test.each([
    ['its PIN is needed', { payerProof: 'token' as const }, 'payer'],
    ['its payer is needed on the page of a gateway', {}, 'redirect'],
  ])('is to be paid again if %s', async (_, quote, waitingFor) => {
    Object.assign(world.gateway, { waitingFor });
    const id = await released(quote);
    await payments.sweep(100);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason: 'payAgain', submitted_at: null });
    expect(await world.noticesOf(id)).toEqual(['notTaken']);
    expect(world.gateway.calls.start).toEqual([]);
  });

  test('waits for a person again if its provider is no longer configured', async () => {
    const id = await released();
    world.gateways.clear();
    await payments.sweep(100);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', reason: 'noConnector' });
  });
});

describe('REL-11 (when it is to be paid) an order from before a restore', () => {
  async function ordered(isRepeatRefused = false): Promise<string> {
    if (isRepeatRefused) Object.assign(world.gateway, { refusesRepeats: true });
    const id = await world.order();
    await world.restore();
    return id;
  }
  const starts = () => world.gateway.calls.start.length;

  test.each<[EnquiryOutcome, object, string]>([
    [notFound, { state: 'UNKNOWN', attempts: 1, not_found_answers: 1 }, 'enquire notFound'],
    [lost, { state: 'UNKNOWN', attempts: 1, not_found_answers: 0 }, 'enquire unclear HTTP 500'],
    [{ kind: 'pending' }, { state: 'AWAITING_PAYER', attempts: 1 }, 'enquire pending'],
    [refused, { state: 'FAILED', reason: 'declined' }, 'enquire refused declined'],
  ])('is enquired about and not sent: %j', async (answer, stored, evidence) => {
    found(() => answer);
    const id = await ordered();
    await world.payments.process(id);
    expect(await world.paymentOf(id)).toMatchObject(stored);
    expect(await evidenceOf(id)).toEqual([evidence]);
    expect([enquiries(), starts()]).toEqual([1, 0]);
    expect(await waitsOf(id, 1)).toEqual([answer.kind === 'refused' ? 1_800 : 10]);
  });

  test('that its provider knows is not sent, even if the provider refuses repeats', async () => {
    found(() => ({ kind: 'pending' }));
    await world.payments.process(await ordered(true));
    expect([enquiries(), starts()]).toEqual([1, 0]);
  });

  test('that its provider would refuse to take twice and does not know is sent, and belongs to the new epoch', async () => {
    found(() => notFound);
    const id = await ordered(true);
    const { epoch } = await world.paymentOf(id);
    await world.payments.process(id);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'AWAITING_PAYER', epoch: epoch + 1 });
    expect([enquiries(), starts()]).toEqual([1, 1]);
  });

  test.each([
    ['notReached', 'UNKNOWN', 'start unclear notReached'],
    ['declined', 'FAILED', 'start refused declined'],
  ] as const)('that is sent and refused as %s is %s', async (reason, state, evidence) => {
    found(() => notFound);
    world.gateway.answers.start = () => ({ kind: 'refused', reason });
    const id = await ordered(true);
    await world.payments.process(id);
    expect(await world.stateOf(id)).toBe(state);
    expect(await evidenceOf(id)).toEqual([evidence]);
  });

  test('that nobody pays is enquired about like a request without a response', async () => {
    found(() => lost);
    const id = await ordered();
    const seconds = await liveUntilDue(id);
    expect(seconds).toBe(1_799);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'UNKNOWN', submitted_at: world.now(), attempts: 1 });
    expect(await world.eventsOf(id)).toEqual(['create', 'submit', 'lose']);
    expect([enquiries(), starts()]).toEqual([1, 0]);
  });

  test('is not sent by a process whose lease was taken', async () => {
    found(() => notFound);
    const id = await ordered(true);
    const release = world.holdLeaseChecks('SUBMITTING');
    const suspended = world.payments.process(id);
    await expect.poll(() => world.stateOf(id)).toBe('SUBMITTING');
    world.advance(80);
    await world.anotherProcess().sweep(100);
    release();
    await suspended;
    await world.payments.drain();
    expect(starts()).toBe(0);
    expect(world.leasesLost).toEqual([id]);
    expect(world.failedSteps).toEqual([]);
  });
});
