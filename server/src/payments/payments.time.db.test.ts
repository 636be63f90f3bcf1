import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DeliveryLookup, RefundLookup } from '../connectors/ports.ts';
import { clockOf, databaseClock } from '../db/clock.ts';
import { createEpochs } from '../db/epochs.ts';
import { database, live, paymentsTests, world } from '../testing/payments-tests.fixture.ts';
import { emptyTables, testQuote } from '../testing/payments-world.ts';
import { hanging, inTurn } from '../testing/scripted-providers.ts';
import { ledgerBalances } from './core/ledger.store.ts';

const minute = 60;
const hour = 60 * minute;
const paid = { kind: 'paid', providerReference: 'money-1', amount: 5_000, currency: 'XTS' } as const;
const lost = { kind: 'unclear', detail: 'time-out' } as const;
const refused = { kind: 'refused', detail: 'already settled' } as const;

paymentsTests();

/** A charging system whose history shows a top-up only `lagSeconds` after it was made. */
function laggingCharging(lagSeconds: number): { sent: number[] } {
  const sent: number[] = [];
  world.charging.answers.deliver = () => {
    sent.push(world.now().getTime());
    return sent.length === 1 ? lost : refused;
  };
  world.charging.answers.findDelivery = (): DeliveryLookup =>
    sent.some((at) => world.now().getTime() - at >= lagSeconds * 1000)
      ? { kind: 'delivered', providerReference: 'top-up-1' }
      : { kind: 'notFound' };
  return { sent };
}

describe('a process that is suspended between its commit and its call', () => {
  /** Suspends the process at the fence of the call in `state`, lets another process take over, and resumes it. */
  async function stoppedAt(state: string, seconds: number): Promise<string> {
    // The process is suspended while it waits for the result of the fence query.
    const id = await world.order();
    const release = world.holdLeaseChecks(state);
    const stopped = world.payments.process(id);
    if (state !== 'SUBMITTING') {
      await stopped;
      world.advance(10);
      void world.sweep();
    }
    await expect.poll(() => world.stateOf(id)).toBe(state);
    const other = world.anotherProcess();
    for (let passed = 0; passed < seconds; passed += 10) {
      world.advance(10);
      await other.sweep(100);
    }
    release();
    await world.payments.drain();
    await stopped;
    // It stops in order, not by an error.
    expect(world.failedSteps).toEqual([]);
    return id;
  }

  test('REL-9 (here by a database that answers late; real processes by npm run pauses) sends no start', async () => {
    world.gateway.answers.enquire = () => ({ kind: 'notFound' });
    const id = await stoppedAt('SUBMITTING', 150);
    expect(world.gateway.calls.start).toEqual([]);
    expect(world.leasesLost).toEqual([id]);
    expect(await world.stateOf(id)).toBe('UNKNOWN');
  });

  test('REL-9 (here by a database that answers late; real processes by npm run pauses) sends no delivery', async () => {
    world.gateway.answers.enquire = () => paid;
    const id = await stoppedAt('FULFILLING', 150);
    expect(world.charging.calls.deliver).toEqual([]);
    expect(await world.stateOf(id)).toBe('FULFIL_UNKNOWN');
    await live(hour, minute);
    expect(world.charging.calls.deliver).toHaveLength(1);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
  });

  test('REL-9 (here by a database that answers late; real processes by npm run pauses) asks for no refund', async () => {
    world.gateway.answers.enquire = () => paid;
    world.charging.answers.deliver = () => refused;
    const id = await stoppedAt('REFUNDING', 150);
    expect(world.gateway.calls.refund).toEqual([]);
    await live(hour, minute);
    expect(world.gateway.calls.refund).toHaveLength(1);
    expect(await world.stateOf(id)).toBe('REFUNDED');
  });
});

test('a lease that another process took on the same version is not ours', async () => {
  const id = await world.submitted();
  const release = world.holdLeaseChecks('AWAITING_PAYER');
  world.advance(10);
  const first = world.sweep();
  await expect.poll(async () => (await world.paymentOf(id)).due_at?.getTime()).toBeGreaterThan(world.now().getTime());
  world.advance(80);
  const other = world.anotherProcess();
  await expect
    .poll(() => other.sweep(100))
    .toBe(1)
    .catch(() => {});
  release();
  await first;
  expect(world.gateway.calls.enquire).toHaveLength(1);
  expect(world.leasesLost).toEqual([id]);
});

