import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { testDatabase } from '../testing/database.ts';
import { manyId, storeMany } from '../testing/many-payments.ts';
import { findPaymentWithChanges, findRepeat, insertPayment, leaseDuePayments, listReview } from './payments.store.ts';

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

/** The statements that `run` sends, as the server gets them. */
async function statementsOf(run: (db: Kysely<Schema>) => Promise<unknown>): Promise<CompiledQuery[]> {
  const seen: CompiledQuery[] = [];
  const { db } = database;
  const watched = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      seen.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  // Statements that were compiled before pass the plug-ins by.
  watched.executeQuery = (query) => {
    seen.push(query as CompiledQuery);
    return db.executeQuery(query as CompiledQuery<never>);
  };
  await run(watched);
  return seen;
}

/** How many blocks of the database the statement of `run` touches: the same on a busy machine as on an idle one. */
async function blocksOf(run: (db: Kysely<Schema>) => Promise<unknown>): Promise<number> {
  const seen = await statementsOf(run);
  expect(seen).not.toEqual([]);
  let blocks = 0;
  for (const compiled of seen) {
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
      },
      { key: 'k', since: new Date('2026-01-01') },
    ),
  'what is due': (db: Kysely<Schema>) => leaseDuePayments(db, new Date(), new Date(), 50),
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
    // Each of the indexes may have grown by a level.
    expect(blocks, `${name}: ${small[name]} blocks before`).toBeLessThanOrEqual((small[name] ?? 0) + 3);
    expect(blocks, name).toBeLessThan(40);
  }
}, 120_000);

test('PRF-3 storing an order is one round trip, and so is looking up a status', async () => {
  const now = new Date('2026-03-02T08:00:00Z');
  const order = {
    id: 'order',
    short_reference: 'short',
    state: 'CREATED',
    version: 0,
    gateway: 'wallet',
    payment_mode: 'WALLET',
    transaction_type: 'PREPAID_RECHARGE',
    amount: 1_000,
    currency: 'XTS',
    msisdn: '390000001',
    payer_msisdn: null,
    email: null,
    product_code: null,
    description: null,
    account_id: null,
    invoice_number: null,
    language: 'en-GB',
    visit: null,
    details: '{"item":{"kind":"airtime"}}',
    created_at: now,
    changed_at: now,
    due_at: now,
  } as const;
  const key = { operation: 'initiate', key: 'once', bodyHash: 'hash' };
  expect(await statementsOf((db) => insertPayment(db, order, key))).toHaveLength(1);
  expect(await statementsOf((db) => findPaymentWithChanges(db, 'order'))).toHaveLength(1);
  const found = await findPaymentWithChanges(database.db, 'order');
  expect(found).toMatchObject({ payment: { id: 'order', amount: 1_000 }, changes: [{ to: 'CREATED' }] });
});
