import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../server/src/db/database.ts';
import { Random } from '../../server/src/simulation/random.ts';
import { createPostgres } from '../../server/src/testing/database.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { listenForSignals, undoOnSignal } from '../end-with-us.ts';
import { freePort } from '../free-port.ts';
import { ensurePostgres } from '../postgres.ts';
import { endWith, Refusal } from '../progress.mjs';
import { readBooks } from './compare-books.ts';
import { type Customers, startCustomers } from './customers.ts';
import { passTime, startSite, troubles } from './site.ts';
import { judge, type Verdict } from './verdict.ts';

export interface ClusterKillsReport extends Verdict {
  kills: number;
  payments: number;
  requests: number;
  failedRequests: number;
  gaveUp: number;
  /** Requests that failed during the rolling restart. */
  failedInRollingRestart: number;
  /** Milliseconds from order to final status, sorted, for payments that ended in real time. */
  untilFinal: number[];
}

export interface ClusterKillsOptions {
  databaseUrl: string;
  seconds: number;
  seed: number;
  customers: number;
  onProgress?: (line: string) => void;
}

/** Three portals under load: first a rolling restart, then one is killed every few seconds. */
export async function runClusterKills(options: ClusterKillsOptions): Promise<ClusterKillsReport> {
  const { databaseUrl, seed, onProgress = () => {} } = options;
  const random = new Random(seed);
  const site = await startSite({ databaseUrl });
  let cluster: Cluster | undefined;
  let customers: Customers | undefined;
  let report: ClusterKillsReport | undefined;
  try {
    const running = await startCluster({
      port: await freePort(),
      folder: site.folder,
      startPortal: (port, env) => site.startPortal(port, { env }),
    });
    cluster = running;
    await site.callBackTo(cluster.url);
    const { url } = cluster;
    const { walletMode } = site;
    customers = startCustomers({ url, walletMode, random: new Random(seed + 1), customers: options.customers });
    await sleep(1_000);
    onProgress('rolling restart');
    await cluster.rollingRestart();
    const failedInRollingRestart = customers.counts.failedRequests;
    const failures = customers.failures.join(', ');
    onProgress(`rolling restart done: ${failedInRollingRestart} of ${customers.counts.requests} requests failed`);

    for (const trouble of troubles) await site.fault(trouble);
    const until = Date.now() + options.seconds * 1000;
    let kills = 0;
    // On a slow machine one restart may take the whole time, so also require a minimum of kills and orders.
    while (Date.now() < until || kills < 3 || customers.payments.size < 12) {
      await sleep(random.whole(500, 2_500));
      await cluster.kill(random.whole(0, 2));
      kills += 1;
      if (kills % 10 === 0) onProgress(`${kills} kills, ${customers.payments.size} payments`);
    }
    await site.clearFaults();
    await customers.stop();
    const asUsual = new Date();
    await passTime(site, running.portals, customers);
    const books = await readBooks(site.sandboxUrl);
    await cluster.stop();
    const { db, close } = await openDatabase({ url: databaseUrl });
    const verdict = await judge(db, customers, books);
    const ended = await db
      .selectFrom('payments')
      .select(['created_at', 'changed_at'])
      .where('changed_at', '<', asUsual)
      .where('submitted_at', 'is not', null)
      .where('state', 'in', ['SUCCEEDED', 'FAILED', 'REFUNDED'])
      .execute();
    const untilFinal = ended
      .map(({ created_at, changed_at }) => changed_at.getTime() - created_at.getTime())
      .sort((one, other) => one - other);
    await close();
    if (failedInRollingRestart > 0)
      verdict.problems.push(`${failedInRollingRestart} requests failed in the rolling restart: ${failures}`);
    const payments = customers.payments.size;
    report = { ...verdict, kills, payments, ...customers.counts, failedInRollingRestart, untilFinal };
    return report;
  } finally {
    await cluster?.stop();
    await customers?.stop();
    const keepFolder = report !== undefined && report.problems.length > 0;
    await site.stop({ keepFolder });
    if (keepFolder) onProgress(`The logs are kept in ${site.folder}.`);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '180' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      customers: { type: 'string', default: '16' },
    },
  });
  const [seconds, seed, customers] = [values.seconds, values.seed, values.customers].map(Number);
  if (!(seconds && seed && customers)) throw new Refusal('--seconds, --seed and --customers must be numbers above 0.');
  const since = Date.now();
  console.log(`Seed ${seed}: the same draws again; the exact moments are the machine's.`);
  listenForSignals();
  const postgres = await ensurePostgres();
  undoOnSignal(postgres.stop);
  const database = await createPostgres(postgres.url, { migrated: true });
  let isGood = false;
  try {
    const report = await runClusterKills({
      databaseUrl: database.url,
      seconds,
      seed,
      customers,
      onProgress: (line) => console.log(`  ${Math.round((Date.now() - since) / 1000)} s: ${line}`),
    });
    printReport(report, since);
    isGood = report.problems.length === 0;
  } finally {
    await database.drop();
    await postgres.stop();
  }
  process.exit(isGood ? 0 : 1);
}

function printReport(report: ClusterKillsReport, since: number): void {
  const states = Object.entries(report.states).map(([state, count]) => `${count} ${state}`);
  const at = (share: number) =>
    ((report.untilFinal[Math.floor((report.untilFinal.length - 1) * share)] ?? 0) / 1000).toFixed(1);
  console.log(`
Three portals behind HAProxy, ${report.kills} kills, ${Math.round((Date.now() - since) / 1000)} s in all
${report.payments} payments acknowledged; in the end ${states.join(', ')}
${report.requests} requests; ${report.failedRequests} failed and were sent again, ${report.gaveUp} were given up
Rolling restart: ${report.failedInRollingRestart} failed requests
From order to end, for the ${report.untilFinal.length} that ended while customers came: half within ${at(0.5)} s, 95 of 100 within ${at(0.95)} s, all within ${at(1)} s
For the others, cut off by a kill or never paid, the clocks were moved on to the enquiry that found out.`);
  for (const problem of report.problems) console.log(`  ${problem}`);
  console.log(
    report.problems.length === 0
      ? 'PASSED: every payment ended, and the books equal the providers’.'
      : `FAILED: ${report.problems.length} problems.`,
  );
}

if (import.meta.main) main().catch(endWith);