describe('a system whose history lags', () => {
  beforeEach(() => {
    world.gateway.answers.enquire = () => paid;
  });

  test.each([80, 300, 599])('REL-10 a top-up that shows %i s late is delivered once and not refunded', async (lag) => {
    const { sent } = laggingCharging(lag);
    const id = await world.submitted();
    await live(2 * hour, 20);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(sent).toHaveLength(1);
    expect(world.gateway.calls.refund).toEqual([]);
  });

  test('REL-10 a delivery that is refused after one without a response is looked up again before a refund', async () => {
    // Longer than its configured lag, so that it is sent again and refused as a repeat.
    const { sent } = laggingCharging(15 * minute);
    const id = await world.submitted();
    await live(3 * hour, 20);
    expect(sent).toHaveLength(2);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(world.gateway.calls.refund).toEqual([]);
  });

  test('REL-10 one that is refused and never shows up is refunded once', async () => {
    world.charging.answers.deliver = inTurn<typeof lost | typeof refused>(lost, refused);
    const id = await world.submitted();
    await live(3 * hour, 20);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect(world.gateway.calls.refund).toHaveLength(1);
    expect(world.charging.calls.deliver).toHaveLength(2);
  });

  test.each([30, 300, 599])('REL-10 a refund that shows up %i s late is made once', async (lag) => {
    const sent: number[] = [];
    world.charging.answers.deliver = () => refused;
    world.gateway.answers.refund = () => {
      sent.push(world.now().getTime());
      return lost;
    };
    world.gateway.findRefund = async (): Promise<RefundLookup> => ({
      kind: sent.some((at) => world.now().getTime() - at >= lag * 1000) ? 'refunded' : 'notFound',
    });
    const id = await world.submitted();
    await live(2 * hour, 10);
    expect(sent).toHaveLength(1);
    expect(await world.stateOf(id)).toBe('REFUNDED');
  });

  test('REL-10 a refund that stays unclear goes to REVIEW after a week', async () => {
    world.charging.answers.deliver = () => refused;
    world.gateway.answers.refund = () => lost;
    world.gateway.findRefund = async (): Promise<RefundLookup> => ({ kind: 'unclear', detail: 'no list' });
    const id = await world.submitted();
    await live(6 * 24 * hour, 6 * hour);
    expect(await world.stateOf(id)).toBe('REFUND_UNKNOWN');
    await live(2 * 24 * hour, 6 * hour);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', reason: 'retriesSpent' });
    expect(world.gateway.calls.refund).toHaveLength(1);
  });

  test('REL-12 a refund of another amount than the provider took goes to a person at once, and nothing is sent again', async () => {
    world.charging.answers.deliver = () => refused;
    world.gateway.answers.refund = () => lost;
    const detail = 'another amount was taken than is to go back';
    world.gateway.findRefund = async (): Promise<RefundLookup> => ({ kind: 'unclear', detail, isLasting: true });
    const id = await world.submitted();
    await live(10 * 60, 10);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', reason: 'retriesSpent' });
    expect(await world.payments.evidence(id)).toContainEqual(
      expect.objectContaining({ call: 'findRefund', answer: 'unclear', detail }),
    );
    expect(world.gateway.calls.refund).toHaveLength(1);
  });

  test('REL-10 with a shorter configured lag the wait is shorter', async () => {
    Object.assign(world.charging, { lag: 60 });
    world.charging.answers.deliver = inTurn<typeof lost | { kind: 'delivered'; providerReference: string }>(lost, {
      kind: 'delivered',
      providerReference: 'top-up-2',
    });
    const id = await world.submitted();
    await live(4 * minute, 10);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
  });

  test('a request that was provably not sent needs no wait', async () => {
    world.charging.answers.deliver = inTurn<
      { kind: 'unclear'; detail: string; isUnsent: true } | { kind: 'delivered'; providerReference: string }
    >(
      { kind: 'unclear', detail: 'ECONNREFUSED', isUnsent: true },
      { kind: 'delivered', providerReference: 'top-up-2' },
    );
    const id = await world.submitted();
    await live(2 * minute, 10);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
  });
});

