import { expect, test } from 'vitest';
import { phone, sandbox, sandboxTests } from '../sandbox-tests.fixture.ts';

sandboxTests();

const balances = '/charging/tmf-api/prepayBalanceManagement/v4';
const inventory = '/charging/tmf-api/resourceInventoryManagement/v4';
const authorization = 'Bearer sandbox-charging-key';

async function get(path: string) {
  const response = await fetch(sandbox.http + path, { headers: { authorization } });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function post(resource: string, number: string, amount: number, more: Record<string, unknown> = {}) {
  const response = await fetch(`${sandbox.http}${balances}/${resource}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: { amount, units: 'MGA' },
      usageType: 'monetary',
      bucket: { id: `${number}-main` },
      partyAccount: { id: number },
      payment: { id: 'pay1' },
      ...more,
    }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

test('a call without the key is refused', async () => {
  const response = await fetch(`${sandbox.http}${balances}/accumulatedBalance?partyAccount.id=0390000001`);
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ reason: 'unauthorized' });
});

test('a top-up increases the airtime and is found by its payment', async () => {
  const { status, body } = await post('topupBalance', '0390000001', 2_000);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    status: 'completed',
    amount: { amount: 2_000, units: 'MGA' },
    partyAccount: { id: '0390000001' },
    payment: { id: 'pay1' },
  });
  expect(body.confirmationDate).toBeTypeOf('string');
  expect((await get(body.href)).body.id).toBe(body.id);
  expect((await phone.line('390000001')).airtime).toBe(52_000);
  const history = await get(`${balances}/balanceActionHistory?partyAccount.id=0390000001&payment.id=pay1`);
  expect(history.body).toHaveLength(1);
  expect(history.body[0]).toMatchObject({ id: body.id, '@type': 'TopupBalance', status: 'completed' });
});

test('two top-ups for one payment are both booked as deliveries', async () => {
  await post('topupBalance', '0390000001', 2_000);
  await post('topupBalance', '0390000001', 2_000);
  expect((await phone.books()).charging.pay1).toEqual({ delivered: 4_000, count: 2, msisdn: '390000001' });
  expect((await get(`${balances}/balanceActionHistory?payment.id=pay1`)).body).toHaveLength(2);
});

test('line 12 refuses every top-up and nothing is delivered', async () => {
  const { status, body } = await post('topupBalance', '0390000012', 2_000);
  expect(status).toBe(201);
  expect(body.status).toBe('failed');
  expect(body.reason).toBeTypeOf('string');
  expect((await phone.books()).charging.pay1).toBeUndefined();
  const [action] = (await get(`${balances}/balanceActionHistory?payment.id=pay1`)).body;
  expect(action.status).toBe('failed');
});

test('unknown lines, other spellings and malformed amounts are refused as TMF errors', async () => {
  expect(await post('topupBalance', '0390000009', 100)).toMatchObject({
    status: 404,
    body: { code: '60', reason: 'not found' },
  });
  expect((await post('topupBalance', '0340000001', 100)).status).toBe(404);
  expect((await post('topupBalance', '390000001', 100)).status).toBe(404);
  expect((await post('topupBalance', '0390000001', 10.5)).status).toBe(400);
  expect((await post('topupBalance', '0390000001', -5)).status).toBe(400);
  const malformed = await fetch(`${sandbox.http}${balances}/topupBalance`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{',
  });
  expect(malformed.status).toBe(400);
  expect(await malformed.json()).toMatchObject({ reason: 'invalid request' });
});

test('a bundle is delivered to the line without touching its airtime', async () => {
  await post('topupBalance', '0390000001', 5_000, {
    usageType: 'data',
    description: 'Week 2 GB',
    bucket: { id: 'week-2gb', remainingValue: { amount: 2, units: 'GB' } },
  });
  const line = await phone.line('390000001');
  expect(line.airtime).toBe(50_000);
  expect(line.bundles).toMatchObject([
    { description: 'Week 2 GB', category: 'DATA', amount: 2, unit: 'GB', unlimited: false },
  ]);
  expect((await get(`${balances}/bucket?partyAccount.id=0390000001`)).body).toMatchObject([{ name: 'Week 2 GB' }]);
  expect((await phone.books()).charging.pay1).toMatchObject({ delivered: 5_000, count: 1 });
});

test('a reservation reduces the available balance and cannot overdraw it', async () => {
  const first = await post('reserveBalance', '0390000020', 7_000);
  expect(first.body.status).toBe('completed');
  const second = await post('reserveBalance', '0390000020', 7_000);
  expect(second.body).toMatchObject({ status: 'failed', reason: 'insufficient balance' });
  const [balance] = (await get(`${balances}/accumulatedBalance?partyAccount.id=0390000020`)).body;
  expect(balance).toMatchObject({ totalBalance: { amount: 3_000, units: 'MGA' }, reservedBalance: { amount: 7_000 } });
});

test('a reservation is committed or released once', async () => {
  const { body: kept } = await post('reserveBalance', '0390000020', 4_000);
  const commit = { adjustType: 'commit', reserveBalance: { id: kept.id } };
  expect((await post('adjustBalance', '0390000020', -4_000, commit)).body.status).toBe('completed');
  expect((await post('adjustBalance', '0390000020', -4_000, commit)).body.status).toBe('failed');
  expect((await post('adjustBalance', '0390000020', -4_000, { ...commit, adjustType: 'release' })).body.status).toBe(
    'failed',
  );
  expect((await phone.books()).airtime.pay1).toMatchObject({ taken: 4_000, givenBack: 0 });

  const { body: dropped } = await post('reserveBalance', '0390000020', 6_000);
  const release = { adjustType: 'release', reserveBalance: { id: dropped.id }, amount: undefined };
  expect((await post('adjustBalance', '0390000020', 0, release)).body.status).toBe('completed');
  expect(await phone.line('390000020')).toMatchObject({ airtime: 6_000, reserved: 0 });
  expect((await post('adjustBalance', '0390000021', -1, commit)).status).toBe(404);
  const unknown = { adjustType: 'commit', reserveBalance: { id: 'nobody-made-it' } };
  expect((await post('adjustBalance', '0390000020', -1, unknown)).status).toBe(404);
  const history = (await get(`${balances}/balanceActionHistory?payment.id=pay1`)).body;
  const statusOf = (id: string) => history.find((action: { id: string }) => action.id === id)?.status;
  expect([statusOf(kept.id), statusOf(dropped.id)]).toEqual(['completed', 'cancelled']);
});

test('a debit never goes below zero, and a credit refunds it', async () => {
  expect((await post('adjustBalance', '0390000004', -1, { adjustType: 'debit' })).body.status).toBe('failed');
  expect((await post('adjustBalance', '0390000003', -5_000, { adjustType: 'debit' })).body.status).toBe('completed');
  expect((await post('adjustBalance', '0390000003', 5_000, { adjustType: 'credit' })).body.status).toBe('completed');
  expect((await phone.line('390000003')).airtime).toBe(5_000);
  expect((await phone.books()).airtime.pay1).toMatchObject({ taken: 5_000, givenBack: 5_000 });
});

test('the look-up returns the type of a line, and knows only its own lines', async () => {
  const characteristics = async (value: string) => {
    const [resource] = (await get(`${inventory}/resource?value=${value}`)).body;
    return resource?.resourceCharacteristic;
  };
  expect(await characteristics('0390000001')).toEqual([
    { name: 'lineType', value: 'PREPAID' },
    { name: 'broadband', value: false },
  ]);
  expect(await characteristics('0390000002')).toContainEqual({ name: 'lineType', value: 'POSTPAID' });
  expect(await characteristics('0390000003')).toContainEqual({ name: 'lineType', value: 'HYBRID' });
  expect(await characteristics('0390000005')).toContainEqual({ name: 'broadband', value: true });
  expect(await characteristics('0391234567')).toContainEqual({ name: 'lineType', value: 'PREPAID' });
  expect((await get(`${inventory}/resource?value=0390000009`)).body).toEqual([]);
  expect((await get(`${inventory}/resource?value=0340000001`)).body).toEqual([]);
});
