import { randomUUID } from 'node:crypto';
import { Agent, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { ensurePostgres } from '../scripts/postgres.ts';
import { createPostgres } from '../server/src/testing/database.ts';
import { openStream } from '../server/src/testing/event-stream.ts';
import { cpuMsOf, load, residentBytesOf } from './load.ts';
import { orderFor, portalCalls } from './order.ts';
import { benchSecret, statusPaymentId, statusPayments, storeStatusPayments } from './payment-rows.ts';
import { openPortal } from './portal.ts';
import { holdBar, median, printHeading, printTable } from './report.ts';

// LIV-1: pages waiting on one process, each with an event stream and polling every thirty seconds. Some payments are
// approved at the provider; measures how much later their pages get the event, and the response 'SUCCESS'.
const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: String(statusPayments) },
    approvals: { type: 'string', default: '300' },
    'per-second': { type: 'string', default: '10' },
    /** Polling interval of a page in seconds, thirty while its stream is open; 0 measures the streams alone. */
    'poll-every': { type: 'string', default: '30' },
  },
});
const streams = Math.min(Number(values.streams), statusPayments);
const approvals = Number(values.approvals);
const pollEveryMs = Number(values['poll-every']) * 1_000;
const idleSeconds = 20;

const postgres = await ensurePostgres({ isDurable: true });
const { url: databaseUrl } = await createPostgres(postgres.url);
const { stack, close } = await openPortal({
  databaseUrl,
  approveAfterMs: 3_600_000,
  promptExpiryMs: 7_200_000,
  env: { PORTAL_SECRET: benchSecret, LIVE_STREAMS: String(streams + approvals) },
});
const origin = stack.url.replace('localhost', '127.0.0.1');
const agent = new Agent({ keepAlive: true });
let failed = 0;

/** Uses node:http, because `fetch` would use more processor time than what is measured. */
function ask(address: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    get(address, { agent }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => {
        if (answer.statusCode !== 200) failed += 1;
        resolve(JSON.parse(text));
      });
    }).on('error', reject);
  });
}

const post = async (address: string, body: object) => {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  return (text ? JSON.parse(text) : {}) as { result: { transactionId: string } };
};
const statusOf = async (id: string) =>
  ((await ask(`${origin}${portalCalls}/status?tid=${id}`)).result as { status: string }).status;

interface Waiting {
  id: string;
  promptId: string;
}

/** A payment for a separate line, awaiting its payer. */
async function waiting(line: number): Promise<Waiting> {
  const { transactionId: id } = (await post(`${origin}${portalCalls}/initiate`, orderFor(line))).result;
  await post(`${origin}${portalCalls}/process`, { transactionId: id });
  const number = `39${String(line).padStart(7, '0')}`;
  const prompts = (await ask(`${stack.sandboxUrl}/sandbox/api/lines/${number}/prompts`)) as unknown as { id: string }[];
  return { id, promptId: prompts[0]?.id ?? '' };
}

/** Milliseconds from the payer's approval to the first event, and to the response with SUCCESS. */
async function approve({ id, promptId }: Waiting): Promise<{ toldMs: number; thankedMs: number }> {
  const stream = await openStream(origin, id);
  const since = performance.now();
  const told: Promise<number> = new Promise((resolve) => {
    stream.onEvent(() => resolve(performance.now() - since));
  });
  const thanked: Promise<number> = new Promise((resolve) => {
    stream.onEvent(async () => {
      if ((await statusOf(id)) === 'SUCCESS') resolve(performance.now() - since);
    });
  });
  await post(`${stack.sandboxUrl}/sandbox/api/prompts/${promptId}`, { action: 'approve' });
  const measured = { toldMs: await told, thankedMs: await thanked };
  stream.close();
  return measured;
}

const percentile = (numbers: number[], percent: number) =>
  numbers.toSorted((one, other) => one - other)[Math.ceil((numbers.length * percent) / 100) - 1] ?? Number.NaN;

async function inTurns<T, R>(items: T[], atOnce: number, run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let first = 0; first < items.length; first += atOnce)
    results.push(...(await Promise.all(items.slice(first, first + atOnce).map(run))));
  return results;
}