describe('REL-11 (its rules; real recoveries by npm run restores) a payment from before a restore', () => {
  test('REL-11 that was only ordered is enquired about first, and sent only if its provider refuses repeats', async () => {
    const [known, unknown] = [await world.order(), await world.order({ msisdn: '0390000002' })];
    await world.restore();
    world.gateway.answers.enquire = () => ({ kind: 'notFound' });
    await world.payments.process(unknown);
    expect(world.gateway.calls.start).toEqual([]);
    expect(await world.stateOf(unknown)).toBe('UNKNOWN');
    Object.assign(world.gateway, { refusesRepeats: true });
    await world.payments.process(known);
    expect(world.gateway.calls.start.map(({ reference }) => reference)).toEqual([known]);
    expect(await world.stateOf(known)).toBe('AWAITING_PAYER');
  });

  test('REL-11 that a provider which refuses repeats accepts as new is treated as new: delivered at once, and announced', async () => {
    const id = await world.order();
    await world.restore();
    Object.assign(world.gateway, { refusesRepeats: true });
    world.gateway.answers.enquire = () => ({ kind: 'notFound' });
    await world.payments.process(id);
    world.gateway.answers.enquire = () => paid;
    await live(minute, 10);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(world.charging.calls.findDelivery).toEqual([]);
    expect(world.charging.calls.deliver).toHaveLength(1);
    expect(await world.noticesOf(id)).toEqual(['delivered']);
  });

  test('REL-11 that was paid then is found, not sent again, delivered once and not announced again', async () => {
    const id = await world.order();
    await world.restore();
    world.gateway.answers.enquire = () => paid;
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'earlier' });
    await world.payments.process(id);
    await world.payments.drain();
    await live(minute, 10);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(world.gateway.calls.start).toEqual([]);
    expect(world.charging.calls.deliver).toEqual([]);
    expect(await world.noticesOf(id)).toEqual([]);
  });

  test('REL-11 that nobody continues ends as never arrived after a day, not as expired', async () => {
    const id = await world.order();
    await world.restore();
    world.gateway.answers.enquire = () => ({ kind: 'notFound' });
    await live(2 * hour, 600);
    expect(await world.stateOf(id)).toBe('UNKNOWN');
    await live(25 * hour, hour);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason: 'neverArrived' });
  });

  test('REL-11 that was in flight is delivered only after lookups found nothing for the lag of its system', async () => {
    const id = await world.submitted();
    await world.restore();
    world.gateway.answers.enquire = () => paid;
    await live(590, 10);
    expect(await world.stateOf(id)).toBe('FULFIL_UNKNOWN');
    expect(world.charging.calls.findDelivery.length).toBeGreaterThan(2);
    expect(world.charging.calls.deliver).toEqual([]);
    await live(hour, 20);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(world.charging.calls.deliver).toHaveLength(1);
  });

  test('REL-11 a lost order that is retried at a provider which already has it is looked up before it is delivered', async () => {
    world.gateway.answers.start = () => ({ kind: 'unclear', detail: 'known', isRepeated: true });
    world.gateway.answers.enquire = () => paid;
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'earlier' });
    const id = await world.order();
    await world.payments.process(id);
    await live(minute, 10);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(world.charging.calls.deliver).toEqual([]);
    expect(await world.noticesOf(id)).toEqual([]);
  });

  test.each(['its answer is lost', 'it cannot be sent', 'its process dies over it'])(
    'REL-11 that is lost, and comes again, is looked for before it is delivered, also where %s',
    async (how) => {
      await world.restore();
      const isDead = how === 'its process dies over it';
      const hangs = hanging<never>();
      const unclear = () => ({ kind: 'unclear', detail: 'silence' }) as const;
      const unsent = () => ({ kind: 'refused', reason: 'notReached' }) as const;
      world.gateway.answers.start = isDead ? hangs.answer : how === 'it cannot be sent' ? unsent : unclear;
      world.gateway.answers.enquire = () => paid;
      world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'earlier' });
      const id = await world.order();
      const processed = world.payments.process(id);
      if (isDead) await expect.poll(() => world.stateOf(id)).toBe('SUBMITTING');
      else await processed;
      await live(10 * minute, 10);
      await processed;
      expect(await world.stateOf(id)).toBe('SUCCEEDED');
      expect(world.charging.calls.deliver).toEqual([]);
    },
  );

  test('REL-11 that was ordered then and cannot be sent now is not failed: it may have been sent', async () => {
    const id = await world.order();
    await world.restore();
    Object.assign(world.gateway, { refusesRepeats: true });
    world.gateway.answers.enquire = () => ({ kind: 'notFound' });
    world.gateway.answers.start = () => ({ kind: 'refused', reason: 'notReached' });
    await world.payments.process(id);
    expect(await world.stateOf(id)).toBe('UNKNOWN');
    world.gateway.answers.enquire = () => paid;
    await live(hour, 20);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
  });

  test('REL-11 that is lost, and retried, is announced again when it ends', async () => {
    await world.restore();
    world.gateway.answers.start = () => ({ kind: 'unclear', detail: 'silence' });
    world.gateway.answers.enquire = () => ({ kind: 'refused', reason: 'insufficientFunds' });
    const id = await world.submitted();
    await live(minute, 10);
    expect(await world.stateOf(id)).toBe('FAILED');
    expect(await world.noticesOf(id)).toEqual(['notTaken']);
  });

  test('REL-11 that was only ordered is not expired by a process that has not noticed the restore', async () => {
    world.gateway.answers.enquire = () => paid;
    const done = await world.submitted();
    await live(minute, 10);
    expect(await world.stateOf(done)).toBe('SUCCEEDED');
    world.charging.calls.deliver.length = 0;
    const id = await world.order({ msisdn: '0390000002' });
    await sql`update epochs set server = 'another ' || server`.execute(database.db);
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'earlier' });
    await live(hour, 10 * minute);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(world.charging.calls.deliver).toEqual([]);
  });

  test('REL-11 that was only ordered is not expired because its customer started again', async () => {
    const asked = { orderDigest: 'one order', visit: 'browser' };
    const earlier = await world.order(asked);
    await world.restore();
    world.gateway.answers.enquire = () => ({ kind: 'pending' });
    await world.payments.process(await world.order(asked));
    expect(await world.stateOf(earlier)).toBe('CREATED');
    await live(hour, 10 * minute);
    expect(await world.stateOf(earlier)).toBe('AWAITING_PAYER');
  });

  test('REL-11 that was refused then is not announced again', async () => {
    const id = await world.submitted();
    await world.restore();
    world.gateway.answers.enquire = () => ({ kind: 'refused', reason: 'declined' });
    await live(minute, 10);
    expect(await world.stateOf(id)).toBe('FAILED');
    expect(await world.noticesOf(id)).toEqual([]);
  });

  test('REL-11 that was refunded then is not delivered, and not announced again', async () => {
    const id = await world.submitted();
    await world.restore();
    world.gateway.answers.enquire = () => paid;
    world.gateway.findRefund = async () => ({ kind: 'refunded' });
    await live(2 * hour, 60);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect(await world.payments.evidence(id)).toContainEqual(
      expect.objectContaining({ call: 'deliver', answer: 'refused', detail: 'not there, and given back before' }),
    );
    expect(await world.noticesOf(id)).toEqual([]);
    expect(world.charging.calls.deliver).toEqual([]);
    expect(world.gateway.calls.refund).toEqual([]);
  });

  test('REL-11 that may have been refunded then is enquired about again, if the provider has no refund lookup', async () => {
    const id = await world.submitted();
    await world.restore();
    world.gateway.answers.enquire = () => paid;
    await live(minute, 10);
    expect(await world.stateOf(id)).toBe('FULFIL_UNKNOWN');
    world.gateway.answers.enquire = () => ({ kind: 'unclear', detail: 'HTTP 500' });
    await live(2 * hour, minute);
    expect(await world.stateOf(id)).toBe('FULFIL_UNKNOWN');
    expect(world.charging.calls.deliver).toEqual([]);
    world.gateway.answers.enquire = () => paid;
    await live(hour, minute);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(world.charging.calls.deliver).toHaveLength(1);
  });

  test('REL-11 that was only ordered is not expired because another attempt of the order was paid', async () => {
    const asked = { orderDigest: 'one order', visit: 'browser' };
    const other = await world.order(asked);
    const id = await world.order({ ...asked, visit: 'another browser' });
    await world.payments.process(other);
    world.gateway.answers.enquire = () => paid;
    await live(20, 10);
    expect(await world.stateOf(other)).toBe('SUCCEEDED');
    await world.restore();
    await expect(world.payments.process(id)).rejects.toMatchObject({ kind: 'orderPaid' });
    expect(await world.stateOf(id)).toBe('CREATED');
  });

  test('REL-11 that was delivered since, with its response lost, is announced', async () => {
    const id = await world.submitted();
    await world.restore();
    world.gateway.answers.enquire = () => paid;
    world.charging.answers.deliver = () => ({ kind: 'unclear', detail: 'silence' });
    await live(hour, 20);
    expect(world.charging.calls.deliver.length).toBeGreaterThan(0);
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'since' });
    await live(hour, 20);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(await world.noticesOf(id)).toEqual(['delivered']);
  });

  test('REL-11 whose refund was due is looked up before the refund is sent', async () => {
    world.gateway.answers.enquire = () => paid;
    world.charging.answers.deliver = () => refused;
    world.gateway.answers.refund = hanging<never>().answer;
    const id = await world.submitted();
    world.advance(10);
    void world.sweep();
    await expect.poll(() => world.stateOf(id)).toBe('REFUNDING');
    await sql`update payments set state = 'REFUND_DUE', refund_sent_at = null, due_at = ${world.now()}`.execute(
      database.db,
    );
    await world.restore();
    world.gateway.calls.refund.length = 0;
    world.gateway.findRefund = async () => ({ kind: 'refunded' });
    await live(minute, 10);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect(world.gateway.calls.refund).toEqual([]);
  });

  test('REL-11 in REVIEW cannot be refunded by a person if it was delivered then', async () => {
    const id = await world.submitted();
    await live(73 * hour, hour);
    expect(await world.stateOf(id)).toBe('REVIEW');
    world.gateway.answers.enquire = () => paid;
    await world.payments.ask(id);
    await world.restore();
    const giveBack = () => world.payments.decide(id, { as: 'giveBack', by: 'Hanta', note: 'nothing was sent' });
    world.charging.answers.findDelivery = () => ({ kind: 'notFound' });
    await expect(giveBack()).rejects.toThrow('cannot be told now');
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'earlier' });
    await expect(giveBack()).rejects.toThrow('It was delivered');
    world.charging.answers.findDelivery = () => ({ kind: 'notFound' });
    world.advance(hour);
    await giveBack();
    await live(hour, 10 * minute);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    // What a person decided since is new.
    expect(await world.noticesOf(id)).toEqual(['goingBack']);
  });

  test('REL-11 that was final stays as it is', async () => {
    const id = await world.submitted();
    world.gateway.answers.enquire = () => paid;
    await live(20, 10);
    await world.restore();
    await live(hour, 10 * minute);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'SUCCEEDED', due_at: null });
  });

  test('REL-11 a process that has not noticed the restore sends nothing either: the fence before each call notices', async () => {
    await world.submitted();
    const id = await world.order();
    await sql`update epochs set server = 'another ' || server`.execute(database.db);
    await world.payments.process(id);
    expect(world.gateway.calls.start.map(({ reference }) => reference)).not.toContain(id);
    expect(world.leasesLost).toEqual([id]);
  });

  test('REL-11 an order made before any process noticed belongs to the new epoch, and proceeds as usual', async () => {
    await world.submitted();
    await sql`update epochs set server = 'another ' || server`.execute(database.db);
    const id = await world.submitted();
    expect(world.leasesLost).toEqual([]);
    expect(world.gateway.calls.start.at(-1)?.reference).toBe(id);
  });

  test('REL-11 a lost order gets the same reference when its attempt is retried', async () => {
    const attempt = { key: 'visit:key', body: { amount: 5_000 } };
    const first = await world.payments.initiate(testQuote, attempt);
    await emptyTables(database.db);
    expect(await world.payments.initiate(testQuote, attempt)).toEqual(first);
    const other = await world.payments.initiate(testQuote, { key: 'visit:key-2', body: attempt.body });
    expect(other.id).not.toBe(first.id);
  });
});

