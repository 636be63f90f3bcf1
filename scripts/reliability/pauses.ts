import { constants, createPublicKey, publicEncrypt, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type CallName, callPath, calls } from '../../contract/calls.ts';
import { cards, HostedVisitor } from '../../sandbox/src/hosted/hosted-visitor.fixture.ts';
import { createPostgres } from '../../server/src/testing/database.ts';
import { listenForSignals, undoOnSignal } from '../end-with-us.ts';
import { freePort } from '../free-port.ts';
import { patience } from '../patience.ts';
import { ensurePostgres } from '../postgres.ts';
import { endWith, Refusal } from '../progress.mjs';
import type { Service } from '../service.ts';
import { readBooks } from './compare-books.ts';
import { type Site, startSite } from './site.ts';

type Gateway = 'wallet' | 'mpesa' | 'smartcash' | 'airtime' | 'card' | 'orange' | 'paystack';

interface Pause {
  what: string;
  gateway: Gateway;
  /** Path of the request that is held back; the first such request unless `nth` is given. */
  path: string;
  nth?: number;
  /** Whether the charging system accepts the delivery. */
  isDeliverable?: boolean;
  /** Part of the quick form, which tries one of each kind of call. */
  isQuick?: true;
  /** How often the provider must have done each in the end. */
  expected: { taken: 0 | 1; delivered: 0 | 1; givenBack: 0 | 1 };
}

const never = { taken: 0, delivered: 0, givenBack: 0 } as const;
const delivered = { taken: 1, delivered: 1, givenBack: 0 } as const;
const givenBack = { taken: 1, delivered: 0, givenBack: 1 } as const;

