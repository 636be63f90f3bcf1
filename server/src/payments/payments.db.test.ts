import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { EnquiryOutcome } from '../connectors/ports.ts';
import { database, live, paymentsTests, world } from '../testing/payments-tests.fixture.ts';
import { paymentsWorld, testQuote } from '../testing/payments-world.ts';
import { hanging, inTurn } from '../testing/scripted-providers.ts';
import { watchedDatabase } from '../testing/watched-database.ts';
import { ledgerBalances } from './core/ledger.store.ts';

const hour = 3_600;
const paid = { kind: 'paid', providerReference: 'money-1', amount: 5_000, currency: 'XTS' } as const;

paymentsTests();

describe('the happy path', () => {
  test('an order is paid, delivered and announced: history, ledger, delivery and message', async () => {
    const id = await world.submitted();
    expect(await world.stateOf(id)).toBe('AWAITING_PAYER');
    world.gateway.answers.enquire = () => paid;
    world.advance(10);
    await world.sweep();

    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(await world.eventsOf(id)).toEqual(['create', 'submit', 'accept', 'pay', 'fulfil', 'deliver']);
    expect((await world.postingsOf(id)).sort()).toEqual(['delivered', 'paid']);
    expect(await world.noticesOf(id)).toEqual(['delivered']);
    expect(await ledgerBalances(database.db)).toEqual([
      { account: 'customers:owed', currency: 'XTS', balance: 0 },
      { account: 'provider:wallet', currency: 'XTS', balance: 5_000 },
      { account: 'sales:PREPAID_RECHARGE', currency: 'XTS', balance: -5_000 },
    ]);
    const delivery = await database.db.selectFrom('deliveries').selectAll().execute();
    expect(delivery).toEqual([
      expect.objectContaining({ payment_id: id, reference: id, attempts: 1, provider_reference: 'delivery-1' }),
    ]);
    expect(delivery[0]?.delivered_at).toEqual(world.now());
    expect(world.charging.calls.deliver).toEqual([
      { reference: id, msisdn: '0390000001', amount: 5_000, currency: 'XTS', item: { kind: 'airtime' } },
    ]);
  });

  test('each history row starts from the state in which the previous one ended, and each is reported to log and metrics', async () => {
    const id = await world.submitted();
    world.gateway.answers.enquire = () => paid;
    world.advance(10);
    await world.sweep();
    const rows = await database.db
      .selectFrom('payment_history')
      .selectAll()
      .where('payment_id', '=', id)
      .orderBy('version')
      .execute();
    expect(rows.map((row) => row.version)).toEqual([0, 1, 2, 3, 4, 5]);
    rows.forEach((row, index) => {
      expect(row.from_state).toBe(rows[index - 1]?.to_state ?? null);
    });
    expect(world.moves).toEqual(rows.slice(1).map((row) => [row.from_state, row.to_state, row.event]));
  });

  test('a final payment is never processed again', async () => {
    const id = await world.submitted();
    world.gateway.answers.enquire = () => paid;
    world.advance(10);
    await world.sweep();
    const asked = world.gateway.calls.enquire.length;
    await live(30 * hour, hour);
    expect(world.gateway.calls.enquire.length).toBe(asked);
    expect((await world.paymentOf(id)).due_at).toBeNull();
  });

  test('the provider gets the reference that was fixed with the order, and the number that pays', async () => {
    const id = await world.order({ payerMsisdn: '0390000005' });
    await world.payments.process(id);
    const [charge] = world.gateway.calls.start;
    expect(charge).toMatchObject({ reference: id, amount: 5_000, currency: 'XTS', payerMsisdn: '0390000005' });
    expect(charge?.shortReference).toMatch(/^[a-z0-9]{12}$/);
    expect(id).toMatch(/^[a-z0-9]{26}$/);
  });
});