describe('an epoch', () => {
  const began: boolean[] = [];
  let at = Date.parse('2026-03-02T08:00:00Z');
  const epochs = () =>
    createEpochs(
      database.db,
      clockOf(() => new Date(at)),
      async (_transaction, { isRestored }) => void began.push(isRestored),
    );
  /** The same server as now, except for the given parts. */
  const wasOn = (from: string, to: string) =>
    sql`update epochs set server = regexp_replace(portal_server(), ${from}, ${to}), seen_at = ${new Date(at)}`.execute(
      database.db,
    );

  beforeEach(() => {
    began.length = 0;
  });

  test('REL-11 continues while the server is the same', async () => {
    const one = await epochs().check();
    expect((await epochs().check()).number).toBe(one.number);
    expect(began.slice(1)).toEqual([]);
  });

  test.each([
    ['the timeline', '^(\\S+) \\S+', '\\1 00000000', true],
    ['the cluster', '^\\S+', '1', true],
    ['the database', '^(\\S+ \\S+) \\S+', '\\1 1', true],
    ['the table', '^(\\S+ \\S+ \\S+) \\S+', '\\1 1', true],
    ['nothing but the start of the server', '\\S+$', '1.5', false],
  ])('REL-11 ends if %s differs', async (_what, from, to, isRestored) => {
    const { number } = await epochs().check();
    began.length = 0;
    await wasOn(from, to);
    const both = await Promise.all([epochs().check(), epochs().check()]);
    expect(both.map((epoch) => epoch.number)).toEqual([number + 1, number + 1]);
    expect(began).toEqual([isRestored]);
  });

  test('REL-11 a server restarted after a gap may run on a copied disk', async () => {
    await epochs().check();
    began.length = 0;
    await wasOn('\\S+$', '1.5');
    at += 301_000;
    expect((await epochs().check()).isRestored).toBe(true);
  });
});

