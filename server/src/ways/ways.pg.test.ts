import { callPath } from '@portal/contract/calls.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts';
import { buildPortal, type Portal } from '../app.ts';
import { readConfig } from '../config/config.ts';
import { sqlClock } from '../db/clock.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { createEpochs } from '../db/epochs.ts';
import { createLogger } from '../http/logging.ts';
import { approveAs, signIn } from '../testing/console.ts';
import { createPostgres, testSecret } from '../testing/database.ts';

let sandbox: Sandbox;
let url: string;
let drop: () => Promise<void>;
const portals: { portal: Portal; database: Database }[] = [];

/** As another process would: with connections of its own to the same database. */
async function another() {
  const config = readConfig({
    SANDBOX_URL: sandbox.http,
    SMPP_URL: sandbox.smpp,
    SMTP_URL: sandbox.smtp,
    PORTAL_SECRET: testSecret,
  });
  const database = await openDatabase({ url, poolSize: 4 });
  const log = createLogger('silent');
  const pack = await loadPack(config.operator);
  const portal = await buildPortal({ ...config, rateLimitScale: 1_000 }, { database, pack, web: null, log });
  portals.push({ portal, database });
  return portal;
}

beforeAll(async () => {
  sandbox = await startSandbox();
  ({ url, drop } = await createPostgres(process.env.TEST_POSTGRES_URL ?? '', { migrated: true }));
  const { db, close } = await openDatabase({ url });
  await sql`update epochs set server = portal_server()`.execute(db);
  await createEpochs(db, sqlClock).check();
  await close();
  await another();
  await another();
});
afterAll(async () => {
  for (const { portal } of portals) await portal.stop();
  await drop();
  await sandbox.stop();
});

async function isOffered({ http }: Portal): Promise<boolean> {
  const payload = { amount: 1_000, transactionType: 'PREPAID_RECHARGE' };
  const answer = await http.inject({ method: 'POST', url: callPath('paymentOptions'), payload });
  return answer.json().result.paymentOption.some((way: { paymentMode: string }) => way.paymentMode === 'FANILO_MONEY');
}
const everywhere = () => Promise.all(portals.map(({ portal }) => isOffered(portal)));

async function switchWallet(isOff: boolean) {
  const [first] = portals;
  const operator = await signIn(first?.portal.http as Portal['http'], 'operator@console.example');
  const way = (await operator.call('ways')).result.ways.find(({ gateway }) => gateway === 'wallet');
  const change = { gateway: 'wallet', texts: {}, version: way?.version ?? 0, reason: 'for the test' };
  const { status, result } = await operator.call('switchWay', { ...change, isOff });
  expect(status).toBe(200);
  if (result.proposal)
    await approveAs(first?.portal.http as Portal['http'], 'operator2@console.example', result.proposal);
}

test('CNS-8 (several processes; what is refused, and the pages, beside it) a way that is switched in one process is off and on in all, without a restart, and in one that starts afterwards', async () => {
  expect(await everywhere()).toEqual([true, true]);
  await switchWallet(true);
  await expect.poll(everywhere).toEqual([false, false]);
  await another();
  expect(await everywhere()).toEqual([false, false, false]);
  await switchWallet(false);
  await expect.poll(everywhere).toEqual([true, true, true]);
});

test('a process that lost the connection it hears by knows what it missed once it hears again', async () => {
  const database = portals[0]?.database.db as Database['db'];
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ~* '^(listen|notify) live_topics'`.execute(database);
  await switchWallet(true);
  await expect.poll(everywhere).toEqual(portals.map(() => false));
  await switchWallet(false);
  await expect.poll(everywhere).toEqual(portals.map(() => true));
});
