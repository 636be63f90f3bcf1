import { callPath } from '@portal/contract/calls.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PhoneClient } from '../../../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../../../sandbox/src/sandbox.ts';
import { buildPortal, type Portal } from '../../app.ts';
import { readConfig } from '../../config/config.ts';
import { openDatabase } from '../../db/database.ts';
import { createLogger } from '../../http/logging.ts';
import { testSecret } from '../../testing/database.ts';
import { type OpenStream, openStream } from '../../testing/event-stream.ts';
import { type TestPortal, testPortal } from '../../testing/portal.ts';
import { visitCookie } from '../../testing/visit-cookie.ts';

let sandbox: Sandbox;
let phone: PhoneClient;
let running: TestPortal;
let origin: string;
const opened: OpenStream[] = [];

beforeAll(async () => {
  // No automatic approval: the tests approve.
  sandbox = await startSandbox({ approveAfterMs: 3_600_000 });
  phone = new PhoneClient(sandbox.http);
  running = await testPortal(sandbox, { liveStreams: 300 });
  origin = await running.portal.http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  for (const stream of opened) stream.close();
  await running.stop();
  await sandbox.stop();
});

const listen = async (tid: string, headers?: Record<string, string>) => {
  const stream = await openStream(origin, tid, headers);
  opened.push(stream);
  return stream;
};

let lines = 0;
/** A payment awaiting its payer, and the prompt on the payer's phone. */
async function waiting(): Promise<{ id: string; promptId: string }> {
  lines += 1;
  const number = `039${String(1_000_000 + lines)}`;
  const call = async (name: 'initiate' | 'process', payload: object) =>
    (await running.portal.http.inject({ method: 'POST', url: callPath(name), payload })).json().result;
  const order = {
    amount: 1_000,
    mobileNumber: number,
    paymentMobile: number,
    transactionType: 'PREPAID_RECHARGE',
    paymentMode: 'FANILO_MONEY',
  };
  const { transactionId: id } = await call('initiate', order);
  expect(await call('process', { transactionId: id })).toMatchObject({ status: 'IN_PROCESS' });
  const [prompt] = await phone.prompts(number.slice(1));
  return { id, promptId: prompt?.id ?? '' };
}

const approve = (promptId: string) => phone.post(`/prompts/${promptId}`, { action: 'approve' });
const statusOf = async (tid: string) =>
  (await running.portal.http.inject({ method: 'GET', url: callPath('transactionStatus'), query: { tid } })).json()
    .result?.status;

/** The process that gets the callbacks: on PostgreSQL a second portal with its own connections. */
async function otherProcess(): Promise<{ address: string; lines: string[]; stop(): Promise<void> }> {
  if (running.database.kind === 'embedded') return { address: origin, lines: running.lines, stop: async () => {} };
  const name = await sql<{ name: string }>`select current_database() as name`.execute(running.database.db);
  const url = new URL(process.env.TEST_POSTGRES_URL ?? '');
  url.pathname = `/${name.rows[0]?.name}`;
  const written: string[] = [];
  const config = readConfig({
    SANDBOX_URL: sandbox.http,
    SMPP_URL: sandbox.smpp,
    SMTP_URL: sandbox.smtp,
    PORTAL_SECRET: testSecret,
  });
  const portal: Portal = await buildPortal(config, {
    database: await openDatabase({ url: url.href, poolSize: 5 }),
    pack: await loadPack('mg'),
    web: null,
    log: createLogger('trace', { write: (line) => void written.push(line) }),
  });
  const address = await portal.http.listen({ port: 0, host: '127.0.0.1' });
  return { address, lines: written, stop: portal.stop };
}

test('LIV-1 (its stream; the second by npm run bench:live) an approval that another process receives reaches the client that waits here, and no other', async () => {
  const other = await otherProcess();
  sandbox.setCallbackBase(other.address);
  const [mine, neighbour] = [await waiting(), await waiting()];
  const stream = await listen(mine.id);
  const unconcerned = await listen(neighbour.id);
  expect(stream.status).toBe(200);
  expect(stream.events).toEqual([]);
  await approve(mine.promptId);
  await expect.poll(() => statusOf(mine.id)).toBe('SUCCESS');
  // One event for paid and one for delivered.
  await expect.poll(() => stream.events).toEqual(['look', 'look']);
  expect(unconcerned.events).toEqual([]);
  expect(other.lines.filter((line) => line.includes('callback received'))).toHaveLength(1);
  await other.stop();
});

test('the stream has the headers that browsers and proxies need, and reveals nothing about the payment', async () => {
  const { id } = await waiting();
  const stream = await listen(id);
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect(stream.headers['content-encoding']).toBeUndefined();
  await expect.poll(stream.text).toMatch(/^retry: \d{4}\ndata: open\n\n$/);
  expect(stream.events).toEqual([]);
});

test('a change before the stream was open is sent at once', async () => {
  const { id, promptId } = await waiting();
  sandbox.setCallbackBase(origin);
  await approve(promptId);
  await expect.poll(() => statusOf(id)).toBe('SUCCESS');
  const late = await listen(id);
  await expect.poll(() => late.events).toEqual(['look']);
});

test.each([
  ['an id that nobody has', 'zzzzzzzzzzzzzzzzzzzzzzzzzz'],
  ['a reference in place of the id', 'ABCDEFGHJKMN'],
  ['what is no id', 'x'],
])('a client with %s gets the response of the polling call, and no stream', async (_what, tid) => {
  const stream = await listen(tid);
  expect(stream.status).toBe(404);
  await stream.ended;
  const polled = await running.portal.http.inject({
    method: 'GET',
    url: callPath('transactionStatus'),
    query: { tid },
  });
  expect(JSON.parse(stream.text())).toEqual(polled.json());
});

test('streams are limited for each visit and each network; closing one frees its place', async () => {
  const { id } = await waiting();
  const visit = { cookie: visitCookie('listener') };
  const open = async (most: number, headers?: Record<string, string>) => {
    const held: OpenStream[] = [];
    while (held.length < most && (await take(held, headers))) {}
    return held;
  };
  const take = async (held: OpenStream[], headers?: Record<string, string>) => {
    const stream = await listen(id, headers);
    if (stream.status === 200) held.push(stream);
    else expect(stream.status).toBe(429);
    return stream.status === 200;
  };
  const ofVisit = await open(20, visit);
  expect(ofVisit).toHaveLength(6);
  const others = await open(280);
  // Streams of earlier tests count for the network too.
  expect(others.length).toBeGreaterThan(200);
  expect(others.length).toBeLessThanOrEqual(244);
  for (const stream of [...ofVisit, ...others]) stream.close();
  await expect.poll(async () => (await listen(id, visit)).status).toBe(200);
});

test('on shutdown the portal ends its streams, says when to reconnect, and does not wait for them', async () => {
  const { id } = await waiting();
  const stream = await listen(id);
  running.portal.turnAway();
  await stream.ended;
  expect(stream.text()).toMatch(/retry: \d{4}\n$/);
  expect((await listen(id)).status).toBe(503);
  await running.portal.http.close();
});