describe('REL-12 money that differs', () => {
  test('REL-12 is stored as evidence and posted as taken; it cannot be settled as not taken, and this amount is refunded', async () => {
    world.gateway.answers.enquire = () => ({ ...paid, amount: 4_000 });
    const id = await world.submitted();
    world.advance(10);
    await world.sweep();
    expect(await world.paymentOf(id)).toMatchObject({
      state: 'REVIEW',
      reason: 'amountConflict',
      taken_amount: 4_000,
      taken_currency: 'XTS',
      provider_reference: 'money-1',
    });
    expect(await world.payments.evidence(id)).toEqual([
      expect.objectContaining({ call: 'start', answer: 'accepted' }),
      expect.objectContaining({ call: 'enquire', answer: 'paid', amount: 4_000, currency: 'XTS', receipt: 'money-1' }),
    ]);
    expect(await ledgerBalances(database.db)).toEqual([
      { account: 'customers:conflict', currency: 'XTS', balance: -4_000 },
      { account: 'provider:wallet', currency: 'XTS', balance: 4_000 },
    ]);
    const by = { by: 'Rina', note: 'as the list says' };
    await expect(world.payments.decide(id, { as: 'notTaken', ...by })).rejects.toThrow('was taken');
    await expect(world.payments.decide(id, { as: 'deliver', ...by })).rejects.toThrow('Another amount');
    await world.payments.decide(id, { as: 'giveBack', ...by });
    await live(minute, 10);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect(world.gateway.calls.refund).toEqual([expect.objectContaining({ amount: 4_000, currency: 'XTS' })]);
    expect((await ledgerBalances(database.db)).every(({ balance }) => balance === 0)).toBe(true);
  });

  test('REL-12 an amount that the provider did not state is posted as asked, and not stored as its statement', async () => {
    world.gateway.answers.enquire = () => ({ ...paid, amount: null, currency: null });
    const id = await world.submitted();
    await live(minute, 10);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'SUCCEEDED', taken_amount: 5_000 });
    expect(await world.payments.evidence(id)).toContainEqual(
      expect.objectContaining({ call: 'enquire', answer: 'paid', amount: null, currency: null, receipt: 'money-1' }),
    );
  });

  test('REL-12 a response without news is not stored twice', async () => {
    world.gateway.answers.enquire = () => ({ kind: 'unclear', detail: 'HTTP 500' });
    const id = await world.submitted();
    await live(hour, minute);
    expect(world.gateway.calls.enquire.length).toBeGreaterThan(5);
    expect((await world.payments.evidence(id)).filter(({ call }) => call === 'enquire')).toHaveLength(1);
  });
});

