import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { type CallName, callPath } from '../../contract/calls.ts';
import type { Challenge } from '../../contract/challenge.ts';
import { challengeAnswer, challengeHeader } from '../../contract/challenge-header.ts';
import { standardBudgets } from '../../domain/budgets.ts';
import { baseBits, reservedShare } from '../../domain/challenge/difficulty.ts';
import { openDatabase } from '../../server/src/db/database.ts';
import { createVisits } from '../../server/src/http/visits.ts';
import { createPostgres } from '../../server/src/testing/database.ts';
import { listenForSignals, undoOnSignal } from '../end-with-us.ts';
import { freePort } from '../free-port.ts';
import { patience } from '../patience.ts';
import { ensurePostgres } from '../postgres.ts';
import { endWith, Refusal } from '../progress.mjs';
import { startSite } from './site.ts';

export interface FloodOptions {
  databaseUrl: string;
  seconds: number;
  customers: number;
  /** The attacker's requests per second, from `addresses` addresses. */
  perSecond: number;
  addresses: number;
  /** Whether the attacker solves challenges, with one processor. */
  isSolving: boolean;
  /** What is left of the global code budget when the customers arrive. */
  left: number;
  onProgress?: (line: string) => void;
}

export interface FloodReport {
  /** Counts by outcome: `through`, or why not. */
  customers: Record<string, number>;
  /** The same for customers from networks without history. */
  newcomers: Record<string, number>;
  /** Milliseconds from request to code, sorted. */
  waits: number[];
  attack: { asked: number; sent: number; challenged: number; solved: number; refused: number; hashes: number };
  /** Percentage of customers who got their code and verified it. */
  share: number;
}

/** Percentage of customers who must get through (SEC-19). */
export const bar = 95;
/** How long an old phone takes for the cheapest challenge; a machine like this takes a twentieth. */
const phoneMs = 1_000;
const networks = 10;
/** Customers from each network on the day before the attack. */
const earlierPeople = 4;
/** One in this many customers comes from a network without history. */
const newcomerIn = 10;
const codePatienceMs = patience(20_000);

interface Answer {
  status: number;
  result: Record<string, string> | null;
  challenge: Challenge | undefined;
}

type Ask = (name: CallName, body: object, from: { address: string; visit: string; solved?: string }) => Promise<Answer>;

