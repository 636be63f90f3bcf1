import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type CallName, callPath, calls } from '../../contract/calls.ts';
import { createPostgres } from '../../server/src/testing/database.ts';
import { listenForSignals, undoOnSignal } from '../end-with-us.ts';
import { freePort } from '../free-port.ts';
import { patience } from '../patience.ts';
import { ensurePostgres } from '../postgres.ts';
import { endWith, Refusal } from '../progress.mjs';
import type { Service } from '../service.ts';
import { readBooks } from './compare-books.ts';
import { type Site, startSite } from './site.ts';

interface Pause {
  what: string;
  gateway: 'wallet' | 'mpesa' | 'airtime' | 'card';
  /** The request that does not leave, by its path; the first one unless another is named. */
  path: string;
  nth?: number;
  /** Whether the charging system takes what is delivered. */
  isDeliverable?: boolean;
  /** Whether the quick form tries it: one of each kind of call. */
  isQuick?: true;
  /** How often the provider may have done it in the end. */
  expected: { taken: 0 | 1; delivered: 0 | 1; givenBack: 0 | 1 };
}

const never = { taken: 0, delivered: 0, givenBack: 0 } as const;
const delivered = { taken: 1, delivered: 1, givenBack: 0 } as const;
const givenBack = { taken: 1, delivered: 0, givenBack: 1 } as const;

/** Each call that moves money or goods, stopped right before it is sent. */
const pauses: readonly Pause[] = [
  { what: 'a start', gateway: 'wallet', path: '/merchant/v2/payments/', isQuick: true, expected: never },
  { what: 'a start', gateway: 'mpesa', path: '/mpesa/stkpush/v1/processrequest', expected: never },
  { what: 'a start', gateway: 'card', path: '/v3/payments', expected: never },
  { what: 'a reservation', gateway: 'airtime', path: '/reserveBalance', expected: never },
  { what: 'a delivery', gateway: 'wallet', path: '/topupBalance', expected: delivered },
  { what: 'a delivery', gateway: 'mpesa', path: '/topupBalance', isQuick: true, expected: delivered },
  {
    what: 'a refund',
    gateway: 'wallet',
    path: '/payments/refund',
    isDeliverable: false,
    isQuick: true,
    expected: givenBack,
  },
  { what: 'a reversal', gateway: 'mpesa', path: '/mpesa/reversal', isDeliverable: false, expected: givenBack },
  {
    what: 'a credit',
    gateway: 'airtime',
    path: '/adjustBalance',
    nth: 2,
    isDeliverable: false,
    isQuick: true,
    expected: givenBack,
  },
];

const minute = 60_000;
const pauseMs = 150_000;
/** On the clock of the database: past the lease, past the lag of any system, and past the day that proves "not found". */
const leapsMs = [pauseMs, 11 * minute, 11 * minute, 11 * minute, 30 * minute];

export interface PausesReport {
  lines: string[];
  problems: string[];
}

/**
 * Two portals on one PostgreSQL. The first is stopped with SIGSTOP right before a call leaves, the second takes over and
 * ends the payment, then the first wakes up. It must send nothing.
 */
export async function runPauses(options: {
  databaseUrl: string;
  /** Some of the calls, and clocks are moved on; otherwise 150 seconds are really waited for each time. */
  isQuick?: boolean;
  onProgress?: (line: string) => void;
}): Promise<PausesReport> {
  const site = await startSite({ databaseUrl: options.databaseUrl });
  const report: PausesReport = { lines: [], problems: [] };
  const portals: Service[] = [];
  try {
    const ports = [await freePort(), await freePort()] as const;
    const env = { WALLET_PIN_MODE: '0' };
    const stopBefore = new URL('./stop-before.mjs', import.meta.url).href;
    const other = await site.startPortal(ports[1], { env });
    portals.push(other);
    const urls = ports.map((port) => `http://localhost:${port}`) as [string, string];
    await site.callBackTo(urls[1]);
    let aheadMs = 0;
    for (const pause of pauses.filter((one) => one.isQuick || !options.isQuick)) {
      const name = `${pause.what} by ${pause.gateway}`;
      // Another one each time, so that its clock is right again.
      const stopped = await site.startPortal(ports[0], { env, imports: [stopBefore] });
      portals.push(stopped);
      process.kill(other.pid, 'SIGSTOP');
      stopped.tell({
        stopBefore: { path: pause.path, nth: pause.nth ?? 1, sleepMs: options.isQuick ? pauseMs : 0 },
      });
      const id = await order(pause, { url: urls[0], site });
      if (!(await isStopped(stopped))) {
        report.problems.push(`${name} was never about to be sent`);
        process.kill(other.pid, 'SIGCONT');
        portals.splice(portals.indexOf(stopped), 1);
        await stopped.stop();
        continue;
      }
      process.kill(other.pid, 'SIGCONT');
      if (!options.isQuick) await sleep(pauseMs);
      for (const leap of leapsMs) {
        aheadMs += leap;
        await site.setClock(aheadMs, [other]);
        if (await isOver(urls[1], id)) break;
      }
      process.kill(stopped.pid, 'SIGCONT');
      await sleep(1_500);
      portals.splice(portals.indexOf(stopped), 1);
      await stopped.stop();
      const done = await doneFor(site, pause, id);
      const isRight = JSON.stringify(done) === JSON.stringify(pause.expected);
      const line = `${name}: ${JSON.stringify(done)}`;
      report.lines.push(line);
      if (!isRight) report.problems.push(`${line}, expected ${JSON.stringify(pause.expected)}`);
      options.onProgress?.(`${isRight ? 'held' : 'BROKEN'}  ${line}`);
    }
    return report;
  } finally {
    for (const { pid } of portals) process.kill(pid, 'SIGCONT');
    await Promise.all(portals.map((portal) => portal.stop()));
    await site.stop({ keepFolder: report.problems.length > 0 });
  }
}

