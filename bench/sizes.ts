import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import pg from 'pg';
import { ensureInitdb, ensurePostgres } from '../scripts/postgres.ts';
import { openDatabase } from '../server/src/db/database.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { reconcileDay } from '../server/src/payments/payments.reconcile.ts';
import { findPaymentWithChanges, forgetOld, leaseDuePayments } from '../server/src/payments/payments.store.ts';
import { manyId, storeMany } from '../server/src/testing/many-payments.ts';
import { holdBar, printHeading, printTable } from './report.ts';

// PRF-4: what a status look-up, a sweep and a day's comparison cost with few and with very many payments stored.
const { values } = parseArgs({
  options: { few: { type: 'string', default: '10000' }, many: { type: 'string', default: '5000000' } },
});
const [few, many] = [Number(values.few), Number(values.many)];
const run = promisify(execFile);
const pgbench = join(dirname(realpathSync(await ensureInitdb())), 'pgbench');
const postgres = await ensurePostgres();
const folder = await mkdtemp(join(tmpdir(), 'portal-bench-'));
const admin = new pg.Client(postgres.url);
await admin.connect();
await admin.query('create database sizes');
const url = postgres.url.replace(/\/[^/]*$/, '/sizes');
const database = await openDatabase({ url, poolSize: 4 });
const { db } = database;

/** The same one-row statement of pgbench each time, so that a busy moment of the machine shows in both. */
async function baseline(): Promise<number> {
  const file = join(folder, 'one-row.sql');
  await writeFile(file, 'select 1;');
  const { stdout } = await run(pgbench, ['-n', '-f', file, '-c', '1', '-T', '3', url]);
  return 1000 / Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}

async function medianMs(times: number, act: (index: number) => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const from = performance.now();
    await act(index);
    taken.push(performance.now() - from);
  }
  return taken.toSorted((one, other) => one - other)[Math.floor(times / 2)] ?? 0;
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
    sweep: await warm(() => leaseDuePayments(db, new Date(), new Date(), 50)),
    forget: await medianMs(20, () => forgetOld(db, old)),
    day: await medianMs(3, () => reconcileDay(comparison, '2025-01-15')),
  };
}

try {
  await migrate(db);
  await storeMany(db, 1, few);
  await admin.query('checkpoint');
  const small = await measure(few);
  console.log(`Storing ${many.toLocaleString('en')} payments…`);
  await storeMany(db, few + 1, many);
  await admin.query('checkpoint');
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
  await admin.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