describe('a person can act', () => {
  const by = { by: 'Rina', note: 'asked the provider' };

  async function silentFor72Hours(): Promise<string> {
    world.gateway.answers.enquire = () => ({ kind: 'unclear', detail: 'TA' });
    const id = await world.submitted();
    await live(75 * hour, hour);
    expect(await world.stateOf(id)).toBe('REVIEW');
    return id;
  }

  test('an enquiry stores and posts what the provider states, and changes no state; then delivery can be resumed', async () => {
    const id = await silentFor72Hours();
    await expect(world.payments.decide(id, { as: 'deliver', ...by })).rejects.toThrow('ask it first');
    world.gateway.answers.enquire = () => paid;
    const stated = await world.payments.ask(id);
    expect(stated.at(-1)).toMatchObject({ answer: 'paid', amount: 5_000, receipt: 'money-1' });
    expect(await world.stateOf(id)).toBe('REVIEW');
    expect(await world.postingsOf(id)).toEqual(['paid']);
    await world.payments.ask(id);
    await world.payments.decide(id, { as: 'deliver', ...by });
    await live(10 * minute, 20);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(world.charging.calls.deliver).toHaveLength(1);
    expect((await world.postingsOf(id)).sort()).toEqual(['delivered', 'paid']);
  });

  test('a payer who was told of the refund is not told again when a person has to order it', async () => {
    world.gateway.answers.enquire = () => paid;
    world.charging.answers.deliver = () => refused;
    world.gateway.answers.refund = () => ({ kind: 'unclear', detail: 'HTTP 500' });
    const id = await world.submitted();
    await live(20, 10);
    // As after its last attempt.
    await sql`update payments set attempts = 17`.execute(database.db);
    await live(3 * 24 * hour, 12 * hour);
    expect(await world.stateOf(id)).toBe('REVIEW');
    world.gateway.answers.refund = () => ({ kind: 'refunded' });
    await world.payments.decide(id, { as: 'giveBack', ...by });
    await live(hour, 10 * minute);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect(await world.noticesOf(id)).toEqual(['goingBack', 'givenBack']);
  });

  test('a refund is preceded by a lookup: a payment that was or may have been delivered is not refunded', async () => {
    world.gateway.answers.enquire = () => paid;
    world.charging.answers.deliver = () => lost;
    world.charging.answers.findDelivery = () => ({ kind: 'unclear', detail: 'HTTP 500' });
    const id = await world.submitted();
    await live(75 * hour, hour);
    expect(await world.stateOf(id)).toBe('REVIEW');
    const giveBack = () => world.payments.decide(id, { as: 'giveBack', ...by });
    await expect(giveBack()).rejects.toThrow('cannot be told now');
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'top-up-1' });
    await expect(giveBack()).rejects.toThrow('It was delivered');
    world.charging.answers.findDelivery = () => ({ kind: 'notFound' });
    await giveBack();
    await live(minute, 10);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect(world.gateway.calls.refund).toHaveLength(1);
  });

  test('late money is still looked for after a person settled it as not taken, and refunded', async () => {
    const id = await silentFor72Hours();
    await world.payments.decide(id, { as: 'notTaken', ...by });
    expect(await world.stateOf(id)).toBe('FAILED');
    world.gateway.answers.enquire = () => paid;
    await live(hour, 10 * minute);
    expect(await world.stateOf(id)).toBe('REFUNDED');
  });
});

