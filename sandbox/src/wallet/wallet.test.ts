import { createHmac } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { startCallbackReceiver } from '../callbacks/callback-receiver.fixture.ts';
import { PhoneClient } from '../phone/phone-client.fixture.ts';
import { startSandbox } from '../sandbox.ts';
import { phone, portal, sandbox, sandboxTests } from '../sandbox-tests.fixture.ts';
import { WalletMerchant, type WireAnswer } from './wallet-client.fixture.ts';

sandboxTests({
  approveAfterMs: 40,
  promptExpiryMs: 80,
  callbackRetryMs: 10,
});

let merchant: WalletMerchant;

beforeAll(async () => {
  merchant = new WalletMerchant(sandbox.http);
  await merchant.login();
});

async function settled(id: string): Promise<WireAnswer> {
  await expect.poll(async () => (await merchant.enquire(id)).data.transaction.status).not.toBe('TIP');
  return merchant.enquire(id);
}

function callbacksFor(id: string): WireAnswer[] {
  return portal.received.map(({ body }) => JSON.parse(body)).filter((callback) => callback.transaction.id === id);
}

test('a payment is accepted as in process, then approved automatically, and the money is debited at approval', async () => {
  const { id, answer } = await merchant.pay('390000001', 2_000);
  expect(answer).toMatchObject({
    data: { transaction: { id, status: 'SUCCESS' } },
    status: { result_code: 'ESB000010', response_code: 'DP00800001006', success: true },
  });
  const done = await settled(id);
  expect(done.data.transaction).toMatchObject({ id, status: 'TS', amount: 2_000, currency: 'MGA' });
  expect(done.status.response_code).toBe('DP00800001001');
  expect((await phone.line('390000001')).wallet).toBe(498_000);
  expect((await phone.books()).wallet[id]).toEqual({
    taken: 2_000,
    givenBack: 0,
    currency: 'MGA',
    msisdn: '390000001',
  });
});

test('the callback is signed over the transaction', async () => {
  const { id } = await merchant.pay('390000001', 2_000);
  await settled(id);
  await expect.poll(() => callbacksFor(id)).toHaveLength(1);
  const [callback] = callbacksFor(id);
  const key = 'sandbox-wallet-callback-key';
  const hash = createHmac('sha256', key).update(JSON.stringify(callback.transaction)).digest('base64');
  expect(callback.transaction).toMatchObject({ id, status_code: 'TS' });
  expect(callback.hash).toBe(hash);
  expect(portal.received[0]?.path).toBe('/callbacks/wallet');
});

test('line 07 declines automatically, and no money is debited', async () => {
  const { id } = await merchant.pay('390000007', 2_000);
  const answer = await settled(id);
  expect(answer.data.transaction.status).toBe('TF');
  expect(answer.status.response_code).toBe('DP00800001008');
  expect((await phone.line('390000007')).wallet).toBe(100_000);
  expect((await phone.books()).wallet[id]).toBeUndefined();
});

test('line 08 never answers and the payment expires', async () => {
  const { id } = await merchant.pay('390000008', 2_000);
  const answer = await settled(id);
  expect(answer.data.transaction.status).toBe('TE');
  expect(answer.status.response_code).toBe('DP00800001029');
  expect((await phone.prompts('390000008'))[0]?.state).toBe('expired');
});

test('a person can answer earlier: a wrong PIN is refused, the right one approves, a second answer is too late', async () => {
  const slow = await startSandbox({ approveAfterMs: 60_000 });
  try {
    const shop = new WalletMerchant(slow.http);
    const handset = new PhoneClient(slow.http);
    await shop.login();
    const { id } = await shop.pay('390000001', 700);
    const [prompt] = await handset.prompts('0390000001');
    expect(prompt).toMatchObject({ provider: 'wallet', amount: 700, state: 'pending' });
    expect((await handset.post(`/prompts/${prompt?.id}`, { action: 'approve', pin: '0000' })).status).toBe(422);
    expect(await shop.enquire(id)).toMatchObject({
      data: { transaction: { status: 'TIP' } },
      status: { response_code: 'DP00800001006' },
    });
    expect((await handset.line('390000001')).wallet).toBe(500_000);
    expect((await handset.post(`/prompts/${prompt?.id}`, { action: 'approve', pin: '1234' })).status).toBe(204);
    expect((await shop.enquire(id)).data.transaction.status).toBe('TS');
    expect((await handset.post(`/prompts/${prompt?.id}`, { action: 'decline' })).status).toBe(409);
    expect((await handset.post('/prompts/none', { action: 'decline' })).status).toBe(404);
  } finally {
    await slow.stop();
  }
});

test('a balance that is too low is refused at once', async () => {
  const { id, answer } = await merchant.pay('390000004', 1);
  expect(answer.status).toMatchObject({ success: false, response_code: 'DP00800001007' });
  expect(await merchant.enquire(id)).toMatchObject({
    data: { transaction: { status: 'TF' } },
    status: { response_code: 'DP00800001007' },
  });
  expect(await phone.prompts('390000004')).toEqual([]);
});

