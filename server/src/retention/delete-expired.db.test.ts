import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { environment } from '../config/environment.ts';
import type { Database } from '../db/database.ts';
import { openRow } from '../db/personal-data.ts';
import { tableDigests } from '../db/stored-tables.ts';
import { testDatabase } from '../testing/database.ts';
import { emptyTables, type PaymentsWorld, paymentsWorld, persons, prepareNotices } from '../testing/payments-world.ts';
import { deleteExpired } from './delete-expired.ts';
import { type Impersonal, type Period, periods } from './retention-periods.ts';

let database: Database;
let world: PaymentsWorld;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Column names that suggest personal data. Whoever adds a keyed hash under another name has to list it. */
const looksPersonal =
  /msisdn|mail|phone|mobile|name|number|address|city|visit|voter|subject|recipient|wallet|payer|card|account|invoice|asked_from|works|note|body|headers|^data$|details|^key$|^by$|settled_by|continuation|proof_digest|^payment$/;

async function columnsOf(): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and table_name not like 'test%' order by 1, 2`.execute(database.db);
  return rows;
}

/** Tables and columns of the database that the list of periods lacks. */
function unlisted(columns: { table: string; column: string }[]): string[] {
  const listed: Record<string, Period | Impersonal> = periods;
  return columns.flatMap(({ table, column }) => {
    const period = listed[table];
    if (!period) return [`${table} is not listed`];
    if ((period.personal as readonly string[]).includes(column) || !looksPersonal.test(column)) return [];
    const isExplained = 'notPersonal' in period && period.notPersonal !== undefined && column in period.notPersonal;
    return isExplained || isReference(column) ? [] : [`${table}.${column} has no period`];
  });
}

/** References of other systems, and ways to pay, which identify nobody. */
const isReference = (column: string) => ['short_reference', 'payment_mode', 'payer_proof'].includes(column);

describe('every table of a migrated database', () => {
  test('has a period for its personal data, or says that it has none', async () => {
    expect(unlisted(await columnsOf())).toEqual([]);
  });

  test('a new table or column without a period is reported', () => {
    expect(unlisted([{ table: 'visitors', column: 'id' }])).toEqual(['visitors is not listed']);
    expect(unlisted([{ table: 'deliveries', column: 'contact_email' }])).toEqual([
      'deliveries.contact_email has no period',
    ]);
    expect(unlisted([{ table: 'payments', column: 'payer_name' }])).toEqual(['payments.payer_name has no period']);
  });

  test('the list names no table or column that does not exist', async () => {
    const there = new Set((await columnsOf()).map(({ table, column }) => `${table}.${column}`));
    const listed: [string, Period | Impersonal][] = Object.entries(periods);
    const named = listed.flatMap(([table, period]) => [
      ...period.personal.map((column) => `${table}.${column}`),
      ...('since' in period ? [`${table}.${period.since}`] : []),
      ...('notPersonal' in period ? Object.keys(period.notPersonal ?? {}).map((column) => `${table}.${column}`) : []),
    ]);
    expect(named.filter((one) => !there.has(one))).toEqual([]);
  });

  test('the default of a setting equals the period in the list', () => {
    expect(environment.shape.LEADS_KEEP_DAYS.parse(undefined)).toBe(periods.leads.days);
  });
});

describe('when periods end', () => {
  const day = 86_400;

  beforeAll(() => prepareNotices(database.db));
  beforeEach(async () => {
    await emptyTables(database.db);
    world = paymentsWorld(database);
  });

  async function delivered(): Promise<string> {
    const id = await world.submitted(persons);
    const paid = { kind: 'paid', providerReference: 'm1', amount: 5_000, currency: 'XTS' } as const;
    world.gateway.answers.enquire = () => paid;
    world.billing.answers.deliver = () => ({ kind: 'delivered', providerReference: 'd1' });
    world.advance(20);
    await world.sweep();
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
    return id;
  }
  const stored = async () => {
    const rows = await database.db.selectFrom('payments').selectAll().execute();
    return JSON.stringify(rows.map((row) => openRow(database.db, 'payments', row)));
  };
  const anybody = /390000123|390000124|client@|PA1000000001|INV-77|a-visit/;

  test('SEC-26 (its periods; what the portal itself forgets, and the rest, beside the dump) a payment names its people for thirteen months and nobody afterwards; ledger, history and delivery stay', async () => {
    const id = await delivered();
    const kept = ['public.ledger_postings', 'public.payment_history', 'public.deliveries'] as const;
    const books = async () => {
      const digests = await tableDigests(database.db);
      return kept.map((table) => digests[table]);
    };
    const before = await books();
    world.advance(395 * day);
    await deleteExpired(database.db, [], world.now());
    expect(await stored()).toMatch(anybody);
    world.advance(2 * day);
    await deleteExpired(database.db, [], world.now());
    expect(await stored()).not.toMatch(anybody);
    const columns = [
      'msisdn',
      'msisdn_hash',
      'payer_hash',
      'email',
      'email_hash',
      'invoice_hash',
      'account_hash',
      'account_id',
    ] as const;
    expect(await database.db.selectFrom('payments').select(columns).execute()).toEqual([
      { ...Object.fromEntries(columns.map((column) => [column, null])), msisdn: '' },
    ]);
    expect(await books()).toEqual(before);
    expect(await world.paymentOf(id)).toMatchObject({
      ...{ state: 'SUCCEEDED', amount: 5_000, currency: 'XTS', gateway: 'wallet', msisdn: '', payer_msisdn: null },
      details: { item: { kind: 'bill', accountNo: '', billNo: null } },
    });
  });

  test('an open payment keeps its people until it ends', async () => {
    const id = await world.submitted(persons);
    world.advance(400 * day);
    await deleteExpired(database.db, [], world.now());
    expect(await stored()).toMatch(anybody);
    await sql`update payments set state = 'FAILED', due_at = null where id = ${id}`.execute(database.db);
    await deleteExpired(database.db, [], world.now());
    expect(await stored()).not.toMatch(anybody);
  });

  test('PIN attempts and card fingerprints are deleted after a month, those of a locked wallet once its lock is over', async () => {
    const { db } = database;
    const at = world.now();
    const lockedUntil = new Date(at.getTime() + 40 * day * 1000);
    const attempts = { wrong: 1, unanswered_since: null, changed_at: at };
    await db.deleteFrom('pin_attempts').execute();
    await db
      .insertInto('pin_attempts')
      .values([
        { wallet: 'wallet:0390000123', locked_until: null, ...attempts },
        { wallet: 'wallet:0390000124', locked_until: lockedUntil, ...attempts },
      ])
      .execute();
    await db.insertInto('payment_cards').values({ payment_id: 'p', card: 'c', at }).execute();
    const left = async () => [
      (await db.selectFrom('pin_attempts').select('wallet').orderBy('wallet').execute()).map(({ wallet }) => wallet),
      (await db.selectFrom('payment_cards').select('card').execute()).length,
    ];
    world.advance(29 * day);
    await deleteExpired(db, [], world.now());
    expect(await left()).toEqual([['wallet:0390000123', 'wallet:0390000124'], 1]);
    world.advance(2 * day);
    await deleteExpired(db, [], world.now());
    expect(await left()).toEqual([['wallet:0390000124'], 0]);
    world.advance(10 * day);
    await deleteExpired(db, [], world.now());
    expect(await left()).toEqual([[], 0]);
  });
});
