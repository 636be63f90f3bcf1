import { connect, createServer, type Server, type Socket } from 'node:net';
import { callPath } from '@portal/contract/calls.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PhoneClient } from '../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts';
import { buildPortal, type Portal } from './app.ts';
import { readConfig } from './config/config.ts';
import { type Database, openDatabase } from './db/database.ts';
import { createLogger } from './http/logging.ts';
import { testDatabase } from './testing/database.ts';

/** A proxy between portal and PostgreSQL, so that a test can cut the connection and restore it. */
class Cable {
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  readonly #to: { host: string; port: number };
  port = 0;

  constructor(url: URL) {
    this.#to = { host: url.hostname, port: Number(url.port || 5432) };
  }

  async plug(): Promise<void> {
    const server = createServer((near) => {
      const far = connect(this.#to);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => other.destroy()).on('close', () => this.#sockets.delete(one));
        one.pipe(other);
      }
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as { port: number }).port;
    this.#server = server;
  }

  async pull(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server?.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

let sandbox: Sandbox;
let direct: Database;
let cable: Cable;
let portal: Portal;

beforeAll(async () => {
  sandbox = await startSandbox({ approveAfterMs: 200 });
  direct = await testDatabase();
  const name = await direct.db
    .selectNoFrom((one) => one.fn<string>('current_database', []).as('name'))
    .executeTakeFirstOrThrow();
  const url = new URL(process.env.TEST_POSTGRES_URL ?? '');
  url.pathname = `/${name.name}`;
  cable = new Cable(url);
  await cable.plug();
  url.hostname = '127.0.0.1';
  url.port = String(cable.port);
  const config = readConfig({
    SANDBOX_URL: sandbox.http,
    SMPP_URL: sandbox.smpp,
    SMTP_URL: sandbox.smtp,
    PORTAL_SECRET: 'a secret for tests, long enough to be one',
    RATE_LIMIT_SCALE: '1000',
  });
  const database = await openDatabase({ url: url.href, poolSize: 5 });
  const log = createLogger('silent');
  portal = await buildPortal(config, { database, pack: await loadPack('mg'), web: null, log });
  await portal.content.importPack();
});
afterAll(async () => {
  await portal.stop();
  await direct.close();
  await sandbox.stop();
});

const order = {
  amount: 5_000,
  mobileNumber: '0390000001',
  paymentMobile: '0390000001',
  transactionType: 'PREPAID_RECHARGE',
  paymentMode: 'MPESA',
};
const post = (name: 'mpesaInitiate' | 'mpesaProcess', payload: object) =>
  portal.http.inject({ method: 'POST', url: callPath(name), payload });
const ready = async () => (await portal.http.inject({ method: 'GET', url: '/readyz' })).statusCode;

test('REL-5 without its database the portal says so honestly, takes nothing, and recovers by itself', async () => {
  const { transactionId } = (await post('mpesaInitiate', order)).json().result;
  expect(await ready()).toBe(200);
  await cable.pull();
  const answer = await post('mpesaProcess', { transactionId });
  expect(answer.statusCode).toBe(503);
  expect(answer.headers['retry-after']).toBeDefined();
  // An earlier call may have paid, which cannot be known now. Only an order that is not stored was certainly not paid.
  const sentence = 'We cannot answer right now. Please try again in a moment.';
  expect(answer.json()).toMatchObject({ status: 'failure', message: sentence });
  const refused = await post('mpesaInitiate', order);
  expect(refused.statusCode).toBe(503);
  expect(refused.json().message).toContain('Nothing was taken.');
  expect(await ready()).toBe(503);
  const words = await portal.http.inject({
    method: 'GET',
    url: callPath('activePackage'),
    query: { opco: 'MG', pageUrl: '/contact-us' },
  });
  expect(words.statusCode).toBe(200);
  expect((await new PhoneClient(sandbox.http).books()).mpesa).toEqual({});

  await cable.plug();
  await expect.poll(ready).toBe(200);
  expect((await post('mpesaProcess', { transactionId })).statusCode).toBe(200);
  const status = async () =>
    (
      await portal.http.inject({ method: 'GET', url: callPath('transactionStatus'), query: { tid: transactionId } })
    ).json().result.status;
  await expect.poll(status).toBe('SUCCESS');
});
