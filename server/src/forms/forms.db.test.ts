import { callPath } from '@portal/contract/calls.ts';
import { standardBudgets } from '@portal/domain/budgets.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts';
import { openRow } from '../db/personal-data.ts';
import { type TestPortal, testPortal } from '../testing/portal.ts';

const scale = 0.1;
const ofNetwork = standardBudgets.formNetwork.most * scale;
const ofAll = standardBudgets.formAll.most * scale;
const start = Date.parse('2026-03-02T08:00:00Z');
let time = start;
let sandbox: Sandbox;
let running: TestPortal;

beforeAll(async () => {
  sandbox = await startSandbox({});
  running = await testPortal(sandbox, { rateLimitScale: scale }, () => new Date(time));
});
afterAll(async () => {
  await running.stop();
  await sandbox.stop();
});
beforeEach(async () => {
  time += 25 * 3_600_000;
  await running.database.db.deleteFrom('form_entries').execute();
});

const message = { topic: 'network', message: 'No signal in Ampefy since Monday.' };
const save = (data: object, remoteAddress = '203.0.113.9', lang = 'en') =>
  running.portal.http.inject({
    method: 'POST',
    url: callPath('saveForm'),
    payload: { formType: 'WEBPORTAL', data },
    headers: { lang },
    remoteAddress,
  });
const stored = async () => (await running.database.db.selectFrom('form_entries').select('data').execute()).length;

test('a visitor’s form is stored as it was sent', async () => {
  expect((await save(message)).statusCode).toBe(200);
  const [entry] = await running.database.db.selectFrom('form_entries').selectAll().execute();
  expect(entry && openRow(running.database.db, 'form_entries', entry)).toMatchObject({
    form_type: 'WEBPORTAL',
    data: message,
  });
});

test('SEC-17 a form of more than 4 kB is refused, the longest feedback of the page is not', async () => {
  expect((await save({ topic: 'network', message: 'é'.repeat(2_000) })).statusCode).toBe(200);
  const long = await save(
    Object.fromEntries(Array.from({ length: 3 }, (_, field) => [`f${field}`, 'x'.repeat(1_500)])),
  );
  expect([long.statusCode, long.json().error.field]).toEqual([422, 'data']);
  expect(await stored()).toBe(1);
});

test('SEC-17 one network can store no more than its share, and is told so in its language', async () => {
  const answers = [];
  for (let sent = 0; sent < ofNetwork + 5; sent += 1) answers.push(await save(message));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(ofNetwork);
  const last = answers.at(-1);
  expect([last?.statusCode, last?.json().statusCode]).toEqual([429, 'RATE_LIMITED']);
  expect(last?.json().message).toBe('Too many requests. Please try again in an hour.');
  expect((await save(message, '203.0.113.9', 'fr')).json().message).toContain('Réessayez dans une heure.');
  expect((await save(message, '198.51.100.9')).statusCode).toBe(200);
  expect(await stored()).toBe(ofNetwork + 1);
});

test('SEC-17 all networks together can store no more than the limit of an hour', async () => {
  const networks = Math.ceil(ofAll / ofNetwork) + 2;
  for (let network = 0; network < networks; network += 1)
    for (let sent = 0; sent < ofNetwork; sent += 1) await save(message, `10.0.${network}.1`);
  expect(await stored()).toBe(ofAll);
});
