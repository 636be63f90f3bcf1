import { beforeEach, describe, expect, test } from 'vitest';
import type { RefundOutcome, StatementEntry } from '../../connectors/ports.ts';
import { createLogger } from '../../http/logging.ts';
import { createMetrics } from '../../http/metrics.ts';
import { database, live, paymentsTests, world } from '../../testing/payments-tests.fixture.ts';
import { emptyTables } from '../../testing/payments-world.ts';
import { inTurn } from '../../testing/scripted-providers.ts';
import { reconciliationEvents } from './payments.reconcile.events.ts';
import { reportedDifferences } from './payments.reconcile.store.ts';
import {
  type Reconciliation,
  type Report,
  reconcileAgain,
  reconcileDay,
  reconcileOpenDays,
} from './payments.reconcile.ts';

let abandoned: string[] = [];
let metrics = createMetrics();

paymentsTests();
beforeEach(async () => {
  await database.db.deleteFrom('reconciliations').execute();
  abandoned = [];
  metrics = createMetrics();
});

const openDays = (deps: Reconciliation) => reconcileOpenDays(deps, (day) => abandoned.push(day));

async function delivered(): Promise<string> {
  world.gateway.answers.enquire = () => ({
    kind: 'paid',
    providerReference: 'money-1',
    amount: 5_000,
    currency: 'XTS',
  });
  const id = await world.submitted();
  world.advance(10);
  await world.sweep();
  expect(await world.stateOf(id)).toBe('SUCCEEDED');
  return id;
}

