import { beforeEach, describe, expect, test } from 'vitest';
import type { RefundLookup, RefundOutcome } from '../../connectors/ports.ts';
import { live, liveUntilDue, loseLease, paymentsTests, waitsOf, world } from '../../testing/payments-tests.fixture.ts';
import { inTurn } from '../../testing/scripted-providers.ts';

const hour = 3_600;
const paid = { kind: 'paid', providerReference: 'money-1', amount: 5_000, currency: 'XTS' } as const;
const lost = { kind: 'unclear', detail: 'time-out' } as const;
const unsent = { kind: 'unclear', detail: 'ECONNREFUSED', isUnsent: true } as const;
const notFound = { kind: 'notFound' } as const;

paymentsTests();

let looks = 0;

beforeEach(() => {
  looks = 0;
  world.gateway.answers.enquire = () => paid;
  world.charging.answers.deliver = () => ({ kind: 'refused', detail: 'no' });
});

const sent = () => world.gateway.calls.refund.length;

/** The provider's own list of refunds. */
function lookups(answer: () => RefundLookup): void {
  world.gateway.findRefund = async () => {
    looks += 1;
    return answer();
  };
}

/** A payment whose delivery was refused and whose refund was just sent. */
async function refunding(...outcomes: [RefundOutcome, ...RefundOutcome[]]): Promise<string> {
  world.gateway.answers.refund = inTurn<RefundOutcome>(...outcomes);
  const id = await world.submitted();
  await live(10);
  expect(sent()).toBe(1);
  return id;
}

describe('REL-10 a refund without a response, at a provider that lists its refunds', () => {
  test('is looked up at growing intervals, and sent again only once three lookups and the lag found nothing', async () => {
    lookups(() => notFound);
    const id = await refunding(lost, { kind: 'refunded' });
    expect(await waitsOf(id, 5)).toEqual([10, 20, 40, 80, 160]);
    expect([looks, sent()]).toEqual([5, 1]);
    expect(await waitsOf(id, 1)).toEqual([320]);
    expect([looks, sent()]).toEqual([6, 2]);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect(await world.payments.evidence(id)).toMatchObject([
      { call: 'start', answer: 'accepted' },
      { call: 'enquire', answer: 'paid' },
      { call: 'deliver', answer: 'refused' },
      { call: 'refund', answer: 'unclear', detail: 'time-out' },
      { call: 'findRefund', answer: 'notFound' },
      { call: 'refund', answer: 'refunded' },
    ]);
    expect(world.unclear).toEqual([['refund', 'time-out']]);
  });

  test('waits longer with each attempt, and not less than the lag', async () => {
    lookups(() => notFound);
    const id = await refunding(lost);
    const gaps: number[] = [];
    for (let gap = 0; gaps.length < 6; ) {
      const before = sent();
      gap += await liveUntilDue(id);
      if (sent() === before) continue;
      gaps.push(gap);
      gap = 0;
    }
    // The fifth and sixth wait for the backoff of refunds, of 810 and 2,430 s, and for the lookup after it.
    expect(gaps).toEqual([630, 630, 630, 630, 1_230, 2_430]);
  });

  test('is looked up less and less often while the lookups fail too, and not sent again', async () => {
    lookups(() => ({ kind: 'unclear', detail: 'HTTP 500' }));
    const id = await refunding(lost);
    expect(await waitsOf(id, 9)).toEqual([10, 10, 20, 40, 80, 160, 320, 600, 600]);
    expect([looks, sent()]).toEqual([9, 1]);
    expect(world.unclear.slice(0, 2)).toEqual([
      ['refund', 'time-out'],
      ['find refund', 'HTTP 500'],
    ]);
    // Failed lookups do not count as three that found nothing.
    lookups(() => notFound);
    await waitsOf(id, 2);
    expect(sent()).toBe(1);
    await waitsOf(id, 1);
    expect(sent()).toBe(2);
  });

  test('that is found is not sent again', async () => {
    lookups(() => ({ kind: 'refunded' }));
    const id = await refunding(lost);
    expect(await waitsOf(id, 1)).toEqual([10]);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect(sent()).toBe(1);
    expect(await world.payments.evidence(id)).toContainEqual(
      expect.objectContaining({ call: 'findRefund', answer: 'refunded' }),
    );
    expect(world.unclear).toEqual([['refund', 'time-out']]);
  });

  test('is not looked up by a process whose lease was taken', async () => {
    lookups(() => ({ kind: 'refunded' }));
    const id = await refunding(lost);
    await loseLease(id, 'REFUND_UNKNOWN', 10);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect(looks).toBe(1);
  });
});

