import { type CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Position } from '../../console/console.service.ts';
import type { Database } from '../../db/database.ts';
import { hashesOf } from '../../db/personal-data.ts';
import { testDatabase } from '../../testing/database.ts';
import { manyId, storeMany } from '../../testing/many-payments.ts';
import { watchedDatabase } from '../../testing/watched-database.ts';
import { type Clues, type Filter, searchPayments } from './payments.desk.store.ts';

const stored = 40_000;
const number = '0390000007';
const email = 'dealer@example.mg';
const account = 'PA1000000001';
let database: Database;

/** One dealer made half of all payments, with one number and one email; the rest are spread over all lines. */
beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  await storeMany(db, 1, stored);
  const [ofNumber = '', ofEmail = '', ofAccount = ''] = [
    ...hashesOf(db, 'number', number),
    ...hashesOf(db, 'email', email),
    ...hashesOf(db, 'account', account),
  ];
  await sql`update payments set msisdn_hash = ${ofNumber}, payer_hash = ${ofNumber}, email_hash = ${ofEmail},
    account_id = 'sealed', account_hash = ${ofAccount} where right(id, 1) in ('0', '2', '4', '6', '8')`.execute(db);
  await sql`vacuum analyze payments`.execute(db);
});
afterAll(() => database.close());

/** The blocks that the statement reads, and the tables that it scans sequentially. */
async function costOf(
  clues: Clues,
  before?: Position,
  filter: Filter = {},
): Promise<{ pages: number; whole: string[]; found: number }> {
  const { db, statements } = watchedDatabase(database.db);
  const found = (await searchPayments(db, clues, { before, most: 51, filter })).length;
  const [statement] = statements as [CompiledQuery];
  const explained = await database.db.executeQuery({
    ...statement,
    sql: `explain (analyze, buffers, format json) ${statement.sql}`,
  });
  const [
    {
      'QUERY PLAN': [{ Plan: plan }],
    },
  ] = explained.rows as [{ 'QUERY PLAN': [{ Plan: Plan }] }];
  return { pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], whole: wholeIn(plan), found };
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

const wholeIn = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(wholeIn),
];

const atDepth = async (pages: number): Promise<Position> => {
  const { rows } = await sql<{ at: Date; id: string }>`select created_at as at, id from payments
    where email_hash is not null order by created_at desc, id desc offset ${pages * 50} limit 1`.execute(database.db);
  return rows[0] as Position;
};

const clues: [string, Clues][] = [
  ['an id', { id: manyId(20_001) }],
  ['a reference', { reference: `m${'20001'.padStart(11, '0')}` }],
  ['a number', { number }],
  ['an email', { email }],
  ['an account', { account }],
  ['an invoice that is nobody’s', { invoice: 'INV-1' }],
  ['a receipt that is nobody’s', { receipt: 'R-1' }],
];

describe('CNS-4 (how; among five million in bench:find)', () => {
  test.each(clues)('%s is found by an index, without reading a table', async (_name, given) => {
    const { pages, whole, found } = await costOf(given);
    expect(whole).toEqual([]);
    expect(pages).toBeLessThan(900);
    expect(found).toBe('invoice' in given || 'receipt' in given ? 0 : 'id' in given || 'reference' in given ? 1 : 51);
  });
});

test('an amount that nobody paid costs the rows of the hours that are named, by the index of when they came', async () => {
  const filter = {
    from: new Date('2025-01-01T02:00Z'),
    to: new Date('2025-01-01T03:00Z'),
    sums: [{ amount: 7, currency: 'XTS' }],
  };
  const { pages, whole, found } = await costOf({}, undefined, filter);
  expect([whole, found]).toEqual([[], 0]);
  const all = await sql<{ pages: number }>`select relpages as pages from pg_class where relname = 'payments'`.execute(
    database.db,
  );
  expect(pages).toBeLessThan(all.rows[0]?.pages ?? 0);
});

describe('CNS-16 (lists page in constant time)', () => {
  test.each(clues.slice(2, 5))(
    'of %s with very many payments a page far back costs what the first one does',
    async (_name, given) => {
      const first = await costOf(given);
      const deep = await costOf(given, await atDepth(350));
      expect(deep.found).toBe(51);
      expect(deep.whole).toEqual([]);
      expect(deep.pages).toBeLessThan(first.pages * 1.5 + 20);
    },
  );
});