describe('the daily comparison', () => {
  const day = '2026-03-02';
  const entry = (reference: string, more: Partial<StatementEntry> = {}): StatementEntry => ({
    reference,
    amount: 5_000,
    currency: 'XTS',
    givenBack: false,
    ...more,
  });
  const compare = (listed: StatementEntry[] | null) =>
    reconcileDay(
      {
        db: database.db,
        statements: new Map([['wallet', { statement: async () => listed }]]),
        charging: world.charging,
        billing: world.billing,
        orders: world.orders,
        timeZone: 'UTC',
        now: world.now,
      },
      day,
    );
  const whats = async (listed: StatementEntry[]) => (await compare(listed)).differences.map(({ what }) => what);

  test('finds nothing where all three agree', async () => {
    const id = await delivered();
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'delivery-1' });
    const one = { amount: 5_000, count: 1 };
    expect(await compare([entry(id)])).toEqual({
      day,
      taken: 1,
      delivered: 1,
      givenBack: 0,
      sides: [
        {
          gateway: 'wallet',
          currency: 'XTS',
          booked: { taken: one, delivered: one, givenBack: { amount: 0, count: 0 } },
          listed: { taken: one, givenBack: { amount: 0, count: 0 } },
          delivered: one,
        },
      ],
      differences: [],
      unchecked: [],
      unanswered: [],
    });
  });

  test('takes a list of more entries than a statement has room for parameters', async () => {
    const id = await delivered();
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'delivery-1' });
    const listed = Array.from({ length: 40_000 }, (_, index) => entry(`stranger-${index}`));
    const { differences } = await compare([entry(id), ...listed]);
    expect(differences).toHaveLength(40_000);
    expect(new Set(differences.map(({ what }) => what))).toEqual(new Set(['takenNotBooked']));
  });

  test('finds money that only the provider knows, or only we, another amount, and another refund', async () => {
    const id = await delivered();
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'delivery-1' });
    expect(await whats([entry(id), entry('stranger')])).toEqual(['takenNotBooked']);
    expect(await whats([])).toEqual(['bookedNotTaken']);
    expect(await whats([entry(id, { amount: 4_999 })])).toEqual(['amountDiffers']);
    expect(await whats([entry(id, { givenBack: true })])).toEqual(['refundDiffers']);
  });

  test('finds a delivery that is missing, and one that was given back too', async () => {
    const id = await delivered();
    world.charging.answers.findDelivery = () => ({ kind: 'notFound' });
    expect(await whats([entry(id)])).toEqual(['bookedNotDelivered']);
    await emptyTables(database.db);
    world.charging.answers.deliver = () => ({ kind: 'refused', detail: 'no' });
    const back = await world.submitted();
    for (let step = 0; step < 6; step += 1) {
      world.advance(20);
      await world.sweep();
    }
    expect(await world.stateOf(back)).toBe('REFUNDED');
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'delivery-1' });
    expect(await whats([entry(back, { givenBack: true })])).toEqual(['deliveredAndGivenBack']);
  });

  test('finds a refund that only we know, or only the provider; one that is under way explains itself', async () => {
    world.charging.answers.deliver = () => ({ kind: 'refused', detail: 'no' });
    world.gateway.answers.enquire = () => ({ kind: 'paid', providerReference: 'm', amount: 5_000, currency: 'XTS' });
    world.gateway.answers.refund = inTurn<RefundOutcome>({ kind: 'unclear', detail: 'time-out' }, { kind: 'refunded' });
    const id = await world.submitted();
    await live(10);
    expect(await world.stateOf(id)).toBe('REFUND_UNKNOWN');
    for (const state of ['REVIEW', 'REFUND_UNKNOWN'] as const) {
      await database.db.updateTable('payments').set({ state }).execute();
      expect(await whats([entry(id)])).toEqual([]);
      expect(await whats([entry(id, { givenBack: true })])).toEqual([]);
    }
    // What is neither delivered nor refunded is not looked up.
    expect(world.charging.calls.findDelivery).toEqual([]);
    await live(600);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect(await whats([entry(id, { givenBack: true })])).toEqual([]);
    expect(await whats([entry(id)])).toEqual(['refundDiffers']);
  });

  test('sums what each side says, for each way to pay and currency', async () => {
    const kept = await delivered();
    world.gateway.answers.enquire = () => ({ kind: 'paid', providerReference: 'm', amount: 700, currency: 'XXX' });
    world.charging.answers.deliver = () => ({ kind: 'refused', detail: 'no' });
    const back = await world.submitted({ amount: 700, currency: 'XXX' });
    await live(20);
    expect(await world.stateOf(back)).toBe('REFUNDED');
    const unlisted = await world.submitted({ amount: 700, currency: 'XXX' });
    await database.db.updateTable('payments').set({ gateway: 'other' }).where('id', '=', unlisted).execute();
    world.gateways.set('other', world.gateway);
    world.charging.answers.deliver = () => ({ kind: 'delivered', providerReference: 'd' });
    await live(10);
    expect(await world.stateOf(unlisted)).toBe('SUCCEEDED');
    world.charging.answers.findDelivery = ({ reference }) =>
      reference === kept ? { kind: 'delivered', providerReference: 'd' } : { kind: 'unclear', detail: 'silent' };
    const none = { amount: 0, count: 0 };
    const [one, other] = [
      { amount: 5_000, count: 1 },
      { amount: 700, count: 1 },
    ];
    const { short_reference: shortReference } = await world.paymentOf(back);
    const backEntry = entry(shortReference, { amount: 700, currency: 'XXX', givenBack: true });
    const strangers = entry('stranger', { currency: 'XYZ', givenBack: true });
    const report = await compare([entry(kept), backEntry, strangers]);
    expect({ ...report, unanswered: new Set(report.unanswered), sides: new Set(report.sides) }).toEqual({
      day,
      taken: 3,
      delivered: 2,
      givenBack: 1,
      sides: new Set([
        {
          ...{ gateway: 'wallet', currency: 'XTS', delivered: one },
          booked: { taken: one, delivered: one, givenBack: none },
          listed: { taken: one, givenBack: none },
        },
        {
          ...{ gateway: 'wallet', currency: 'XXX', delivered: none },
          booked: { taken: other, delivered: none, givenBack: other },
          listed: { taken: other, givenBack: other },
        },
        {
          ...{ gateway: 'other', currency: 'XXX', delivered: none },
          booked: { taken: other, delivered: other, givenBack: none },
          listed: null,
        },
        {
          ...{ gateway: 'wallet', currency: 'XYZ', delivered: none },
          booked: { taken: none, delivered: none, givenBack: none },
          listed: { taken: one, givenBack: one },
        },
      ]),
      differences: [{ what: 'takenNotBooked', gateway: 'wallet', reference: 'stranger' }],
      unchecked: ['other'],
      unanswered: new Set([back, unlisted]),
    });
  });

  test('finds money for a payment that failed, and none for one that is open or waits for a person', async () => {
    const id = await world.submitted();
    for (const [state, differences] of [
      ['AWAITING_PAYER', []],
      ['REVIEW', []],
      ['FAILED', ['takenNotBooked']],
    ] as const) {
      await database.db.updateTable('payments').set({ state }).where('id', '=', id).execute();
      expect(await whats([entry(id)])).toEqual(differences);
    }
  });

  test('finds money of another currency, and books that do not agree with the payments', async () => {
    const id = await delivered();
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'delivery-1' });
    expect(await whats([entry(id, { currency: 'XXX' })])).toEqual(['amountDiffers']);
    await database.db
      .insertInto('ledger_postings')
      .values({
        ...{ payment_id: id, kind: 'refunded', debit_account: 'provider:wallet', credit_account: 'customers:owed' },
        ...{ amount: 1, currency: 'XTS', at: new Date(0) },
      })
      .execute();
    expect((await compare([entry(id)])).differences).toEqual([
      { what: 'booksDiffer', gateway: '', reference: 'customers:owed' },
    ]);
  });

  const depsWith = (statements: Reconciliation['statements']) => ({
    db: database.db,
    statements,
    charging: world.charging,
    billing: world.billing,
    orders: world.orders,
    timeZone: 'UTC',
    now: world.now,
  });

  test('says what it could not check, and is kept once a day by whichever process is first', async () => {
    await delivered();
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'delivery-1' });
    expect(await compare(null)).toMatchObject({ unchecked: [], unanswered: ['wallet'] });
    world.advance(24 * 3_600);
    const deps = depsWith(new Map());
    const kept = (await Promise.all([openDays(deps), openDays(deps)])).flat();
    expect(kept.map(({ unchecked, unanswered }) => [unchecked, unanswered])).toEqual([[['wallet'], []]]);
    expect(await openDays(deps)).toEqual([]);
  });

  test('asks a provider that was silent again, for a week, and tells of a difference once', async () => {
    const id = await delivered();
    world.charging.answers.findDelivery = () => ({ kind: 'notFound' });
    world.advance(24 * 3_600);
    let listed: StatementEntry[] | null = null;
    const deps = depsWith(new Map([['wallet', { statement: async () => listed }]]));
    const whatsNew = async () =>
      (await openDays(deps)).map((report) => [report.day, ...report.differences.map(({ what }) => what)]);
    expect(await whatsNew()).toEqual([[day, 'bookedNotDelivered']]);
    expect(await whatsNew()).toEqual([[day]]);
    world.advance(24 * 3_600);
    listed = [];
    expect(await whatsNew()).toEqual([[day, 'bookedNotTaken'], ['2026-03-03']]);
    expect(await openDays(deps)).toEqual([]);
    expect((await compare([entry(id)])).differences).toHaveLength(1);
  });

  test('REL-18 is made by one process of many, and by another when that one ended before it was done', async () => {
    await delivered();
    world.advance(24 * 3_600);
    const begun = Promise.withResolvers<void>();
    const asked: string[] = [];
    const hangs = {
      statement: () => {
        asked.push('first');
        begun.resolve();
        return new Promise<never>(() => {});
      },
    };
    const answers = {
      statement: async () => {
        asked.push('second');
        return [];
      },
    };
    void openDays(depsWith(new Map([['wallet', hangs]])));
    await begun.promise;
    const other = depsWith(new Map([['wallet', answers]]));
    expect(await openDays(other)).toEqual([]);
    world.advance(3_599);
    expect(await openDays(other)).toEqual([]);
    expect(abandoned).toEqual([]);
    world.advance(1);
    expect((await openDays(other)).map((report) => report.day)).toEqual([day]);
    expect(asked).toEqual(['first', 'second']);
    expect(abandoned).toEqual([day]);
    expect(await openDays(other)).toEqual([]);
  });

  test('REL-18 (a slow one) one whose lease is over reports nothing, and what another process stored remains', async () => {
    await delivered();
    world.advance(24 * 3_600);
    const slow = Promise.withResolvers<StatementEntry[]>();
    const begun = Promise.withResolvers<void>();
    const hangs = {
      statement: () => {
        begun.resolve();
        return slow.promise;
      },
    };
    const first = openDays(depsWith(new Map([['wallet', hangs]])));
    await begun.promise;
    world.advance(3_600);
    const other = depsWith(new Map([['wallet', { statement: async () => [] }]]));
    expect((await openDays(other)).map((report) => report.differences.length)).toEqual([2]);
    slow.resolve([entry('stranger')]);
    expect(await first).toEqual([]);
    expect(await reportedDifferences(database.db, day)).not.toContain('takenNotBooked stranger');
  });

  test('is made again on request, by one process at a time, and again after it failed', async () => {
    const id = await delivered();
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'delivery-1' });
    world.advance(24 * 3_600);
    const answers = Promise.withResolvers<StatementEntry[]>();
    const compared: Report[] = [];
    const again = (statement: () => Promise<StatementEntry[]>) =>
      reconcileAgain(depsWith(new Map([['wallet', { statement }]])), day, (report) => compared.push(report));
    expect((await openDays(depsWith(new Map([['wallet', { statement: async () => [entry(id)] }]])))).length).toBe(1);
    const mistake = new Error('no list');
    await expect(again(() => Promise.reject(mistake))).rejects.toBe(mistake);
    const begun = Promise.withResolvers<void>();
    const first = again(() => {
      begun.resolve();
      return answers.promise;
    });
    await begun.promise;
    expect(await again(async () => [])).toBe(false);
    expect(compared).toEqual([]);
    answers.resolve([entry(id), entry('stranger')]);
    expect(await first).toBe(true);
    expect(compared.map(({ differences }) => differences.map(({ reference }) => reference))).toEqual([['stranger']]);
  });

  test('REL-18 one that fails or was broken off raises the alert’s figure', async () => {
    const events = reconciliationEvents(createLogger('silent'), metrics);
    events.abandoned(day);
    events.failed(new Error('no list'));
    expect(await metrics.text()).toMatch(/^portal_reconciliation_incomplete_total 2$/m);
  });

  test('REL-18 a business day is the operator’s own, not that of London', async () => {
    // Ten in the evening in London is one in the morning of the next day in Antananarivo.
    world.advance(14 * 3_600);
    const id = await delivered();
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'delivery-1' });
    const asked: string[] = [];
    const statement = async ({ from, to }: { from: Date; to: Date }) => {
      asked.push(`${from.toISOString()} ${to.toISOString()}`);
      return [entry(id)];
    };
    const deps = { ...depsWith(new Map([['wallet', { statement }]])), timeZone: 'Indian/Antananarivo' };
    expect((await reconcileDay(deps, '2026-03-02')).taken).toBe(0);
    expect((await reconcileDay(deps, '2026-03-03')).taken).toBe(1);
    expect(asked[1]).toBe('2026-03-02T19:00:00.000Z 2026-03-03T23:00:00.000Z');
    world.advance(22 * 3_600);
    expect((await openDays(deps)).map((report) => report.day)).toEqual(['2026-03-02']);
    world.advance(2 * 3_600);
    expect((await openDays(deps)).map((report) => report.day)).toEqual(['2026-03-03']);
  });

  test('has its figures before the first difference, so that an alert sees the step up', async () => {
    const { compared: told } = reconciliationEvents(createLogger('silent'), metrics);
    expect(await metrics.text()).toMatch(/^portal_reconciliation_differences_total\{what="takenNotBooked"\} 0$/m);
    told({ ...(await compare(null)), differences: [{ what: 'takenNotBooked', gateway: 'wallet', reference: 'x' }] });
    expect(await metrics.text()).toMatch(/^portal_reconciliation_differences_total\{what="takenNotBooked"\} 1$/m);
    expect(await metrics.text()).toMatch(/^portal_reconciliation_incomplete_total 1$/m);
  });
});
