import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { testDatabase } from '../../testing/database.ts';
import { manyId, storeMany } from '../../testing/many-payments.ts';
import { watchedDatabase } from '../../testing/watched-database.ts';
import { findPaymentWithChanges, findRepeat, leaseDuePayments, listReview } from './payments.store.ts';

const few = 5_000;
const many = 100_000;
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

interface Plan {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
}

/** The number of database blocks that the statement of `run` reads. Unlike time, it does not depend on load. */
async function blocksOf(run: (db: Kysely<Schema>) => Promise<unknown>): Promise<number> {
  const { db, statements } = watchedDatabase(database.db);
  await run(db);
  expect(statements).not.toEqual([]);
  let blocks = 0;
  for (const compiled of statements) {
    const explained = await database.db.executeQuery<{ 'QUERY PLAN': Plan[] }>({
      ...compiled,
      sql: `explain (analyze, buffers, format json) ${compiled.sql}`,
    });
    const plan = explained.rows[0]?.['QUERY PLAN'][0]?.Plan;
    blocks += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
  }
  return blocks;
}

const asked = {
  status: (db: Kysely<Schema>) => findPaymentWithChanges(db, manyId(2_500)),
  'status of a payment that does not exist': (db: Kysely<Schema>) => findPaymentWithChanges(db, 'x'.repeat(26)),
  'the same purchase lately': (db: Kysely<Schema>) =>
    findRepeat(
      db,
      {
        visit: 'v',
        msisdn: '390002500',
        transactionType: 'PREPAID_RECHARGE',
        productCode: null,
        price: 1_000,
        invoiceNumber: null,
        orderDigest: 'o',
      },
      { key: 'k', since: new Date('2026-01-01') },
    ),
  'what is due': (db: Kysely<Schema>) =>
    leaseDuePayments(db, { now: new Date(), leaseUntil: new Date(), most: 50, without: [] }),
  'what waits for a person': (db: Kysely<Schema>) => listReview(db, 50),
};

test('PRF-4 looking up a status, a repeat and what is due costs the same with twenty times as many payments', async () => {
  await storeMany(database.db, 1, few);
  await sql`vacuum`.execute(database.db);
  const small: Record<string, number> = {};
  for (const [name, run] of Object.entries(asked)) small[name] = await blocksOf(run);
  await storeMany(database.db, few + 1, many);
  await sql`vacuum`.execute(database.db);
  for (const [name, run] of Object.entries(asked)) {
    const blocks = await blocksOf(run);
    // Each index may be one level deeper.
    expect(blocks, `${name}: ${small[name]} blocks before`).toBeLessThanOrEqual((small[name] ?? 0) + 3);
    expect(blocks, name).toBeLessThan(40);
  }
});
