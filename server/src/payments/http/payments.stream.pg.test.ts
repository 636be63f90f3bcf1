import { callPath } from '@portal/contract/calls.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PhoneClient } from '../../../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../../../sandbox/src/sandbox.ts';
import { openStream } from '../../testing/event-stream.ts';
import { type TestPortal, testPortal } from '../../testing/portal.ts';

let sandbox: Sandbox;
let running: TestPortal;
let origin: string;

beforeAll(async () => {
  sandbox = await startSandbox({ approveAfterMs: 3_600_000 });
  running = await testPortal(sandbox, { metricsKey: 'a key for the figures', liveStreams: 5 });
  origin = await running.portal.http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await running.stop();
  await sandbox.stop();
});

const number = '0390000001';
const call = async (name: 'initiate' | 'process', payload: object) =>
  (await running.portal.http.inject({ method: 'POST', url: callPath(name), payload })).json().result;

async function figure(name: string): Promise<number> {
  const headers = { authorization: 'Bearer a key for the figures' };
  const { body } = await running.portal.http.inject({ method: 'GET', url: '/metrics', headers });
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(body)?.[1]);
}

/** Terminates the LISTEN connections, and returns how many there were. */
async function breakListening(): Promise<number> {
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ~* '^(listen|notify) live_topics'`.execute(running.database.db);
  return rows.length;
}

test('LIV-1 (a lost connection; the second by npm run bench:live) one LISTEN connection serves all streams; when it is lost it reconnects by itself and every stream is told to look again', async () => {
  const order = { amount: 1_000, mobileNumber: number, paymentMobile: number, transactionType: 'PREPAID_RECHARGE' };
  const { transactionId: id } = await call('initiate', { ...order, paymentMode: 'FANILO_MONEY' });
  await call('process', { transactionId: id });
  const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(origin, id)));
  expect(streams.map(({ status, events }) => ({ status, events }))).toEqual(
    streams.map(() => ({ status: 200, events: [] })),
  );
  // The limit of this process is reached: further clients have to poll.
  expect((await openStream(origin, id)).status).toBe(503);
  expect(await breakListening()).toBe(1);
  await expect.poll(() => figure('portal_live_lost_total')).toBe(1);
  await expect.poll(() => streams.map(({ events }) => events)).toEqual(streams.map(() => ['look']));
  // From now on it receives notifications again.
  sandbox.setCallbackBase(origin);
  const phone = new PhoneClient(sandbox.http);
  const [prompt] = await phone.prompts('390000001');
  await phone.post(`/prompts/${prompt?.id}`, { action: 'approve' });
  await expect.poll(() => streams.map(({ events }) => events.length)).toEqual(streams.map(() => 3));
  for (const stream of streams) stream.close();
  await expect.poll(() => figure('portal_streams_open')).toBe(0);
});
