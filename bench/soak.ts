import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensurePostgres } from '../scripts/postgres.ts';
import { createPostgres } from '../server/src/testing/database.ts';
import { residentBytesOf } from './load.ts';
import { orderFor, portalCalls } from './order.ts';
import { openPortal } from './portal.ts';
import { holdBar, printHeading, printTable } from './report.ts';

// Memory growth under steady load: pages, orders, approved payments, status lookups.
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, 'per-second': { type: 'string', default: '20' } },
});
const postgres = await ensurePostgres();
const { url: databaseUrl } = await createPostgres(postgres.url);
const { stack, close } = await openPortal({ databaseUrl, approveAfterMs: 500 });

const pages = ['/', '/prepaid-recharge', '/sw/data-bundle', '/mg/gethelp', '/table', '/store-locator?q=Antsirabe'];
const counts = { pages: 0, payments: 0, failed: 0 };

async function asked(path: string, init?: RequestInit): Promise<unknown> {
  const answer = await fetch(stack.url + path, init);
  const text = await answer.text();
  if (!answer.ok) counts.failed += 1;
  return text.startsWith('{') ? JSON.parse(text) : null;
}

async function buy(): Promise<void> {
  const post = (path: string, body: object) =>
    asked(`${portalCalls}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    }) as Promise<{ result?: { transactionId?: string } } | null>;
  const order = orderFor(1_000 + Math.floor(Math.random() * 5_000));
  const transactionId = (await post('initiate', order))?.result?.transactionId;
  if (!transactionId) return;
  await post('process', { transactionId, isSubscriberRequest: true, proccessFlag: true });
  for (let time = 0; time < 3; time += 1) {
    await setTimeout(1_000);
    await asked(`${portalCalls}/status?tid=${transactionId}`);
  }
  counts.payments += 1;
}

async function browse(): Promise<void> {
  await asked(pages[counts.pages % pages.length] ?? '/');
  counts.pages += 1;
}

try {
  printHeading(`${values.minutes} minutes at ${values['per-second']} visits a second, one in four of them buys`);
  const started = performance.now();
  const end = started + Number(values.minutes) * 60_000;
  const samples: { minute: number; megabytes: number }[] = [];
  let visits = 0;
  let nextSample = started;
  while (performance.now() < end) {
    void (visits % 4 === 0 ? buy() : browse()).catch(() => {
      counts.failed += 1;
    });
    visits += 1;
    if (performance.now() >= nextSample) {
      const minute = (performance.now() - started) / 60_000;
      samples.push({ minute, megabytes: residentBytesOf(stack.pid) / 1024 / 1024 });
      nextSample += 5_000;
    }
    await setTimeout(Math.max(0, started + (visits * 1_000) / Number(values['per-second']) - performance.now()));
  }
  await setTimeout(5_000);
  const part = (from: number, to: number) => {
    const within = samples.filter(
      ({ minute }) => minute >= from * Number(values.minutes) && minute < to * Number(values.minutes),
    );
    return within.reduce((sum, { megabytes }) => sum + megabytes, 0) / within.length;
  };
  const fifths = [0, 0.2, 0.4, 0.6, 0.8].map((from) => part(from, from + 0.2));
  printTable(['', '1st fifth', '2nd', '3rd', '4th', 'last'], [['resident MB', ...fifths]]);
  console.log(`\n${visits} visits, ${counts.payments} payments, ${counts.failed} requests failed`);
  const growth = (fifths[4] ?? 0) / (fifths[2] ?? 1);
  // The first part is warm-up: code is compiled, caches and pools fill.
  holdBar(`memory of the last fifth is ${growth.toFixed(2)} of the middle one (at most 1.1)`, growth <= 1.1);
  holdBar('no request failed', counts.failed === 0);
} finally {
  await close();
  await postgres.stop();
}