describe('the clocks of processes', () => {
  test('REL-13 the time is the database’s, advanced by a monotonic clock', async () => {
    const realNow = Date.now;
    const before = await sql<{ now: Date }>`select portal_now() as now`.execute(database.db);
    const clock = await databaseClock(database.db);
    try {
      Date.now = () => realNow() + 24 * hour * 1000;
      const shown = clock.now().getTime();
      await clock.read();
      const after = await sql<{ now: Date }>`select portal_now() as now`.execute(database.db);
      // The embedded database has one process, so the portal's clock is the database's.
      if (database.kind === 'postgresql') {
        expect(shown).toBeGreaterThanOrEqual((before.rows[0]?.now.getTime() ?? 0) - 1_000);
        expect(clock.now().getTime()).toBeLessThanOrEqual((after.rows[0]?.now.getTime() ?? 0) + 60_000);
      } else expect(clock.now().getTime() - (after.rows[0]?.now.getTime() ?? 0)).toBeLessThan(60_000);
    } finally {
      Date.now = realNow;
    }
  });
});

describe('REL-14 late money', () => {
  beforeEach(() => {
    world.gateway.answers.enquire = () => ({ kind: 'refused', reason: 'expired' });
  });

  test('REL-14 an unclear response after the term does not end the search', async () => {
    const id = await world.submitted();
    await live(24 * hour, hour);
    world.gateway.answers.enquire = () => ({ kind: 'unclear', detail: 'HTTP 500' });
    await live(5 * hour, hour);
    expect((await world.paymentOf(id)).due_at).not.toBeNull();
    world.gateway.answers.enquire = () => paid;
    await live(hour, 10 * minute);
    expect(await world.stateOf(id)).toBe('REFUNDED');
  });

  test('REL-14 one "not found" after the term does not end the search either', async () => {
    const id = await world.submitted();
    await live(24 * hour, hour);
    world.gateway.answers.enquire = () => ({ kind: 'notFound' });
    await live(2 * hour, hour);
    world.gateway.answers.enquire = () => paid;
    await live(hour, 10 * minute);
    expect(await world.stateOf(id)).toBe('REFUNDED');
  });

  test('REL-14 it is looked for during the provider’s own term', async () => {
    Object.assign(world.gateway, { lateMoneyTerm: 72 * hour });
    const id = await world.submitted();
    await live(71 * hour, hour);
    world.gateway.answers.enquire = () => paid;
    await live(hour, 10 * minute);
    expect(await world.stateOf(id)).toBe('REFUNDED');
  });

  test('REL-14 a crash during an enquiry leaves it due again', async () => {
    const id = await world.submitted();
    world.advance(10);
    await world.sweep();
    expect(await world.stateOf(id)).toBe('FAILED');
    world.gateway.answers.enquire = hanging<never>().answer;
    world.advance(26 * hour);
    void world.sweep();
    await expect.poll(() => world.gateway.calls.enquire.length).toBe(2);
    world.gateway.answers.enquire = () => paid;
    world.advance(80);
    await world.anotherProcess().sweep(100);
    expect(await world.stateOf(id)).toBe('REFUNDED');
  });
});

