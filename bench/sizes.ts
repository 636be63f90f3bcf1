import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { ensurePostgres } from '../scripts/postgres.ts';
import { openDatabase } from '../server/src/db/database.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { reconcileDay } from '../server/src/payments/payments.reconcile.ts';
import { findPaymentWithChanges, forgetOld, leaseDuePayments } from '../server/src/payments/payments.store.ts';
import { createPostgres } from '../server/src/testing/database.ts';
import { manyId, storeMany } from '../server/src/testing/many-payments.ts';
import { pgbench } from './pgbench.ts';
import { holdBar, median, printHeading, printTable } from './report.ts';

// PRF-4: what a status look-up, a sweep and a day's comparison cost with few and with very many payments stored.
const { values } = parseArgs({
  options: { few: { type: 'string', default: '10000' }, many: { type: 'string', default: '5000000' } },
});
const [few, many] = [Number(values.few), Number(values.many)];
const postgres = await ensurePostgres();
const { url } = await createPostgres(postgres.url);
const database = await openDatabase({ url, poolSize: 4 });
const { db } = database;

/** The same one-row statement each time, so that a busy moment of the machine shows in both. */
const baseline = async () => 1000 / (await pgbench(url, 'select 1;', { connections: 1, seconds: 3 }));

async function medianMs(times: number, act: (index: number) => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const from = performance.now();
    await act(index);
    taken.push(performance.now() - from);
  }
  return median(taken);
}

async function measure(stored: number) {
  const everywhere = (index: number) => manyId(1 + ((index * 7_919_777) % stored));
  const warm = (act: (index: number) => Promise<unknown>) => medianMs(500, act).then(() => medianMs(3_000, act));
  const old = { callbacks: new Date('2024-01-01'), keys: new Date('2024-01-01') };
  const nothing = { statement: async () => [] };
  const comparison = {
    db,
    statements: new Map([['wallet', nothing]]),
    charging: { findDelivery: async () => ({ kind: 'delivered', providerReference: 'x' }) },
    billing: { findDelivery: async () => ({ kind: 'delivered', providerReference: 'x' }) },
    orders: { findDelivery: async () => ({ kind: 'delivered', providerReference: 'x' }) },
    now: () => new Date(),
  } as unknown as Parameters<typeof reconcileDay>[0];
  return {
    one: await baseline(),
    status: await warm((index) => findPaymentWithChanges(db, everywhere(index))),
    sweep: await warm(() => leaseDuePayments(db, { now: new Date(), leaseUntil: new Date(), most: 50, without: [] })),
    forget: await medianMs(20, () => forgetOld(db, old)),
    day: await medianMs(3, () => reconcileDay(comparison, '2025-01-15')),
  };
}

try {
  await migrate(db);
  await storeMany(db, 1, few);
  await sql`checkpoint`.execute(db);
  const small = await measure(few);
  console.log(`Storing ${many.toLocaleString('en')} payments…`);
  await storeMany(db, few + 1, many);
  await sql`checkpoint`.execute(db);
  const large = await measure(many);
  printHeading(`Cost by number of payments stored, medians in milliseconds`);
  const names = {
    one: 'pgbench, select 1',
    status: 'status look-up',
    sweep: 'sweep with nothing due',
    forget: 'forgetting old callbacks and keys',
    day: 'daily comparison, our side',
  };
  const rows = Object.entries(names).map(([key, name]) => {
    const [before, after] = [small[key as keyof typeof small], large[key as keyof typeof large]];
    return [name, before, after, after / before];
  });
  printTable(['', few.toLocaleString('en'), many.toLocaleString('en'), 'ratio'], rows);
  console.log();
  const noise = Math.max(1, large.one / small.one);
  holdBar(
    'PRF-4 a status look-up costs the same (within 1.3 times, noise taken out)',
    large.status / small.status < 1.3 * noise,
  );
} finally {
  await database.close();
  await postgres.stop();
}