describe('REL-10 a refund without a response, at a provider that lists none', () => {
  test('is sent again after the lag, and later after the backoff of refunds', async () => {
    const id = await refunding(lost);
    expect(await waitsOf(id, 2)).toEqual([10, 590]);
    expect(sent()).toBe(2);
    expect(await waitsOf(id, 6)).toEqual([30, 570, 90, 510, 270, 330]);
    expect(sent()).toBe(5);
    expect(await waitsOf(id, 2)).toEqual([810, 2_430]);
    expect(sent()).toBe(7);
  });
});

describe('REL-10 a refund that was provably not sent', () => {
  test('is sent again after its backoff, without a lookup', async () => {
    lookups(() => notFound);
    const id = await refunding(unsent, unsent, { kind: 'refunded' });
    expect(await waitsOf(id, 2)).toEqual([10, 30]);
    expect([looks, sent()]).toEqual([0, 3]);
    expect(await world.stateOf(id)).toBe('REFUNDED');
  });

  test('after one that may have been is looked up as that one', async () => {
    lookups(() => notFound);
    const id = await refunding(lost, unsent, { kind: 'refunded' });
    await waitsOf(id, 6);
    expect([looks, sent()]).toEqual([6, 2]);
    // Looked up three more times before it is sent again.
    await waitsOf(id, 2);
    expect(sent()).toBe(2);
    await live(hour, 60);
    expect([looks, sent()]).toEqual([9, 3]);
    expect(await world.stateOf(id)).toBe('REFUNDED');
  });
});

describe('REL-10 a refund that a person orders', () => {
  const decide = (id: string) => world.payments.decide(id, { as: 'giveBack', by: 'Rina', note: 'the payer asks' });

  /** A payment whose refund was sent, and of which its provider told nothing for a week. */
  async function stuck(...outcomes: [RefundOutcome, ...RefundOutcome[]]): Promise<string> {
    const id = await refunding(...outcomes);
    await live(7 * 24 * hour, hour);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', reason: 'retriesSpent' });
    looks = 0;
    return id;
  }

  test('after one that may have arrived is looked up first, and not sent if it is there', async () => {
    lookups(() => lost);
    const id = await stuck(lost, { kind: 'refunded' });
    lookups(() => ({ kind: 'refunded' }));
    await decide(id);
    await live(20);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect([looks, sent()]).toEqual([1, 1]);
  });

  test('is sent once three lookups did not find it', async () => {
    lookups(() => lost);
    const id = await stuck(lost, { kind: 'refunded' });
    lookups(() => notFound);
    await decide(id);
    await live(50);
    expect([looks, sent()]).toEqual([2, 1]);
    await live(50);
    expect([looks, sent()]).toEqual([3, 2]);
    expect(await world.stateOf(id)).toBe('REFUNDED');
  });

  test('is sent at once if none was sent before', async () => {
    lookups(() => notFound);
    world.gateway.answers.enquire = () => ({ ...paid, amount: 4_000 });
    const id = await world.submitted();
    await live(10);
    await decide(id);
    await live(10);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect([looks, sent()]).toEqual([0, 1]);
  });
});
