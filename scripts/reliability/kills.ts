import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../server/src/db/database.ts';
import { Random } from '../../server/src/simulation/random.ts';
import { createPostgres } from '../../server/src/testing/database.ts';
import { listenForSignals, undoOnSignal } from '../end-with-us.ts';
import { freePort } from '../free-port.ts';
import { ensurePostgres } from '../postgres.ts';
import { endWith, Refusal } from '../progress.mjs';
import type { Service } from '../service.ts';
import { readBooks } from './compare-books.ts';
import { type Customers, startCustomers } from './customers.ts';
import { passTime, type Site, startSite, troubles } from './site.ts';
import { judge, type Verdict } from './verdict.ts';

export interface KillsOptions {
  kills: number;
  seed: number;
  /** Defaults to the embedded database in a folder of its own. */
  databaseUrl?: string;
  onProgress?: (line: string) => void;
}

export interface KillsReport extends Verdict {
  kills: number;
  /** How many of them hit a portal that was not ready yet. */
  killsWhileStarting: number;
  payments: number;
  requests: number;
  failedRequests: number;
}

const longestLifeMs = 1_500;
const startMs = 2_500;

/** Kills a portal again and again while customers pay, and reports what became of their payments. */
export async function runKills(options: KillsOptions): Promise<KillsReport> {
  const { kills, seed, databaseUrl } = options;
  const random = new Random(seed);
  const site = await startSite(databaseUrl ? { databaseUrl } : {});
  let portal: Service | undefined;
  let customers: Customers | undefined;
  let report: KillsReport | undefined;
  try {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    portal = await site.startPortal(port);
    await site.callBackTo(url);
    for (const trouble of troubles) await site.fault(trouble);
    customers = startCustomers({
      url,
      random: new Random(seed + 1),
      customers: 8,
      walletMode: site.walletMode,
    });
    await sleep(1_000);
    let killsWhileStarting = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      if (kill % 10 === 0) options.onProgress?.(`${kill} kills, ${customers.payments.size} payments`);
      if (portal) {
        await sleep(random.next() * longestLifeMs);
        await portal.kill();
        portal = undefined;
      } else killsWhileStarting += 1;
      const isKilledEarly = random.chance(0.1) && kill < kills;
      portal = isKilledEarly ? undefined : await site.startPortal(port);
      if (isKilledEarly) await killWhileStarting(site, port, random.next() * startMs);
    }
    await site.clearFaults();
    await customers.stop();
    const running = portal ?? (await site.startPortal(port));
    portal = running;
    await passTime(site, () => [running], customers);
    const books = await readBooks(site.sandboxUrl);
    await portal.stop();
    const { db, close } = await openDatabase(
      databaseUrl ? { url: databaseUrl } : { folder: join(site.folder, 'data') },
    );
    const verdict = await judge(db, customers, books);
    await close();
    report = { ...verdict, kills, killsWhileStarting, payments: customers.payments.size, ...customers.counts };
    return report;
  } finally {
    await portal?.stop();
    await customers?.stop();
    await site.stop({ keepFolder: report !== undefined && report.problems.length > 0 });
    if (report && report.problems.length > 0) options.onProgress?.(`The data and the logs are kept in ${site.folder}.`);
  }
}

/** If the portal is already ready, the kill simply hits it a moment later. */
async function killWhileStarting(site: Site, port: number, afterMs: number): Promise<void> {
  let pid = 0;
  const onSpawn = (started: number) => {
    pid = started;
  };
  const starting = site.startPortal(port, { onSpawn }).then(
    (portal) => portal.kill(),
    () => {},
  );
  await sleep(afterMs);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
  await starting;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      database: { type: 'string' },
    },
  });
  const kills = Number(values.kills);
  const seed = Number(values.seed);
  if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed))
    throw new Refusal('--kills and --seed must be whole numbers, the first at least 1.');
  if (values.database && !['embedded', 'postgresql'].includes(values.database))
    throw new Refusal('--database must be embedded or postgresql; without it both are tried.');
  listenForSignals();
  let isGood = true;
  for (const kind of values.database ? [values.database] : ['embedded', 'postgresql'])
    isGood = (await runOn(kind, { kills, seed })) && isGood;
  process.exit(isGood ? 0 : 1);
}

async function runOn(kind: string, options: { kills: number; seed: number }): Promise<boolean> {
  const since = Date.now();
  console.log(
    `Seed ${options.seed} on the ${kind} database: the same draws again; the exact moments are the machine's.`,
  );
  const postgres = kind === 'postgresql' ? await ensurePostgres() : null;
  const keep = undoOnSignal(async () => postgres?.stop());
  const database = postgres && (await createPostgres(postgres.url, { migrated: true }));
  try {
    const report = await runKills({
      ...options,
      ...(database ? { databaseUrl: database.url } : {}),
      onProgress: (line) => console.log(`  ${Math.round((Date.now() - since) / 1000)} s: ${line}`),
    });
    printReport(report, kind, since);
    return report.problems.length === 0;
  } finally {
    await database?.drop();
    await postgres?.stop();
    keep();
  }
}

function printReport(report: KillsReport, kind: string, since: number): void {
  const states = Object.entries(report.states).map(([state, count]) => `${count} ${state}`);
  console.log(`
${report.kills} kills on the ${kind} database in ${Math.round((Date.now() - since) / 1000)} s, ${report.killsWhileStarting} of them while it was starting
${report.payments} payments acknowledged; in the end ${states.join(', ')}
${report.requests} requests, of which ${report.failedRequests} got no answer and were sent again`);
  for (const problem of report.problems) console.log(`  ${problem}`);
  console.log(
    report.problems.length === 0
      ? 'PASSED: no acknowledged write is lost, nobody paid twice, and the books equal the providers’.'
      : `FAILED: ${report.problems.length} problems.`,
  );
}

if (import.meta.main) main().catch(endWith);