/** Each call that moves money or goods; the process is stopped right before sending it. */
const pauses: readonly Pause[] = [
  { what: 'a start', gateway: 'wallet', path: '/merchant/v2/payments/', isQuick: true, expected: never },
  { what: 'a start', gateway: 'mpesa', path: '/mpesa/stkpush/v1/processrequest', expected: never },
  { what: 'a start', gateway: 'card', path: '/v3/payments$', expected: never },
  { what: 'a start', gateway: 'orange', path: '/webpayment$', expected: never },
  { what: 'a start', gateway: 'smartcash', path: '/v1/payments$', expected: never },
  { what: 'a start', gateway: 'paystack', path: '/transaction/initialize$', expected: never },
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
  { what: 'a refund', gateway: 'card', path: '/refund$', isDeliverable: false, expected: givenBack },
  { what: 'a refund', gateway: 'orange', path: '/refund$', isDeliverable: false, expected: givenBack },
  { what: 'a refund', gateway: 'smartcash', path: '/refunds$', isDeliverable: false, expected: givenBack },
  { what: 'a refund', gateway: 'paystack', path: '/refund$', isDeliverable: false, expected: givenBack },
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

const amount = 3_000;
const minute = 60_000;
const pauseMs = 150_000;
/** By the database's clock: past the lease, past every system's lag, and past the day that proves "not found". */
const leapsMs = [pauseMs, 11 * minute, 11 * minute, 11 * minute, 30 * minute];

export interface PausesReport {
  lines: string[];
  problems: string[];
}

/** Paystack settles naira but not ariary, so it is tried with another operator's pack. */
const operatorOf = ({ gateway }: Pause) => (gateway === 'paystack' ? 'ng' : 'mg');

/**
 * Two portals on one PostgreSQL. The first is stopped with SIGSTOP right before a call leaves, the second takes over and
 * ends the payment, then the first wakes up. It must send nothing.
 */
export async function runPauses(options: {
  /** An empty database for each operator. */
  newDatabase: () => Promise<{ url: string; drop: () => Promise<void> }>;
  /** One call of each kind instead of all. */
  isQuick?: boolean;
  /** Moves clocks ahead instead of waiting 150 real seconds each time; implied by the quick form. */
  leaps?: boolean;
  onProgress?: (line: string) => void;
}): Promise<PausesReport> {
  const report: PausesReport = { lines: [], problems: [] };
  const chosen = pauses.filter((one) => one.isQuick || !options.isQuick);
  for (const operator of new Set(chosen.map(operatorOf))) {
    const database = await options.newDatabase();
    const own = chosen.filter((one) => operatorOf(one) === operator);
    const leaps = options.leaps || options.isQuick;
    await runOperator(operator, own, { ...options, leaps, databaseUrl: database.url, report }).finally(database.drop);
  }
  return report;
}

async function runOperator(
  operator: string,
  chosen: readonly Pause[],
  options: {
    databaseUrl: string;
    leaps?: boolean | undefined;
    onProgress?: (line: string) => void;
    report: PausesReport;
  },
): Promise<void> {
  const { report } = options;
  const site = await startSite({ databaseUrl: options.databaseUrl, operator });
  const portals: Service[] = [];
  try {
    const ports = [await freePort(), await freePort()] as const;
    const env = { WALLET_PIN_MODE: '0' };
    const stopBefore = new URL('./stop-before.mjs', import.meta.url).href;
    const other = await site.startPortal(ports[1], { env });
    portals.push(other);
    const urls = ports.map((port) => `http://localhost:${port}`) as [string, string];
    // Callbacks go to the first portal, which is running while the provider decides; the second one enquires.
    await site.callBackTo(urls[0]);
    let aheadMs = 0;
    for (const pause of chosen) {
      const name = `${pause.what} by ${pause.gateway}`;
      // A new process each time, so that its clock is right.
      const stopped = await site.startPortal(ports[0], { env, imports: [stopBefore] });
      portals.push(stopped);
      process.kill(other.pid, 'SIGSTOP');
      stopped.send({
        stopBefore: { path: pause.path, nth: pause.nth ?? 1, sleepMs: options.leaps ? pauseMs : 0 },
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
      if (!options.leaps) await sleep(pauseMs);
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
  } finally {
    for (const { pid } of portals) process.kill(pid, 'SIGCONT');
    await Promise.all(portals.map((portal) => portal.stop()));
    await site.stop({ keepFolder: report.problems.length > 0 });
  }
}

let orders = 0;

type Call = (name: CallName, given: object, headers?: Record<string, string>) => Promise<Record<string, unknown>>;

/** A line of the sandbox: the operator's prefix and seven digits. */
const lineOf = (gateway: Gateway, digits: string) => (gateway === 'paystack' ? `0939${digits}` : `039${digits}`);

/** Buys airtime over HTTP; resolves with the payment's id without waiting for its start. */
async function order({ gateway, isDeliverable = true }: Pause, { url, site }: { url: string; site: Site }) {
  orders += 1;
  const payer = lineOf(gateway, `1${String(orders).padStart(6, '0')}`);
  const byCard = gateway === 'card' || gateway === 'orange' || gateway === 'paystack';
  const mode = {
    wallet: site.walletMode,
    mpesa: 'MPESA',
    smartcash: 'SMARTCASH_SECURE',
    airtime: 'AIRTIME',
    card: 'PAYMENT_GATEWAY',
    orange: 'PAYMENT_GATEWAY',
    paystack: 'PAYMENT_GATEWAY',
  }[gateway];
  const body = {
    amount,
    mobileNumber: isDeliverable ? payer : lineOf(gateway, '0000012'),
    paymentMobile: byCard ? '' : payer,
    transactionType: 'PREPAID_RECHARGE',
    paymentMode: mode,
    paymentGateway: byCard ? gateway.toUpperCase() : mode,
    emailId: 'buyer@example.mg',
    confirmRepeat: true,
  };
  let cookie = '';
  const call: Call = async (name, given, headers = {}) => {
    const answer = await fetch(url + callPath(name), {
      method: calls[name].method,
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID(), cookie, ...headers },
      body: JSON.stringify(given),
    });
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    const { result, message } = (await answer.json()) as { result: Record<string, unknown>; message: string };
    if (answer.status !== 200) throw new Refusal(`${name} was answered with HTTP ${answer.status}: ${message}`);
    return result;
  };
  if (gateway === 'smartcash') return orderByPin(payer, body, { call, site });
  const proof =
    gateway === 'airtime'
      ? { uniqueCode: (await proved(payer, body, { verify: 'verifyCode', call, site })).uniqueCode }
      : {};
  const isMpesa = gateway === 'mpesa';
  const { transactionId } = await call(isMpesa ? 'mpesaInitiate' : 'initiate', { ...body, ...proof });
  // The process may be stopped during this call, and then responds when it wakes up.
  const processed = call(isMpesa ? 'mpesaProcess' : 'process', { transactionId });
  const paidThen = async (started: Record<string, unknown>) => {
    if (byCard) await payOnPage(started, site);
  };
  processed.then(paidThen).catch(() => {});
  return String(transactionId);
}

/** The PIN is encrypted for its payment; the process is stopped while it sends it, or later. */
async function orderByPin(
  payer: string,
  body: { paymentMode: string },
  { call, site }: { call: Call; site: Site },
): Promise<string> {
  const { tokenType, accessToken } = await proved(payer, body, { verify: 'verifyUser', call, site });
  const headers = { authorization: `${tokenType} ${accessToken}` };
  const { transactionId, encryptionKeyDetails } = await call('authInitiate', body, headers);
  const { key, keyId, nonce } = encryptionKeyDetails as Record<'key' | 'keyId' | 'nonce', string>;
  const publicKey = {
    key: createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }),
    padding: constants.RSA_PKCS1_OAEP_PADDING,
    oaepHash: 'sha256',
    oaepLabel: Buffer.from(String(transactionId)),
  };
  const amPin = publicEncrypt(publicKey, Buffer.from(`${nonce}.1234`)).toString('base64');
  void call('authProcess', { transactionId, amPin, amPinKeyId: keyId }, headers).catch(() => {});
  return String(transactionId);
}

/** Pays on the gateway's hosted page. */
async function payOnPage(started: Record<string, unknown>, { sandboxUrl }: Site): Promise<void> {
  const { redirectUrl = '', popup } = started as { redirectUrl?: string; popup?: { accessCode: string } };
  const address = popup ? `${sandboxUrl}/paystack/checkout/${popup.accessCode}` : redirectUrl;
  const page = await new HostedVisitor(address).open();
  if (page.text.includes('name="expiry"')) await page.payWithCard(cards.pays);
  else {
    await page.fill({ number: '0390000001' });
    await page.fill({ code: '1234' });
  }
}

async function proved(
  payer: string,
  payment: { paymentMode: string },
  { verify, call, site }: { verify: 'verifyCode' | 'verifyUser'; call: Call; site: Site },
): Promise<Record<string, unknown>> {
  const { paymentMode } = payment;
  const { refId } = await call('sendCode', { data: { msisdn: payer, paymentMode, payment } });
  for (const end = Date.now() + patience(10_000); Date.now() < end; await sleep(100)) {
    const messages = await fetch(`${site.sandboxUrl}/sandbox/api/lines/${payer.slice(1)}/messages`);
    const [newest] = (await messages.json()) as { text: string }[];
    const otp = newest && /#(\d{6})\b|\b(\d{6})\b/.exec(newest.text);
    if (!otp) continue;
    return call(verify, { data: { refId, otp: otp[1] ?? otp[2], username: payer, paymentMode } });
  }
  throw new Refusal('The code did not arrive.');
}

/** Whether the kernel reports the process as stopped. */
async function isStopped({ pid }: Service): Promise<boolean> {
  for (const end = Date.now() + patience(40_000); Date.now() < end; await sleep(50)) {
    const state = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.[0];
    if (state === 'T') return true;
  }
  return false;
}

/** Polls the status like a customer, for as long as one sweep may take. */
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
    givenBack: (money?.givenBack ?? 0) / (gateway === 'paystack' ? amount * 100 : amount),
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, leap: { type: 'boolean', default: false } },
  });
  listenForSignals();
  const postgres = await ensurePostgres();
  const cancelUndo = undoOnSignal(() => postgres.stop());
  const { lines, problems } = await runPauses({
    newDatabase: () => createPostgres(postgres.url, { migrated: true }),
    isQuick: values.quick,
    leaps: values.leap,
    onProgress: (line) => console.log(`  ${line}`),
  }).finally(async () => {
    await postgres.stop();
    cancelUndo();
  });
  console.log(
    problems.length === 0
      ? `PASSED: ${lines.length} calls were about to leave when their process was stopped for 150 s, and none left when it woke.`
      : `FAILED: ${problems.length} problems.`,
  );
  process.exit(problems.length === 0 ? 0 : 1);
}

if (import.meta.main) main().catch(endWith);