test('a wallet emptied between request and approval is not overdrawn', async () => {
  const first = await merchant.pay('390000020', 60_000);
  const second = await merchant.pay('390000020', 60_000);
  const outcomes = [await settled(first.id), await settled(second.id)].map((answer) => answer.data.transaction.status);
  expect(outcomes.sort()).toEqual(['TF', 'TS']);
  expect((await phone.line('390000020')).wallet).toBe(40_000);
});

test('a locked wallet and a number without one are refused', async () => {
  expect((await merchant.pay('390000006', 100)).answer.status).toMatchObject({
    success: false,
    response_code: 'DP00800001010',
  });
  expect((await merchant.pay('390000011', 100)).answer.status).toMatchObject({
    success: false,
    response_code: 'DP00800001012',
  });
  expect((await merchant.pay('340000001', 100)).answer.status.response_code).toBe('DP00800001012');
});

test('line 13: response and callback are lost, only the enquiry answers', async () => {
  const id = 'lostanswer1';
  await expect(merchant.pay('390000013', 500, { id })).rejects.toThrow();
  expect((await settled(id)).data.transaction.status).toBe('TS');
  expect((await phone.books()).wallet[id]?.taken).toBe(500);
  const other = await merchant.pay('390000001', 500);
  await expect.poll(() => callbacksFor(other.id)).toHaveLength(1);
  expect(callbacksFor(id)).toEqual([]);
});

test('a repeated id starts no second payment', async () => {
  const { id } = await merchant.pay('390000001', 500);
  const { answer } = await merchant.pay('390000001', 500, { id });
  expect(answer.status).toMatchObject({ result_code: 'ESB000041', success: false });
  await settled(id);
  expect((await phone.line('390000001')).wallet).toBe(499_500);
});

test('a signature over other bytes is refused', async () => {
  const { id, answer } = await merchant.pay('390000001', 500, { signedBody: '{"amount":1}' });
  expect(answer.status).toMatchObject({ success: false, response_code: 'DP00800001026' });
  const enquiry = await merchant.enquire(id);
  expect(enquiry.status).toMatchObject({ success: false, response_code: 'DP00800001025' });
  expect(enquiry.data).toBeUndefined();
});

test('a refund is booked once', async () => {
  const { id } = await merchant.pay('390000001', 500);
  const moneyId = (await settled(id)).data.transaction.airtel_money_id;
  expect(await merchant.refund(moneyId)).toMatchObject({
    data: { transaction: { airtel_money_id: moneyId, status: 'SUCCESS' } },
    status: { success: true },
  });
  expect((await merchant.refund(moneyId)).status).toMatchObject({ success: false, response_code: 'DP00800001041' });
  expect((await merchant.refund('MP-unknown')).status.success).toBe(false);
  expect((await phone.line('390000001')).wallet).toBe(500_000);
  expect((await phone.books()).wallet[id]).toMatchObject({ taken: 500, givenBack: 500 });
});

test('with the PIN in the request the payment is decided without a prompt, and five wrong PINs lock the wallet', async () => {
  const paid = await merchant.pay('390000021', 500, { pin: '1234' });
  expect((await merchant.enquire(paid.id)).data.transaction.status).toBe('TS');
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    expect((await merchant.pay('390000021', 500, { pin: '9999' })).answer.status.response_code).toBe('DP00800001002');
  }
  expect((await merchant.pay('390000021', 500, { pin: '9999' })).answer.status.response_code).toBe('DP00800001010');
  expect((await merchant.pay('390000021', 500, { pin: '1234' })).answer.status.response_code).toBe('DP00800001010');
  expect((await phone.line('390000021')).wallet).toBe(99_500);
});

test('a token expires, and a wrong secret gets none', async () => {
  const brief = await startSandbox({ walletTokenSeconds: 0 });
  try {
    const shop = new WalletMerchant(brief.http);
    expect(await shop.takeToken()).toMatchObject({ access_token: expect.any(String) });
    expect((await shop.get('/standard/v1/payments/x')).status).toBe(401);
    const body = JSON.stringify({
      client_id: 'sandbox-wallet-client',
      client_secret: 'no',
      grant_type: 'client_credentials',
    });
    expect((await shop.post('/auth/oauth2/token', body)).status).toBe(401);
  } finally {
    await brief.stop();
  }
});

test('a callback that is not accepted is retried three times', async () => {
  const refusing = await startCallbackReceiver((count) => (count <= 3 ? 503 : 200));
  try {
    sandbox.setCallbackBase(refusing.url);
    await merchant.pay('390000001', 500);
    await expect.poll(() => refusing.received).toHaveLength(4);
  } finally {
    sandbox.setCallbackBase(portal.url);
    await refusing.stop();
  }
});