const db = new pg.Client(databaseUrl);
await db.connect();
try {
  const pending = await inTurns(
    Array.from({ length: approvals }, (_, index) => 1_000 + index),
    10,
    waiting,
  );
  await post(`${origin}${portalCalls}/initiate`, orderFor(9_000));
  await storeStatusPayments(async (text) => (await db.query<Record<string, unknown>>(text)).rows, "state = 'CREATED'");
  const ids = Array.from({ length: streams }, (_, index) => statusPaymentId(index + 1));
  const before = residentBytesOf(stack.pid);
  const opening = cpuMsOf(stack.pid);
  const held = await inTurns(ids, 50, (id) => openStream(origin, id));
  const openMs = (cpuMsOf(stack.pid) - opening) / streams;
  await setTimeout(2_000);
  const kilobytes = (residentBytesOf(stack.pid) - before) / 1024 / streams;
  const idle = cpuMsOf(stack.pid);
  await setTimeout(idleSeconds * 1_000);
  const idlePercent = (cpuMsOf(stack.pid) - idle) / (idleSeconds * 10);

  // Polls like the pages, spread over time: each connection stands for ten pages. Uses wrk, because a client in Node
  // would use more processor time than what is measured.
  const pollSeconds = approvals / Number(values['per-second']) + 10;
  const polling = load({
    url: stack.url,
    pid: stack.pid,
    // Without polling, one client still measures the round trip.
    connections: pollEveryMs > 0 ? streams / 10 : 1,
    seconds: Math.ceil(pollSeconds),
    request: `
      local letters = { ["0"] = "a", ["1"] = "b", ["2"] = "c", ["3"] = "d", ["4"] = "e", ["5"] = "f", ["6"] = "g", ["7"] = "h", ["8"] = "j", ["9"] = "k" }
      local id = tostring(math.random(1, ${statusPayments})):gsub("%d", letters)
      return wrk.format("GET", "${portalCalls}/status?tid=" .. string.rep("z", 26 - #id) .. id)
      end
      function delay()
      return math.random(0, ${(pollEveryMs / 10 || 1_000) * 2})`,
  });
  await setTimeout(2_000);
  const paced = performance.now();
  const working = cpuMsOf(stack.pid);
  const measured = await Promise.all(
    pending.map(async (payment, index) => {
      await setTimeout((index * 1_000) / Number(values['per-second']));
      return approve(payment);
    }),
  );
  const busyPercent = ((cpuMsOf(stack.pid) - working) / (performance.now() - paced)) * 100;
  const polls = await polling;
  const open = held.filter(({ status }) => status === 200).length;

  printHeading(
    `${streams} waiting pages on one process, PostgreSQL, ${approvals} approvals, ${values['per-second']} a second`,
  );
  const row = (what: string, numbers: number[]) => [
    what,
    median(numbers),
    percentile(numbers, 95),
    percentile(numbers, 99),
  ];
  printTable(
    ['ms', 'p50', 'p95', 'p99'],
    [
      row(
        'approval to the event',
        measured.map(({ toldMs }) => toldMs),
      ),
      row(
        'approval to SUCCESS in the answer',
        measured.map(({ thankedMs }) => thankedMs),
      ),
      ['a status call meanwhile', polls.p50Ms, '', polls.p99Ms],
    ],
  );
  console.log(
    `\na stream takes ${kilobytes.toFixed(1)} kB and ${openMs.toFixed(2)} ms of processor to open; ${open} idle ones take ${idlePercent.toFixed(1)} % of a core, with all pages asking every ${pollEveryMs / 1_000} s (0: never) and the approvals ${busyPercent.toFixed(0)} %; ${polls.perSecond.toFixed(0)} status calls a second`,
  );
  holdBar(`all ${streams} streams were open at once`, open === streams);
  const over =
    percentile(
      measured.map(({ thankedMs }) => thankedMs),
      95,
    ) - polls.p50Ms;
  holdBar(
    `LIV-1 from approval to SUCCESS at most a second over a round trip at the 95th percentile: ${over.toFixed(0)} ms`,
    over <= 1_000,
  );
  holdBar('no request failed', failed + polls.failed === 0);
  for (const stream of held) stream.close();
} finally {
  agent.destroy();
  await db.end();
  await close();
  await postgres.stop();
}
