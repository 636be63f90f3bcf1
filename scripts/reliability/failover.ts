import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { callPath } from '../../contract/calls.ts';
import { openDatabase } from '../../server/src/db/database.ts';
import { Random } from '../../server/src/simulation/random.ts';
import { createPostgres } from '../../server/src/testing/database.ts';
import { listenForSignals, undoOnSignal } from '../end-with-us.ts';
import { freePort } from '../free-port.ts';
import { type PostgresPair, startPostgresPair } from '../patroni.ts';
import { endWith, Refusal } from '../progress.mjs';
import type { Service } from '../service.ts';
import { readBooks } from './compare-books.ts';
import { type Customers, startCustomers } from './customers.ts';
import { passTime, type Site, startSite } from './site.ts';
import { judge, type Verdict } from './verdict.ts';

export interface FailoverReport extends Verdict {
  lost: string;
  leader: string | null;
  /** Seconds from the kill to the first order acknowledged after it. */
  secondsWithout: number;
  paymentsBefore: number;
  payments: number;
  requests: number;
  failedRequests: number;
  isSameProcess: boolean;
}

export interface FailoverOptions {
  seed: number;
  /** Duration of the load before and after the loss. */
  seconds: number;
  onProgress?: (line: string) => void;
}

const backWithinSeconds = 60;

/** Kills the primary under load; acknowledged payments must survive and the portal must recover by itself. */
export async function runFailover(options: FailoverOptions): Promise<FailoverReport> {
  const { seed, onProgress = () => {} } = options;
  const folder = await mkdtemp(join(tmpdir(), 'portal-failover-'));
  let pair: PostgresPair | undefined;
  let site: Site | undefined;
  let portal: Service | undefined;
  let customers: Customers | undefined;
  let report: FailoverReport | undefined;
  try {
    pair = await startPostgresPair(folder);
    undoOnSignal(() => rm(folder, { recursive: true, force: true }));
    undoOnSignal(pair.stop);
    const databaseUrl = (await createPostgres(pair.url)).url;
    site = await startSite({ databaseUrl });
    const port = await freePort();
    const url = `http://localhost:${port}`;
    portal = await site.startPortal(port);
    let stoppedByItself: string | null = null;
    void portal.failed.then((sentence) => {
      stoppedByItself = sentence;
    });
    await site.callBackTo(url);
    customers = startCustomers({
      url,
      random: new Random(seed),
      customers: 6,
      walletMode: site.walletMode,
      patienceMs: 2 * backWithinSeconds * 1000,
    });
    await sleep(options.seconds * 1000);
    while (customers.payments.size < 8) await sleep(100);

    const paymentsBefore = customers.payments.size;
    onProgress(`${paymentsBefore} payments acknowledged; the primary is lost now`);
    const since = Date.now();
    const lost = await pair.losePrimary();
    await untilOrdersAreTaken(url, site.walletMode);
    const secondsWithout = (Date.now() - since) / 1000;
    const leader = await pair.leader();
    onProgress(`orders are taken again after ${secondsWithout.toFixed(1)} s; ${leader} leads`);
    await sleep(options.seconds * 1000);
    await customers.stop();

    const running = portal;
    await passTime(site, () => [running], customers);
    const isSent = await isMessageSent(site, url);
    const books = await readBooks(site.sandboxUrl);
    await portal.stop();
    const { db, close } = await openDatabase({ url: databaseUrl });
    const { states, problems } = await judge(db, customers, books);
    await close();
    if (stoppedByItself) problems.push(stoppedByItself);
    if (secondsWithout > backWithinSeconds) problems.push(`it took ${secondsWithout.toFixed(1)} s`);
    if (leader === null || leader === lost) problems.push('no other PostgreSQL leads');
    if (!isSent) problems.push('after the failover no message reached a customer any more');
    const isSameProcess = stoppedByItself === null;
    const payments = customers.payments.size;
    const { counts } = customers;
    report = { states, problems, lost, leader, secondsWithout, paymentsBefore, payments, ...counts, isSameProcess };
    return report;
  } finally {
    await portal?.stop();
    await customers?.stop();
    await pair?.stop();
    const keepFolder = report === undefined || report.problems.length > 0;
    await site?.stop({ keepFolder });
    if (!keepFolder) await rm(folder, { recursive: true, force: true });
    else onProgress(`The logs are kept in ${folder} and ${site?.folder}.`);
  }
}

const post = (url: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5_000),
  });

const order = (number: string, paymentMode: string) => ({
  amount: 1_000,
  mobileNumber: number,
  paymentMobile: number,
  transactionType: 'PREPAID_RECHARGE',
  paymentMode,
});

async function untilOrdersAreTaken(url: string, mode: string): Promise<void> {
  const end = Date.now() + 2 * backWithinSeconds * 1000;
  for (;;) {
    const isTaken = await post(url + callPath('initiate'), order('0392222222', mode)).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isTaken) return;
    if (Date.now() > end) throw new Refusal(`No order was taken for ${2 * backWithinSeconds} s after the loss.`);
    await sleep(100);
  }
}

/** Makes one more purchase and waits for its SMS, since the message queue is in the database too. */
async function isMessageSent({ sandboxUrl, walletMode }: Site, url: string): Promise<boolean> {
  const number = '0393333333';
  const initiated = await post(url + callPath('initiate'), order(number, walletMode));
  const { transactionId } = ((await initiated.json()) as { result: { transactionId: string } }).result;
  await post(url + callPath('process'), { transactionId });
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    const messages = await fetch(`${sandboxUrl}/sandbox/api/lines/${number.slice(1)}/messages`);
    if (((await messages.json()) as unknown[]).length > 0) return true;
    await sleep(300);
  }
  return false;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      times: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  });
  const [times, seconds, seed] = [values.times, values.seconds, values.seed].map(Number);
  if (!(times && seconds && seed)) throw new Refusal('--times, --seconds and --seed must be numbers above 0.');
  listenForSignals();
  let isGood = true;
  for (let time = 0; time < times; time += 1) {
    const since = Date.now();
    const onProgress = (line: string) => console.log(`  ${Math.round((Date.now() - since) / 1000)} s: ${line}`);
    const report = await runFailover({ seed: seed + time, seconds, onProgress });
    printReport(report);
    isGood &&= report.problems.length === 0;
  }
  process.exit(isGood ? 0 : 1);
}

function printReport(report: FailoverReport): void {
  const states = Object.entries(report.states).map(([state, count]) => `${count} ${state}`);
  console.log(`
${report.lost} was lost, ${report.leader} leads: orders were taken again after ${report.secondsWithout.toFixed(1)} s${report.isSameProcess ? ', by the same portal process' : ''}
${report.paymentsBefore} payments acknowledged before, ${report.payments} in all; in the end ${states.join(', ')}
${report.requests} requests, of which ${report.failedRequests} failed and were sent again`);
  for (const problem of report.problems) console.log(`  ${problem}`);
  console.log(
    report.problems.length === 0
      ? 'PASSED: every acknowledged payment is there, all ended, and the books equal the providers’.'
      : `FAILED: ${report.problems.length} problems.`,
  );
}

if (import.meta.main) main().catch(endWith);