/** Sends requests as a trusted proxy would, which states the client's address. */
const proxied =
  (url: string): Ask =>
  async (name, body, { address, visit, solved }) => {
    const answer = await fetch(`${url}${callPath(name)}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': address,
        cookie: visits.cookie(visit),
        ...(solved ? { [challengeHeader]: solved } : {}),
      },
      body: JSON.stringify(body),
    });
    const { result, error } = (await answer.json()) as {
      result: Record<string, string> | null;
      error?: { challenge?: Challenge };
    };
    return { status: answer.status, result, challenge: error?.challenge };
  };

interface Solver {
  solve(challenge: Challenge): Promise<string>;
  waiting(): number;
  stop(): Promise<unknown>;
}

function startSolver(): Solver {
  const worker = new Worker(new URL('./flood-solver.ts', import.meta.url));
  const open = new Map<number, (solution: string) => void>();
  let last = 0;
  worker.on('message', ({ id, solution }: { id: number; solution: string }) => {
    open.get(id)?.(solution);
    open.delete(id);
  });
  return {
    solve: ({ token, salt, bits }) =>
      new Promise((resolve) => {
        last += 1;
        open.set(last, (solution) => resolve(challengeAnswer(token, 'work', solution)));
        worker.postMessage({ id: last, salt, bits });
      }),
    waiting: () => open.size,
    stop: () => worker.terminate(),
  };
}

const secret = randomBytes(32).toString('hex');
/** The session cookies that the portal sets with its pages. */
const visits = createVisits({ secret, isSecure: false });
const ownNumber = () => `039${String(randomInt(1_000_000, 10_000_000))}`;
const count = (counts: Record<string, number>, what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};

/** Floods a portal for minutes while customers request, read and enter codes. */
export async function runFlood(options: FloodOptions): Promise<FloodReport> {
  const { databaseUrl, seconds, isSolving, onProgress = () => {} } = options;
  const site = await startSite({ databaseUrl });
  const solvers = { customers: startSolver(), attacker: startSolver() };
  const { db, close } = await openDatabase({ url: databaseUrl });
  const report: FloodReport = {
    customers: {},
    newcomers: {},
    waits: [],
    attack: { asked: 0, sent: 0, challenged: 0, solved: 0, refused: 0, hashes: 0 },
    share: 0,
  };
  try {
    const env = { PORTAL_SECRET: secret, RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1,::1' };
    const port = await freePort();
    const portal = await site.startPortal(port, { env });
    try {
      const ask = proxied(`http://127.0.0.1:${port}`);
      const buy = customerOf({ ask, sandboxUrl: site.sandboxUrl, solver: solvers.customers });
      for (let round = 0; round < earlierPeople; round += 1)
        await Promise.all(
          Array.from({ length: networks }, (_, network) => buy(`198.51.${network}.${randomInt(1, 255)}`)),
        );
      const used = standardBudgets.codeSmsAll.most - options.left;
      const isOfAll = (key: string) => key.startsWith('budget-codeSmsAll:');
      const rows = await db.selectFrom('rate_limits').selectAll().orderBy('window_start', 'desc').execute();
      const newest = rows.find(({ key }) => isOfAll(key));
      if (!newest) throw new Error('nobody drew on the budget of all');
      await db
        .updateTable('rate_limits')
        .set({ count: used })
        .where('key', '=', newest.key)
        .where('window_start', '=', newest.window_start)
        .execute();
      onProgress(`${networks * earlierPeople} people came before; the attack has used up ${used} codes of ten minutes`);

      const until = Date.now() + seconds * 1000;
      const attack = flood({ ask, solver: isSolving ? solvers.attacker : null, until, options, report });
      const everyMs = (seconds * 1000) / options.customers;
      const people: Promise<void>[] = [];
      for (let index = 0; index < options.customers; index += 1) {
        const isNew = index % newcomerIn === newcomerIn - 1;
        const address = isNew
          ? `192.0.${index}.${randomInt(1, 255)}`
          : `198.51.${index % networks}.${randomInt(1, 255)}`;
        people.push(
          buy(address).then(({ outcome, waitMs }) => {
            count(report.customers, outcome);
            if (isNew) count(report.newcomers, outcome);
            if (outcome === 'through') report.waits.push(waitMs);
          }),
        );
        if (index % 50 === 49) onProgress(`${index + 1} customers came`);
        await sleep(everyMs);
      }
      await Promise.all([...people, attack]);
    } finally {
      await portal.stop();
    }
    report.waits.sort((one, other) => one - other);
    report.share = (100 * (report.customers.through ?? 0)) / options.customers;
    return report;
  } finally {
    await Promise.all([solvers.customers.stop(), solvers.attacker.stop(), close()]);
    await site.stop();
  }
}

/** Requests a code, solves the challenge as slowly as a phone, reads the SMS and enters the code. */
function customerOf({ ask, sandboxUrl, solver }: { ask: Ask; sandboxUrl: string; solver: Solver }) {
  async function codeOf(number: string): Promise<string | null> {
    const until = Date.now() + codePatienceMs;
    while (Date.now() < until) {
      const answer = await fetch(`${sandboxUrl}/sandbox/api/lines/${number.slice(1)}/messages`);
      const messages = (await answer.json()) as { text: string }[];
      const code = /#(\d{6})$/.exec(messages[0]?.text ?? '')?.[1];
      if (code) return code;
      await sleep(50);
    }
    return null;
  }

  return async (address: string): Promise<{ outcome: string; waitMs: number }> => {
    const since = Date.now();
    const number = ownNumber();
    const who = { address, visit: visits.start(address) };
    const body = { data: { msisdn: number } };
    let answer = await ask('sendCode', body, who);
    for (let asked = 0; answer.challenge && asked < 3; asked += 1) {
      const { challenge } = answer;
      const [solved] = await Promise.all([solver.solve(challenge), sleep(phoneMs * 2 ** (challenge.bits - baseBits))]);
      answer = await ask('sendCode', body, { ...who, solved });
    }
    const refId = answer.result?.refId;
    if (!refId) return { outcome: `refused with ${answer.status}`, waitMs: 0 };
    const otp = await codeOf(number);
    if (!otp) return { outcome: 'no SMS came', waitMs: 0 };
    const waitMs = Date.now() - since;
    const verified = await ask('verifyCode', { data: { refId, otp } }, who);
    return { outcome: verified.status === 200 ? 'through' : `not verified: ${verified.status}`, waitMs };
  };
}

interface Flood {
  ask: Ask;
  solver: Solver | null;
  until: number;
  options: FloodOptions;
  report: FloodReport;
}

