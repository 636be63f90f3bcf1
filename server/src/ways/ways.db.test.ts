import { standardWayHealthRules } from '@portal/domain/payment/way-health.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { createLogger } from '../http/logging.ts';
import { testDatabase } from '../testing/database.ts';
import { payBy } from '../testing/handlers.ts';
import { watchedDatabase } from '../testing/watched-database.ts';
import { createWays, type Ways } from './ways.service.ts';

let database: Database;
let time: number;
let stored = 0;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  time = Date.parse('2026-03-02T08:00:00Z');
  await sql`truncate payments cascade`.execute(database.db);
});

const now = () => new Date(time);
const waysOn = (db = database.db, isHearing = () => false) =>
  createWays({
    db,
    rules: standardWayHealthRules,
    now,
    log: createLogger('silent'),
    pack: { languages: [], defaultLocale: 'en-GB', timeZone: 'UTC' },
    methods: [payBy('AM', 'WALLET', 'wallet')],
    texts: { text: (_locale, key) => key },
    live: { follow: () => {}, isHearing },
  });

/** A database that fails from a given moment on. */
function losable() {
  let isGone = false;
  const db = new Proxy(database.db, {
    get(target, name) {
      if (isGone) throw new Error('the database is gone');
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    db,
    lose: () => {
      isGone = true;
    },
  };
}

/** Stores this many payments that began so many seconds ago and ended in this state. */
async function store(
  count: number,
  gateway: string,
  {
    state = 'SUCCEEDED',
    reason = null as string | null,
    ago = 600,
    took = 20,
    isSubmitted = true,
    page = null as string | null,
  } = {},
): Promise<void> {
  const began = new Date(time - ago * 1000);
  const ended = new Date(began.getTime() + took * 1000);
  const first = stored;
  stored += count;
  await sql`
    insert into payments (id, short_reference, state, version, gateway, payment_mode, transaction_type, amount, currency,
      msisdn, language, details, reason, continuation, submitted_at, created_at, changed_at, epoch)
    select 'w' || lpad(n::text, 25, '0'), 'w' || lpad(n::text, 11, '0'), ${state}, 3, ${gateway}, 'WAY', 'PREPAID_RECHARGE',
      1000, 'XTS', 'sealed', 'en-GB', '{"item":{"kind":"airtime"}}', ${reason},
      ${page && JSON.stringify({ redirectUrl: page })}::jsonb, ${isSubmitted ? began : null}::timestamptz,
      ${began}::timestamptz, ${ended}::timestamptz, 1
    from generate_series(${first}::int, ${first + count - 1}::int) n`.execute(database.db);
}

const healths = async () =>
  Object.fromEntries([...(await waysOn().reports())].map(([gateway, { health }]) => [gateway, health]));

test('LIV-2 (its figures; the page in the browser) the payments of the last hour say of each way whether it works, is slow or in trouble, and of fewer than twenty nothing', async () => {
  await store(20, 'works');
  await store(19, 'few');
  await store(20, 'slow', { took: 300 });
  await store(14, 'trouble');
  await store(3, 'trouble', { state: 'FAILED', reason: 'refusedByProvider' });
  await store(3, 'trouble', { state: 'UNKNOWN', ago: 90 });
  await store(50, 'before', { ago: 3_700 });
  expect(await healths()).toEqual({ works: 'works', few: 'noRecentData', slow: 'slow', trouble: 'trouble' });
});

test('LIV-2 (its figures; the page in the browser) what payers decided, what nobody was asked for and what is still under way counts for nothing', async () => {
  await store(20, 'wallet');
  for (const reason of ['declined', 'insufficientFunds', 'wrongPin', 'expired', 'walletLocked', 'noWallet'])
    await store(30, 'wallet', { state: 'FAILED', reason });
  await store(30, 'wallet', { state: 'FAILED', reason: 'orderExpired', isSubmitted: false });
  await store(30, 'wallet', { state: 'AWAITING_PAYER', ago: 200 });
  await store(30, 'wallet', { state: 'UNKNOWN', ago: 30 });
  // The payer abandoned the provider's page until it expired.
  await store(30, 'wallet', { state: 'UNKNOWN', ago: 1_500, page: 'https://pay.example/1' });
  // The money was taken; a failed delivery says nothing about the method.
  await store(5, 'wallet', { state: 'REFUNDED', reason: 'deliveryRefused' });
  const report = (await waysOn().reports()).get('wallet');
  expect(report).toEqual({
    taken: 25,
    failed: 0,
    medianSeconds: 20,
    endedByPayer: 210,
    lastFailureAt: null,
    health: 'works',
  });
});

test('it is worked out at most twice a minute, once for all who ask together, and by an index', async () => {
  await store(20, 'wallet');
  const { db, statements } = watchedDatabase(database.db);
  const ways = waysOn(db);
  await Promise.all(Array.from({ length: 50 }, () => ways.reports()));
  time += 29_000;
  await ways.reports();
  expect(statements).toHaveLength(1);
  time += 1_000;
  await ways.reports();
  expect(statements).toHaveLength(2);
  const [statement] = statements;
  const plan = await database.db.connection().execute(async (one) => {
    await sql`set enable_seqscan = off`.execute(one);
    const explained = await one.executeQuery<{ 'QUERY PLAN': string }>({
      ...(statement as NonNullable<typeof statement>),
      sql: `explain ${statement?.sql}`,
    });
    await sql`set enable_seqscan = on`.execute(one);
    return explained.rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toMatch(/payments_created|payments_to_forget/);
});

test('without an answer of the database the last one stands, and nobody is kept from paying', async () => {
  await store(20, 'wallet');
  const { db, lose } = losable();
  const ways = waysOn(db);
  expect((await ways.reports()).get('wallet')?.health).toBe('works');
  lose();
  time += 60_000;
  expect((await ways.reports()).get('wallet')?.health).toBe('works');
});

const closed = async ({ announcements }: Ways) => (await announcements.closedWays('en-GB')).has('wallet');
const announced = { subject: 'way:wallet', texts: {}, starts_at: null, ends_at: null };

test('CNS-8 (its memory; several processes on PostgreSQL) a process that hears of changes asks the database once; one that hears of none asks each time', async () => {
  await sql`truncate announcements`.execute(database.db);
  const { db, statements } = watchedDatabase(database.db);
  const [hearing, deaf] = [waysOn(db, () => true), waysOn()];
  expect([await closed(hearing), await closed(hearing), await closed(deaf)]).toEqual([false, false, false]);
  expect(statements).toHaveLength(1);
  await deaf.announcements.announce(database.db, { ...announced, is_on: true }, { version: 0, by: 'a person' });
  // The first one was not notified.
  expect([await closed(hearing), await closed(deaf)]).toEqual([false, true]);
  await hearing.announcements.readAnew();
  expect(await closed(hearing)).toBe(true);
  await deaf.announcements.announce(database.db, { ...announced, is_on: false }, { version: 1, by: 'a person' });
  expect(await closed(deaf)).toBe(false);
});

test('without a database what was announced last stands', async () => {
  await sql`truncate announcements`.execute(database.db);
  const { db, lose } = losable();
  const ways = waysOn(db);
  await ways.announcements.announce(db, { ...announced, is_on: true }, { version: 0, by: 'a person' });
  expect(await closed(ways)).toBe(true);
  lose();
  expect(await closed(ways)).toBe(true);
});
