import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { testDatabase } from '../testing/database.ts';
import { emptyTables, type PaymentsWorld, paymentsWorld, prepareNotices } from '../testing/payments-world.ts';
import { hanging } from '../testing/scripted-providers.ts';

const paid = { kind: 'paid', providerReference: 'money-1', amount: 5_000, currency: 'XTS' } as const;

let database: Database;
let world: PaymentsWorld;

beforeAll(async () => {
  database = await testDatabase();
  await prepareNotices(database.db);
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTables(database.db);
  world = paymentsWorld(database);
});

async function callback(body: object | string): Promise<void> {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  await world.payments.receiveCallback({
    provider: 'wallet',
    path: '',
    body: bytes,
    headers: { 'content-type': 'application/json' },
  });
  await world.payments.drain();
}

const stored = () => database.db.selectFrom('callbacks').selectAll().execute();

test.each([
  { who: 'genuine', key: 'genuine', verdict: 'signed' },
  { who: 'forged', key: 'forged', verdict: 'unsigned' },
  { who: 'unsigned', key: undefined, verdict: 'unsigned' },
])(
  'a $who callback that claims success changes nothing by itself, but is a reason to ask',
  async ({ key, verdict }) => {
    const id = await world.submitted();
    await callback({ id, key, status: 'TS', amount: 5_000 });
    expect(await world.stateOf(id)).toBe('AWAITING_PAYER');
    expect(world.gateway.calls.enquire).toHaveLength(1);
    expect(await stored()).toEqual([expect.objectContaining({ provider: 'wallet', payment_id: id, verdict })]);
  },
);

test('the enquiry it causes is what decides', async () => {
  const id = await world.submitted();
  world.gateway.answers.enquire = () => paid;
  await callback({ id, key: 'forged', status: 'TF' });
  expect(await world.stateOf(id)).toBe('SUCCEEDED');
});

test('doubled twenty times it is stored once and asks once', async () => {
  const id = await world.submitted();
  for (let copy = 0; copy < 20; copy += 1) {
    await callback({ id, key: 'genuine' });
    world.advance(3);
  }
  expect(await stored()).toHaveLength(1);
  expect(world.gateway.calls.enquire).toHaveLength(1);
});

test('the bytes are kept as they came', async () => {
  const body = '{ "id" : "nobody",\n "key":"genuine" }';
  await callback(body);
  const [row] = await stored();
  expect(row?.body.toString('utf8')).toBe(body);
});

test.each([
  ['an unknown reference', { id: 'zzzzzzzzzzzzzzzzzzzzzzzzzz', key: 'genuine' }],
  ['no reference', { key: 'genuine' }],
  ['no JSON', '<html>'],
  ['nothing at all', ''],
])('with %s it does no harm', async (_what, body) => {
  const id = await world.submitted();
  await callback(body);
  expect(await world.stateOf(id)).toBe('AWAITING_PAYER');
  expect(world.gateway.calls.enquire).toEqual([]);
});

test('from a provider that is not there it is refused', async () => {
  await expect(
    world.payments.receiveCallback({ provider: 'nobody', path: '', body: Buffer.from('{}'), headers: {} }),
  ).rejects.toMatchObject({
    kind: 'notFound',
  });
});

test('a flood that differs in every byte causes one enquiry, not one each', async () => {
  const enquiry = hanging<{ kind: 'pending' }>();
  world.gateway.answers.enquire = enquiry.answer;
  const id = await world.submitted();
  const flood = Array.from({ length: 40 }, (_, extra) =>
    world.payments.receiveCallback({
      provider: 'wallet',
      path: '',
      body: Buffer.from(JSON.stringify({ id, extra })),
      headers: {},
    }),
  );
  await Promise.all(flood);
  enquiry.resolve({ kind: 'pending' });
  await world.payments.drain();
  expect(world.gateway.calls.enquire).toHaveLength(1);

  await callback({ id, extra: 'a second later' });
  expect(world.gateway.calls.enquire).toHaveLength(1);
  world.advance(3);
  await callback({ id, extra: 'three seconds later' });
  expect(world.gateway.calls.enquire).toHaveLength(2);
});

test('before the provider was asked it causes nothing', async () => {
  const id = await world.order();
  await callback({ id, key: 'genuine' });
  expect(world.gateway.calls).toEqual({ start: [], enquire: [], refund: [] });
  expect(await world.stateOf(id)).toBe('CREATED');
});

test('an old one after the end changes nothing', async () => {
  const id = await world.submitted();
  world.gateway.answers.enquire = () => paid;
  await callback({ id, key: 'genuine', status: 'TS' });
  world.gateway.answers.enquire = () => ({ kind: 'refused', reason: 'declined' });
  world.advance(60);
  await callback({ id, key: 'genuine', status: 'TF' });
  expect(await world.stateOf(id)).toBe('SUCCEEDED');
  expect(world.charging.calls.deliver).toHaveLength(1);
});

test('after a failure it may bring late money to light, which goes back', async () => {
  const id = await world.submitted();
  world.gateway.answers.enquire = () => ({ kind: 'refused', reason: 'expired' });
  await callback({ id, status: 'TE' });
  expect(await world.stateOf(id)).toBe('FAILED');
  world.gateway.answers.enquire = () => paid;
  world.advance(60);
  await callback({ id, status: 'TS' });
  expect(await world.stateOf(id)).toBe('REFUNDED');
  expect(world.charging.calls.deliver).toEqual([]);
});

test('callbacks and attempt keys are kept for their time and then forgotten, the payment is not', async () => {
  const keys = () => database.db.selectFrom('idempotency_keys').selectAll().execute();
  const id = await world.submitted();
  await callback({ id, key: 'genuine' });
  world.advance(29 * 86_400);
  await world.payments.forgetOld();
  expect([(await keys()).length, (await stored()).length]).toEqual([1, 1]);
  world.advance(2 * 86_400);
  await world.payments.forgetOld();
  expect([(await keys()).length, (await stored()).length]).toEqual([0, 1]);
  world.advance(60 * 86_400);
  await world.payments.forgetOld();
  expect(await stored()).toEqual([]);
  expect(await world.paymentOf(id)).toBeDefined();
});