/** Requests codes for made-up numbers and emails from many addresses, and reads none. */
async function flood({ ask, solver, until, options, report: { attack } }: Flood): Promise<void> {
  // Each address in a network of its own, the best case for an attacker.
  const from = Array.from({ length: options.addresses }, (_, index) => {
    const address =
      index % 2
        ? `${20 + (index >> 12)}.${(index >> 6) & 63}.${index & 63}.9`
        : `2001:db8:${index.toString(16)}::${randomInt(1, 9_999)}`;
    return { address, visit: visits.start(address) };
  });
  const open: Promise<void>[] = [];
  const note = ({ status, challenge }: Answer) => {
    if (status === 200) attack.sent += 1;
    else if (!challenge) attack.refused += 1;
  };
  async function once(index: number): Promise<void> {
    const who = from[index % from.length] as (typeof from)[number];
    const isMail = index % 5 === 4;
    const [name, body] = isMail
      ? (['sendLeadCode', madeUpLead()] as const)
      : (['sendCode', { data: { msisdn: ownNumber() } }] as const);
    attack.asked += 1;
    const answer = await ask(name, body, who);
    note(answer);
    if (!answer.challenge) return;
    attack.challenged += 1;
    if (!solver || solver.waiting() > 4) return;
    attack.hashes += 2 ** answer.challenge.bits;
    const solved = await solver.solve(answer.challenge);
    attack.solved += 1;
    note(await ask(name, body, { ...who, solved }));
  }
  const since = Date.now();
  for (let index = 0; Date.now() < until; index += 1) {
    open.push(once(index).catch(() => {}));
    await sleep(Math.max(since + ((index + 1) * 1000) / options.perSecond - Date.now(), 0));
  }
  await Promise.all(open);
}

const madeUpLead = () => ({
  email: `${randomBytes(6).toString('hex')}@made.example`,
  customerDetails: { fullName: 'Made Up' },
  requestType: 'HBB',
});

/** Two minutes, starting when the attack has used up the unreserved budget. */
const whole = { seconds: 120, customers: 200, left: standardBudgets.codeSmsAll.most * reservedShare };
/** Short form: so little budget is left that without a challenge it is gone in five seconds. */
export const quick = { seconds: 10, customers: 30, left: 80 };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string', default: String(whole.seconds) },
      customers: { type: 'string', default: String(whole.customers) },
    },
  });
  const asked = { ...whole, seconds: Number(values.seconds), customers: Number(values.customers) };
  const size = values.quick ? quick : asked;
  if (!(size.seconds > 0 && size.customers > 0)) throw new Refusal('--seconds and --customers must be above 0.');
  listenForSignals();
  const postgres = await ensurePostgres();
  undoOnSignal(postgres.stop);
  let isGood = true;
  try {
    for (const isSolving of values.quick ? [true] : [false, true]) {
      const database = await createPostgres(postgres.url, { migrated: true });
      const since = Date.now();
      const onProgress = (line: string) => console.log(`  ${Math.round((Date.now() - since) / 1000)} s: ${line}`);
      console.log(isSolving ? 'An attacker who solves challenges:' : 'An attacker who does not solve challenges:');
      const report = await runFlood({
        databaseUrl: database.url,
        ...size,
        perSecond: 20,
        addresses: 4_000,
        isSolving,
        onProgress,
      }).finally(database.drop);
      printReport(report, size);
      if (report.share < bar) isGood = false;
    }
  } finally {
    await postgres.stop();
  }
  console.log(isGood ? `PASSED: at least ${bar} of 100.` : `FAILED: fewer than ${bar} of 100.`);
  process.exit(isGood ? 0 : 1);
}

function printReport({ customers, newcomers, waits, attack, share }: FloodReport, size: typeof quick): void {
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([outcome, times]) => `${times} ${outcome}`)
      .join(', ');
  const at = (part: number) => ((waits[Math.floor((waits.length - 1) * part)] ?? 0) / 1000).toFixed(1);
  console.log(`  ${size.customers} customers in ${size.seconds} s: ${list(customers)} (${share.toFixed(1)} of 100)
    of these from networks where nobody was before: ${list(newcomers)}
    from asking to the code: half within ${at(0.5)} s, 95 of 100 within ${at(0.95)} s
  Attack: ${attack.asked} requests; ${attack.sent} codes sent, ${attack.challenged} challenges, ${attack.solved} solved by ${(attack.hashes / 1e6).toFixed(0)} million hashes, ${attack.refused} refused`);
}

if (import.meta.main) main().catch(endWith);
