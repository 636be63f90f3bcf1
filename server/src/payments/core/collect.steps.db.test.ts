import { describe, expect, test } from 'vitest';
import type { EnquiryOutcome } from '../../connectors/ports.ts';
import { live, liveUntilDue, loseLease, paymentsTests, waitsOf, world } from '../../testing/payments-tests.fixture.ts';

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
    expect(await world.stateOf(id)).toBe('AWAITING_PAYER');
    expect(world.unclear).toHaveLength(answer.kind === 'unclear' ? growing.length : 0);
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

  test('that can no longer be answered, and is not there, counts as one that may not have arrived', async () => {
    found(() => ({ kind: 'notFound', isClosed: true }));
    const id = await world.submitted();
    await waitsOf(id, 1);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'UNKNOWN', not_found_answers: 1, attempts: 1 });
    found(() => notFound);
    await live(23 * hour, 10 * 60);
    expect(await world.stateOf(id)).toBe('UNKNOWN');
    await live(2 * hour, 10 * 60);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason: 'neverArrived' });
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

  test('is not looked for by a process whose lease was taken', async () => {
    const id = await failed();
    const before = enquiries();
    await loseLease(id, 'FAILED', 1_800);
    expect(enquiries()).toBe(before + 1);
  });
});