let orders = 0;

/** Buys airtime over HTTP; gives the payment's id as soon as there is one, and does not wait for its start. */
async function order({ gateway, isDeliverable = true }: Pause, { url, site }: { url: string; site: Site }) {
  orders += 1;
  const payer = `0391${String(orders).padStart(6, '0')}`;
  const mode = { wallet: site.walletMode, mpesa: 'MPESA', airtime: 'AIRTIME', card: 'PAYMENT_GATEWAY' }[gateway];
  const body = {
    amount: 3_000,
    mobileNumber: isDeliverable ? payer : '0390000012',
    paymentMobile: gateway === 'card' ? '' : payer,
    transactionType: 'PREPAID_RECHARGE',
    paymentMode: mode,
    paymentGateway: gateway === 'card' ? 'CARD' : mode,
    emailId: 'buyer@example.mg',
    confirmRepeat: true,
  };
  let cookie = '';
  const call = async (name: CallName, given: object) => {
    const answer = await fetch(url + callPath(name), {
      method: calls[name].method,
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID(), cookie },
      body: JSON.stringify(given),
    });
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    const { result } = (await answer.json()) as { result: Record<string, string> };
    if (answer.status !== 200) throw new Refusal(`${name} was answered with HTTP ${answer.status}.`);
    return result;
  };
  const proof = gateway === 'airtime' ? await proved(payer, mode, body, { call, site }) : {};
  const isMpesa = gateway === 'mpesa';
  const { transactionId = '' } = await call(isMpesa ? 'mpesaInitiate' : 'initiate', { ...body, ...proof });
  // It is stopped in the middle of this, and answers when it wakes up.
  void call(isMpesa ? 'mpesaProcess' : 'process', { transactionId }).catch(() => {});
  return transactionId;
}

async function proved(
  payer: string,
  paymentMode: string,
  payment: object,
  { call, site }: { call: (name: CallName, given: object) => Promise<Record<string, string>>; site: Site },
) {
  const { refId } = await call('sendCode', { data: { msisdn: payer, paymentMode, payment } });
  for (const end = Date.now() + patience(10_000); Date.now() < end; await sleep(100)) {
    const messages = await fetch(`${site.sandboxUrl}/sandbox/api/lines/${payer.slice(1)}/messages`);
    const [newest] = (await messages.json()) as { text: string }[];
    const otp = newest && /#(\d{6})\b|\b(\d{6})\b/.exec(newest.text);
    if (!otp) continue;
    const answer = await call('verifyCode', {
      data: { refId, otp: otp[1] ?? otp[2], username: payer, paymentMode },
    });
    return { uniqueCode: answer.uniqueCode };
  }
  throw new Refusal('The code did not arrive.');
}

/** Whether the kernel says that the process stands still. */
async function isStopped({ pid }: Service): Promise<boolean> {
  for (const end = Date.now() + patience(40_000); Date.now() < end; await sleep(50)) {
    const state = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.[0];
    if (state === 'T') return true;
  }
  return false;
}

/** Asks as a customer would, for as long as one sweep may take. */
async function isOver(url: string, id: string): Promise<boolean> {
  for (const end = Date.now() + patience(4_000); Date.now() < end; await sleep(250)) {
    const answer = await fetch(`${url}${callPath('transactionStatus')}?tid=${id}`);
    const { result } = (await answer.json()) as { result: { final?: boolean; money?: { state: string } } };
    if (result?.final) return true;
  }
  return false;
}

async function doneFor(site: Site, { gateway }: Pause, id: string) {
  const books = await readBooks(site.sandboxUrl);
  const money = books[gateway]?.[id];
  return {
    taken: Number((money?.taken ?? 0) > 0),
    delivered: books.charging[id]?.count ?? 0,
    givenBack: (money?.givenBack ?? 0) / 3_000,
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  listenForSignals();
  const postgres = await ensurePostgres();
  const keep = undoOnSignal(() => postgres.stop());
  const database = await createPostgres(postgres.url, { migrated: true });
  const { lines, problems } = await runPauses({
    databaseUrl: database.url,
    isQuick: values.quick,
    onProgress: (line) => console.log(`  ${line}`),
  }).finally(async () => {
    await database.drop();
    await postgres.stop();
    keep();
  });
  console.log(
    problems.length === 0
      ? `PASSED: ${lines.length} calls were about to leave when their process was stopped for 150 s, and none left when it woke.`
      : `FAILED: ${problems.length} problems.`,
  );
  process.exit(problems.length === 0 ? 0 : 1);
}

if (import.meta.main) main().catch(endWith);