describe('a gateway that was removed from the settings', () => {
  test('its payments go to REVIEW at once, and cause no more errors', async () => {
    const awaiting = await world.submitted();
    world.gateway.answers.start = () => lost;
    const unknown = await world.submitted();
    world.gateway.answers.start = () => ({ kind: 'await' });
    world.charging.answers.deliver = () => refused;
    world.gateway.answers.enquire = () => paid;
    world.gateway.answers.refund = () => lost;
    const goingBack = await world.submitted();
    await database.db.updateTable('payments').set({ due_at: null }).where('id', '!=', goingBack).execute();
    world.advance(10);
    await world.sweep();
    expect(await world.stateOf(goingBack)).toBe('REFUND_UNKNOWN');
    await database.db.updateTable('payments').set({ due_at: world.now() }).execute();
    world.gateways.delete('wallet');
    await world.sweep();
    for (const id of [awaiting, unknown, goingBack])
      expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', reason: 'noConnector', due_at: null });
    expect(world.failedSteps).toEqual([]);
  });
});

test('REL-18 a provider that hangs does not slow the others', async () => {
  const slow = hanging<never>();
  const fast = await world.submitted();
  await database.db.updateTable('payments').set({ gateway: 'other' }).where('id', '=', fast).execute();
  world.gateways.set('other', { ...world.gateway, name: 'other', enquire: async () => paid });
  const stuck = await Promise.all(Array.from({ length: 110 }, () => world.submitted()));
  world.gateway.answers.enquire = slow.answer;
  await database.db.updateTable('payments').set({ due_at: world.now() }).where('id', 'in', stuck).execute();
  world.advance(5);
  await world.payments.sweepOn();
  await world.payments.sweepOn();
  await expect.poll(() => world.gateway.calls.enquire.length).toBe(100);
  world.advance(5);
  await world.payments.sweepOn();
  await expect.poll(() => world.stateOf(fast)).toBe('SUCCEEDED');
  expect(world.gateway.calls.enquire).toHaveLength(100);
});
