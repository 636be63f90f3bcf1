import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { ensurePostgres } from '../scripts/postgres.ts';
import type { StatementEntry } from '../server/src/connectors/ports.ts';
import { openDatabase } from '../server/src/db/database.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { createLogger } from '../server/src/http/logging.ts';
import { startNoticeQueue } from '../server/src/notice-queue/notice-queue.ts';
import { deleteExpired, findPaymentWithChanges, leaseDuePayments } from '../server/src/payments/core/payments.store.ts';
import { type Reconciliation, reconcileDay } from '../server/src/payments/reconcile/payments.reconcile.ts';
import { createPostgres } from '../server/src/testing/database.ts';
import { manyId, storeMany } from '../server/src/testing/many-payments.ts';
import { pgbench } from './pgbench.ts';
import { holdBar, median, printHeading, printTable } from './report.ts';

// PRF-4: the cost of a status lookup, a sweep and a day's reconciliation with few and with very many payments stored.
// REL-18: the reconciliation of a day with very many entries of one gateway, and how long it blocks the event loop;
// messages per second.
const { values } = parseArgs({
  options: {
    few: { type: 'string', default: '10000' },
    many: { type: 'string', default: '5000000' },
    entries: { type: 'string', default: '200000' },
  },
});
const [few, many] = [Number(values.few), Number(values.many)];
const postgres = await ensurePostgres();
const { url } = await createPostgres(postgres.url);
const database = await openDatabase({ url, poolSize: 4 });
const { db } = database;

/** A trivial statement, measured beside the others, so that a slow phase of the machine can be recognised. */
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

function comparisonWith(listed: StatementEntry[]): Reconciliation {
  const fulfilment = {
    deliver: () => Promise.reject(new Error('nothing is delivered here')),
    findDelivery: async () => ({ kind: 'delivered', providerReference: 'x' }) as const,
  };
  return {
    db,
    statements: new Map([['wallet', { statement: async () => listed }]]),
    ...{ charging: fulfilment, billing: fulfilment, orders: fulfilment },
    timeZone: 'UTC',
    now: () => new Date(),
  };
}

/** Reconciles a day with equally many payments and list entries, on a separate database. */
async function compareFullDay(entries: number) {
  const full = await openDatabase({ url: (await createPostgres(postgres.url)).url, poolSize: 4 });
  try {
    await migrate(full.db);
    await storeMany(full.db, 1, entries, 86_400);
    const listed = Array.from({ length: entries }, (_, index) => ({
      ...{ reference: manyId(index + 1), amount: 1_000, currency: 'XTS', givenBack: false },
    }));
    const held = monitorEventLoopDelay({ resolution: 1 });
    held.enable();
    const from = performance.now();
    const { differences } = await reconcileDay({ ...comparisonWith(listed), db: full.db }, '2025-01-01');
    held.disable();
    return { seconds: (performance.now() - from) / 1_000, heldMs: held.max / 1e6, differences: differences.length };
  } finally {
    await full.close();
  }
}

/** Messages per second of one process, if each takes `eachMs` at the SMS centre or mail server. */
async function messagesASecond(messages: number, eachMs: number): Promise<number> {
  const queue = await startNoticeQueue(db, 'postgresql', createLogger('silent'));
  const done = Promise.withResolvers<void>();
  let left = messages;
  for (let sent = 0; sent < messages; sent += 1) await queue.send(db, {}, `payment ${sent}`);
  const from = performance.now();
  await queue.work(async () => {
    await setTimeout(eachMs);
    left -= 1;
    if (left === 0) done.resolve();
  });
  await done.promise;
  const seconds = (performance.now() - from) / 1_000;
  await queue.stop();
  return messages / seconds;
}

async function measure(stored: number) {
  const everywhere = (index: number) => manyId(1 + ((index * 7_919_777) % stored));
  const warm = (act: (index: number) => Promise<unknown>) => medianMs(500, act).then(() => medianMs(3_000, act));
  const old = { callbacks: new Date('2024-01-01'), keys: new Date('2024-01-01') };
  return {
    one: await baseline(),
    status: await warm((index) => findPaymentWithChanges(db, everywhere(index))),
    sweep: await warm(() => leaseDuePayments(db, { now: new Date(), leaseUntil: new Date(), most: 50, without: [] })),
    forget: await medianMs(20, () => deleteExpired(db, old)),
    day: await medianMs(3, () => reconcileDay(comparisonWith([]), '2025-01-15')),
  };
}

try {
  const entries = Number(values.entries);
  const day = await compareFullDay(entries);
  printHeading(`A day of ${entries.toLocaleString('en')} entries of one gateway compared`);
  printTable(
    ['', ''],
    [
      ['seconds', day.seconds],
      ['longest wait for a turn, ms', day.heldMs],
      ['differences', day.differences],
    ],
  );
  holdBar('REL-18 nobody waits over 100 ms for a turn', day.heldMs <= 100);
  holdBar('REL-18 nothing is unexplained where all agree', day.differences === 0);
  await migrate(db);
  // Twenty payments a second cause up to three messages each: SMS, mail and sometimes a refund notice.
  const rate = await messagesASecond(1_200, 150);
  printHeading('Messages that take 150 ms each, one process');
  printTable(['', ''], [['a second', rate]]);
  holdBar('REL-18 messages keep up with 20 payments a second, three each', rate >= 60);
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