test('state, ledger and message are one transaction: if a part fails, nothing is stored', async () => {
  const id = await world.submitted();
  world.gateway.answers.enquire = () => paid;
  await sql`create function test_refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(
    database.db,
  );
  await sql`create trigger test_refuse before update on deliveries for each row execute function test_refuse()`.execute(
    database.db,
  );
  world.advance(10);
  await world.sweep();
  expect(world.failedSteps).toHaveLength(1);
  expect(await world.stateOf(id)).toBe('FULFILLING');
  expect(await world.postingsOf(id)).toEqual(['paid']);
  expect(await world.noticesOf(id)).toEqual([]);

  await sql`drop trigger test_refuse on deliveries`.execute(database.db);
  await sql`drop function test_refuse()`.execute(database.db);
  world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'top-up-1' });
  world.advance(80);
  await world.sweep();
  expect(await world.stateOf(id)).toBe('SUCCEEDED');
  expect(await world.noticesOf(id)).toEqual(['delivered']);
  expect(world.charging.calls.deliver).toHaveLength(1);
});

describe('refusals', () => {
  test.each(['declined', 'insufficientFunds', 'expired'] as const)(
    '%s ends FAILED, with the reason, and is told',
    async (reason) => {
      const id = await world.submitted();
      world.gateway.answers.enquire = () => ({ kind: 'refused', reason });
      world.advance(10);
      await world.sweep();
      expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason });
      expect(await world.postingsOf(id)).toEqual([]);
      expect(await world.noticesOf(id)).toEqual(['notTaken']);
      expect(world.charging.calls.deliver).toEqual([]);
    },
  );

  test('an immediate refusal is returned at once', async () => {
    world.gateway.answers.start = () => ({ kind: 'refused', reason: 'insufficientFunds' });
    const id = await world.order();
    const { payment } = await world.payments.process(id);
    expect(payment).toMatchObject({ state: 'FAILED', reason: 'insufficientFunds' });
  });
});

describe('silence is not failure', () => {
  test('a start without a clear response is UNKNOWN until the enquiry finds the money', async () => {
    world.gateway.answers.start = () => ({ kind: 'unclear', detail: 'HTTP 502' });
    const id = await world.submitted();
    expect(await world.stateOf(id)).toBe('UNKNOWN');
    world.gateway.answers.enquire = inTurn<EnquiryOutcome>({ kind: 'unclear', detail: 'HTTP 500' }, paid);
    await live(40, 10);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(world.gateway.calls.start).toHaveLength(1);
  });

  test('"not found" fails a payment only after six responses and a day', async () => {
    world.gateway.answers.start = () => ({ kind: 'unclear', detail: 'time-out' });
    world.gateway.answers.enquire = () => ({ kind: 'notFound' });
    const id = await world.submitted();
    await live(23.5 * hour, 600);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'UNKNOWN' });
    expect((await world.paymentOf(id)).not_found_answers).toBeGreaterThan(6);
    await live(hour, 600);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason: 'neverArrived' });
    expect(await world.noticesOf(id)).toEqual(['notTaken']);
  });

  test('a day alone proves nothing either: it takes six responses', async () => {
    world.gateway.answers.start = () => ({ kind: 'unclear', detail: 'time-out' });
    world.gateway.answers.enquire = () => ({ kind: 'unclear', detail: 'HTTP 500' });
    const id = await world.submitted();
    await live(25 * hour, hour);
    world.gateway.answers.enquire = () => ({ kind: 'notFound' });
    await live(5 * hour, hour);
    expect(await world.stateOf(id)).toBe('UNKNOWN');
    await live(2 * hour, hour);
    expect(await world.stateOf(id)).toBe('FAILED');
  });

  test('a payment unknown for 72 hours goes to REVIEW, and is neither paid nor failed', async () => {
    world.gateway.answers.enquire = () => ({ kind: 'unclear', detail: 'TA' });
    const id = await world.submitted();
    await live(71 * hour, hour);
    expect(await world.stateOf(id)).toBe('AWAITING_PAYER');
    await live(3 * hour, hour);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', reason: 'retriesSpent', due_at: null });
    expect(await world.noticesOf(id)).toEqual([]);
  });

  test('a payer who does not respond is waited for', async () => {
    const id = await world.submitted();
    await live(2 * hour, 600);
    expect(await world.stateOf(id)).toBe('AWAITING_PAYER');
  });
});

test.each([
  { what: 'one more', money: { ...paid, amount: 5_001 } },
  { what: 'one less', money: { ...paid, amount: 4_999 } },
  { what: 'another currency', money: { ...paid, currency: 'XXX' } },
])(
  'money of $what than was asked for goes to a person, which its payer hears, and delivers nothing',
  async ({ money }) => {
    const id = await world.submitted();
    world.gateway.answers.enquire = () => money;
    world.advance(10);
    await world.sweep();
    await live(4 * hour, hour);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', reason: 'amountConflict' });
    expect(await world.noticesOf(id)).toEqual(['lookedInto']);
    expect(world.charging.calls.deliver).toEqual([]);
    expect(world.gateway.calls.refund).toEqual([]);
  },
);

describe('delivery', () => {
  beforeEach(() => {
    world.gateway.answers.enquire = () => paid;
  });

  test('refused: refunded once, and posted so', async () => {
    world.charging.answers.deliver = () => ({ kind: 'refused', detail: 'the line does not accept top-ups' });
    const id = await world.submitted();
    await live(hour, 10);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REFUNDED', reason: 'deliveryRefused' });
    expect(world.gateway.calls.refund).toEqual([
      expect.objectContaining({ reference: id, providerReference: 'money-1', amount: 5_000, currency: 'XTS' }),
    ]);
    expect(world.charging.calls.deliver).toHaveLength(1);
    expect((await world.postingsOf(id)).sort()).toEqual(['paid', 'refunded']);
    expect(await world.noticesOf(id)).toEqual(['goingBack', 'givenBack']);
    expect((await ledgerBalances(database.db)).every(({ balance }) => balance === 0)).toBe(true);
  });

  test('unclear: looked up before anything is sent again; found means delivered, by one top-up', async () => {
    world.charging.answers.deliver = () => ({ kind: 'unclear', detail: 'time-out' });
    const id = await world.submitted();
    world.advance(10);
    await world.sweep();
    expect(await world.stateOf(id)).toBe('FULFIL_UNKNOWN');
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'top-up-9' });
    await live(60, 10);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(world.charging.calls.deliver).toHaveLength(1);
    expect(await database.db.selectFrom('deliveries').select('provider_reference').execute()).toEqual([
      { provider_reference: 'top-up-9' },
    ]);
  });

  test('unclear and not found: sent once more, but only after three lookups and the lag of its system', async () => {
    const order: string[] = [];
    const answer = inTurn(
      { kind: 'unclear' as const, detail: 'time-out' },
      { kind: 'delivered' as const, providerReference: 'top-up-2' },
    );
    world.charging.answers.deliver = () => {
      order.push('top-up');
      return answer();
    };
    world.charging.answers.findDelivery = () => {
      order.push('look');
      return { kind: 'notFound' };
    };
    const id = await world.submitted();
    await live(590, 10);
    // The delivery may still be in progress: nothing is sent again or refunded.
    expect(order.filter((call) => call === 'top-up')).toHaveLength(1);
    expect(await world.stateOf(id)).toBe('FULFIL_UNKNOWN');
    await live(700, 10);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(order.slice(0, -1).filter((call) => call === 'look').length).toBeGreaterThanOrEqual(3);
    expect(order.at(-1)).toBe('top-up');
    expect(order.filter((call) => call === 'top-up')).toHaveLength(2);
    expect(await database.db.selectFrom('deliveries').select('attempts').execute()).toEqual([{ attempts: 2 }]);
  });

  test('unclear for ever: never sent again without a lookup, never refunded, goes to REVIEW', async () => {
    world.charging.answers.deliver = () => ({ kind: 'unclear', detail: 'time-out' });
    world.charging.answers.findDelivery = () => ({ kind: 'unclear', detail: 'HTTP 500' });
    const id = await world.submitted();
    await live(60, 10);
    await live(74 * hour, hour);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', reason: 'retriesSpent' });
    expect(world.charging.calls.deliver).toHaveLength(1);
    expect(world.gateway.calls.refund).toEqual([]);
    expect(await world.noticesOf(id)).toEqual(['lookedInto']);
    // Retried on a person's decision, and back in REVIEW: the payer has been told already.
    await world.payments.decide(id, { as: 'deliver', by: 'Rina', note: 'the shop says it is up again' });
    await live(74 * hour, hour);
    expect(await world.stateOf(id)).toBe('REVIEW');
    expect(await world.noticesOf(id)).toEqual(['lookedInto']);
  });

  test('interrupted by a crash: the next process finds it, with one top-up', async () => {
    world.charging.answers.deliver = hanging<never>().answer;
    const id = await world.submitted();
    world.advance(10);
    void world.sweep();
    await expect.poll(() => world.stateOf(id)).toBe('FULFILLING');
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'top-up-1' });
    world.advance(80);
    await world.anotherProcess().sweep(100);
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(world.charging.calls.deliver).toHaveLength(1);
  });
});

describe('refunds', () => {
  beforeEach(() => {
    world.gateway.answers.enquire = () => paid;
    world.charging.answers.deliver = () => ({ kind: 'refused', detail: 'no' });
  });

  test('without a clear response are retried until there is one', async () => {
    world.gateway.answers.refund = inTurn(
      { kind: 'unclear', detail: 'HTTP 503' },
      { kind: 'unclear', detail: 'HTTP 503' },
      { kind: 'refunded' },
    );
    const id = await world.submitted();
    world.advance(10);
    await world.sweep();
    expect(await world.stateOf(id)).toBe('REFUND_UNKNOWN');
    expect(await world.noticesOf(id)).toEqual(['goingBack']);
    await live(590, 10);
    expect(world.gateway.calls.refund).toHaveLength(1);
    await live(20 * 60, 10);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect(world.gateway.calls.refund).toHaveLength(3);
    expect((await world.postingsOf(id)).sort()).toEqual(['paid', 'refunded']);
    expect(new Set(world.gateway.calls.refund.map(({ providerReference }) => providerReference))).toEqual(
      new Set(['money-1']),
    );
  });

  test('go to REVIEW after 17 attempts', async () => {
    world.gateway.answers.refund = () => ({ kind: 'unclear', detail: 'HTTP 503' });
    const id = await world.submitted();
    await live(60, 10);
    await live(8 * 24 * hour, hour);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', reason: 'retriesSpent' });
    expect(world.gateway.calls.refund).toHaveLength(17);
  });

  test('keep the time for which the money was first promised', async () => {
    world.gateway.answers.refund = () => ({ kind: 'unclear', detail: 'HTTP 503' });
    const id = await world.submitted();
    world.advance(10);
    await world.sweep();
    const promised = (await world.paymentOf(id)).refund_expected_at;
    expect(promised).not.toBeNull();
    await live(600, 10);
    expect((await world.paymentOf(id)).refund_expected_at).toEqual(promised);
  });
});

describe('money that comes after a failure', () => {
  test('is refunded, and never delivered', async () => {
    world.gateway.answers.enquire = () => ({ kind: 'refused', reason: 'expired' });
    const id = await world.submitted();
    world.advance(10);
    await world.sweep();
    expect(await world.stateOf(id)).toBe('FAILED');
    world.gateway.answers.enquire = () => paid;
    await live(2 * hour, 600);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REFUNDED', reason: 'lateMoney' });
    expect(world.charging.calls.deliver).toEqual([]);
    expect(world.gateway.calls.refund).toHaveLength(1);
    expect((await world.postingsOf(id)).sort()).toEqual(['paid', 'refunded']);
    expect(await world.noticesOf(id)).toEqual(['notTaken', 'goingBack', 'givenBack']);
  });

  test('is looked for every half hour, for 25 hours', async () => {
    world.gateway.answers.enquire = () => ({ kind: 'refused', reason: 'declined' });
    const id = await world.submitted();
    await live(26 * hour, 600);
    const asked = world.gateway.calls.enquire.length;
    expect(asked).toBeGreaterThan(45);
    expect(asked).toBeLessThan(55);
    expect((await world.paymentOf(id)).due_at).toBeNull();
  });

  test('of another amount goes to REVIEW', async () => {
    world.gateway.answers.enquire = () => ({ kind: 'refused', reason: 'expired' });
    const id = await world.submitted();
    world.advance(10);
    await world.sweep();
    world.gateway.answers.enquire = () => ({ ...paid, amount: 1 });
    await live(hour, 600);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', reason: 'amountConflict' });
    expect(await world.noticesOf(id)).toEqual(['notTaken', 'lookedInto']);
    expect(world.gateway.calls.refund).toEqual([]);
  });
});

test('an order that nobody pays ends FAILED without a call to any provider', async () => {
  const id = await world.order();
  await live(29 * 60, 60);
  expect(await world.stateOf(id)).toBe('CREATED');
  await live(120, 60);
  expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason: 'orderExpired', due_at: null });
  await live(26 * hour, hour);
  expect(world.gateway.calls).toEqual({ start: [], enquire: [], refund: [] });
  expect(await world.payments.process(id)).toMatchObject({ already: true });
  expect(world.gateway.calls.start).toEqual([]);
});

describe('the same attempt', () => {
  test('with the same body is the same payment, with another body is refused', async () => {
    const attempt = { key: 'one-attempt', body: { amount: 5_000 } };
    const { id } = await world.payments.initiate(testQuote, attempt);
    expect((await world.payments.initiate(testQuote, { ...attempt })).id).toBe(id);
    await expect(
      world.payments.initiate(testQuote, { key: 'one-attempt', body: { amount: 6_000 } }),
    ).rejects.toMatchObject({
      kind: 'keyReused',
    });
    expect(await database.db.selectFrom('payments').select('id').execute()).toEqual([{ id }]);
  });

  test('sent twenty times at once is one payment', async () => {
    const attempt = { key: 'one-click', body: {} };
    const orders = await Promise.all(Array.from({ length: 20 }, () => world.payments.initiate(testQuote, attempt)));
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1);
    expect(await database.db.selectFrom('payments').select('id').execute()).toHaveLength(1);
  });

  test('key, payment and first history row are stored together or not at all', async () => {
    await expect(world.order({ amount: 0 })).rejects.toThrow();
    const { db } = database;
    expect(await db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('payment_history').selectAll().execute()).toEqual([]);
  });

  test('with many concurrent attempts each gets its own order, and only its own refusal', async () => {
    const attempts = Array.from({ length: 40 }, (_, index) => ({
      key: `attempt-${index % 20}`,
      body: { of: index % 20 },
    }));
    const reused = { key: 'attempt-3', body: { of: 'another' } };
    const broken = { ...testQuote, amount: -1 };
    const settled = await Promise.allSettled([
      ...attempts.map((attempt) => world.payments.initiate(testQuote, attempt)),
      world.payments.initiate(testQuote, reused),
      world.payments.initiate(broken, { key: 'broken', body: {} }),
    ]);
    const [wrongBody, wrongAmount] = settled.slice(-2);
    expect(wrongBody).toMatchObject({ status: 'rejected', reason: { kind: 'keyReused' } });
    expect(wrongAmount).toMatchObject({ status: 'rejected' });
    const ids = settled.slice(0, -2).map((one) => (one.status === 'fulfilled' ? one.value.id : one.reason));
    expect(new Set(ids).size).toBe(20);
    expect(ids.slice(20)).toEqual(ids.slice(0, 20));
    for (const id of ids) expect(await world.eventsOf(id)).toEqual(['create']);
    expect(await database.db.selectFrom('payments').select('id').execute()).toHaveLength(20);
  });
});

describe('at the same time', () => {
  test('REL-3 50 process calls in three processes are one call to the provider, over and over', async () => {
    const processes = [world.payments, world.anotherProcess(), world.anotherProcess()];
    // The embedded database has one connection: its races are short and its rounds slow.
    const rounds = process.env.TEST_DATABASE === 'postgresql' ? 200 : 10;
    for (let round = 0; round < rounds; round += 1) {
      const id = await world.order();
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => processes[index % 3]?.process(id)));
      expect(answers.filter((answer) => !answer?.already)).toHaveLength(1);
      expect(world.gateway.calls.start).toHaveLength(round + 1);
    }
  });

  test('concurrent sweeps of two processes deliver once', async () => {
    world.gateway.answers.enquire = () => paid;
    const ids = await Promise.all(Array.from({ length: 10 }, () => world.submitted()));
    world.advance(10);
    const other = world.anotherProcess();
    await Promise.all([world.sweep(), other.sweep(100), world.sweep(), other.sweep(100)]);
    for (const id of ids) expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(world.charging.calls.deliver.map(({ reference }) => reference).sort()).toEqual([...ids].sort());
  });

  test('a sweep and callbacks that all find the money deliver once', async () => {
    world.gateway.answers.enquire = () => paid;
    const id = await world.submitted();
    world.advance(10);
    const callback = (extra: number) =>
      world.payments.receiveCallback({
        provider: 'wallet',
        path: '',
        body: Buffer.from(JSON.stringify({ id, extra, key: 'genuine' })),
        headers: {},
      });
    await Promise.all([world.sweep(), callback(1), callback(2), callback(3)]);
    await world.payments.drain();
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(world.charging.calls.deliver).toHaveLength(1);
    expect(await world.noticesOf(id)).toEqual(['delivered']);
  });
});

describe('a call without a response', () => {
  test('process responds while the provider has not', async () => {
    const start = hanging<{ kind: 'await' }>();
    world.gateway.answers.start = start.answer;
    const id = await world.order();
    const answer = await world.payments.process(id);
    expect(answer).toMatchObject({ already: false, payment: { state: 'SUBMITTING' } });
    start.resolve({ kind: 'await' });
    await world.payments.drain();
    expect(await world.stateOf(id)).toBe('AWAITING_PAYER');
  });

  test('interrupted by a crash is UNKNOWN to the next process, which enquires and does not send again', async () => {
    const start = hanging<{ kind: 'refused'; reason: 'declined' }>();
    world.gateway.answers.start = start.answer;
    world.gateway.answers.enquire = () => ({ kind: 'unclear', detail: 'HTTP 500' });
    const id = await world.order();
    // The next test may truncate its tables before it responds.
    world.payments.process(id).catch(() => {});
    await expect.poll(() => world.gateway.calls.start.length).toBe(1);
    const next = world.anotherProcess();
    world.advance(60);
    expect(await next.sweep(100)).toBe(0);
    world.advance(16);
    await next.sweep(100);
    expect(await world.stateOf(id)).toBe('UNKNOWN');
    expect(world.gateway.calls.start).toHaveLength(1);
    expect(world.gateway.calls.enquire).toHaveLength(1);

    // The response arrives after all, for a version of the row that is outdated.
    start.resolve({ kind: 'refused', reason: 'declined' });
    await world.payments.drain();
    expect(await world.stateOf(id)).toBe('UNKNOWN');
  });

  test('that throws does not fail the payment: the customer waits, the sweep enquires', async () => {
    world.gateway.answers.start = () => {
      throw new Error('a mistake of ours');
    };
    const id = await world.order();
    const answer = await world.payments.process(id);
    expect(answer).toMatchObject({ already: false, payment: { state: 'SUBMITTING' } });
    expect(world.failedSteps).toHaveLength(1);
    world.gateway.answers.enquire = () => paid;
    world.advance(80);
    await world.sweep();
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(await world.eventsOf(id)).toEqual(['create', 'submit', 'lose', 'pay', 'fulfil', 'deliver']);
  });
});

describe('a response of a provider', () => {
  test('that is already decided is enquired about at once, any other after ten seconds', async () => {
    const id = await world.submitted();
    expect(world.gateway.calls.enquire).toHaveLength(0);
    expect((await world.paymentOf(id)).due_at).toEqual(new Date(world.now().getTime() + 10_000));
    world.gateway.answers.start = () => ({ kind: 'await', isDecided: true });
    await world.submitted();
    await world.payments.drain();
    expect(world.gateway.calls.enquire).toHaveLength(1);
  });

  test('with a page or popup is stored, for a browser that returns to it', async () => {
    const popup = { key: 'public' } as never;
    world.gateway.answers.start = () => ({ kind: 'popup', popup, providerReference: 'their-1' });
    expect(await world.paymentOf(await world.submitted())).toMatchObject({
      state: 'AWAITING_PAYER',
      continuation: { popup },
      provider_reference: 'their-1',
    });
    world.gateway.answers.start = () => ({ kind: 'redirect', url: 'https://pay.example/1' });
    expect((await world.paymentOf(await world.submitted())).continuation).toEqual({
      redirectUrl: 'https://pay.example/1',
    });
  });

  test('that was lost, for a payment awaiting its payer, is waited for', async () => {
    world.gateway.answers.start = () => ({ kind: 'unclear', detail: 'time-out' });
    const id = await world.submitted();
    world.advance(10);
    await world.sweep();
    expect(await world.paymentOf(id)).toMatchObject({ state: 'AWAITING_PAYER', attempts: 1 });
    expect((await world.paymentOf(id)).due_at?.getTime()).toBeGreaterThan(world.now().getTime());
  });

  test('to a refund, interrupted by a crash, is requested again and not taken for a refusal', async () => {
    world.gateway.answers.enquire = () => paid;
    world.charging.answers.deliver = () => ({ kind: 'refused', detail: 'no' });
    const refund = hanging<{ kind: 'refunded' }>();
    world.gateway.answers.refund = refund.answer;
    const id = await world.submitted();
    world.advance(10);
    void world.sweep();
    await expect.poll(() => world.gateway.calls.refund.length).toBe(1);
    expect(await world.stateOf(id)).toBe('REFUNDING');
    world.gateway.answers.refund = () => ({ kind: 'refunded' });
    world.advance(76);
    const next = world.anotherProcess();
    await next.sweep(100);
    world.advance(600);
    await next.sweep(100);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect(await world.eventsOf(id)).toContain('loseRefund');
    expect((await world.postingsOf(id)).sort()).toEqual(['paid', 'refunded']);
    refund.resolve({ kind: 'refunded' });
    await world.payments.drain();
    expect((await world.postingsOf(id)).sort()).toEqual(['paid', 'refunded']);
  });
});

test('an unknown payment cannot be settled or called back', async () => {
  const settling = { as: 'delivered', by: 'Lova', note: 'seen' } as never;
  await expect(world.payments.decide('nobody', settling)).rejects.toMatchObject({
    kind: 'notFound',
    message: 'We do not know this payment.',
  });
  const callback = { provider: 'nobody', path: '', body: Buffer.from('{}'), headers: {} };
  await expect(world.payments.receiveCallback(callback)).rejects.toMatchObject({
    kind: 'notFound',
    message: 'There is no such provider.',
  });
});

describe('round trips to the database', () => {
  test('PRF-3 storing an order is one statement, and so is looking up a payment', async () => {
    // The first run also counts the statements of preparing the query.
    await world.payments.find('nobody');
    const { db, statements } = watchedDatabase(database.db);
    const watched = paymentsWorld({ ...database, db });
    const id = await watched.order();
    expect(statements).toHaveLength(1);
    await watched.payments.find(id);
    expect(statements).toHaveLength(2);
  });

  test('a repeated attempt costs one more: finding the first', async () => {
    const { db, statements } = watchedDatabase(database.db);
    const watched = paymentsWorld({ ...database, db });
    const attempt = { key: 'counted', body: {} };
    await watched.payments.initiate(testQuote, attempt);
    await watched.payments.initiate(testQuote, attempt);
    expect(statements).toHaveLength(3);
  });
});

describe('constraints of the database', () => {
  test.each(['payment_history', 'ledger_postings', 'payment_evidence'])(
    '%s takes no change and no removal',
    async (table) => {
      world.gateway.answers.enquire = () => paid;
      await world.submitted();
      world.advance(10);
      await world.sweep();
      const { db } = database;
      await expect(sql`update ${sql.table(table)} set at = now()`.execute(db)).rejects.toThrow('append-only');
      await expect(sql`delete from ${sql.table(table)}`.execute(db)).rejects.toThrow('append-only');
    },
  );

  test('refuse a second delivery, a second posting of a kind and a zero amount', async () => {
    world.gateway.answers.enquire = () => paid;
    const id = await world.submitted();
    world.advance(10);
    await world.sweep();
    const { db } = database;
    const again = { payment_id: id, reference: 'another', started_at: world.now() };
    await expect(db.insertInto('deliveries').values(again).execute()).rejects.toThrow();
    const posting = {
      payment_id: id,
      kind: 'paid',
      debit_account: 'a',
      credit_account: 'b',
      currency: 'XTS',
      at: world.now(),
    };
    await expect(
      db
        .insertInto('ledger_postings')
        .values({ ...posting, amount: 1 })
        .execute(),
    ).rejects.toThrow();
    await expect(
      db
        .insertInto('ledger_postings')
        .values({ ...posting, kind: 'refunded', amount: 0 })
        .execute(),
    ).rejects.toThrow();
  });
});
