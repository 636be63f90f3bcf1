import { beforeAll, expect, test } from 'vitest';
import { phone, portal, sandbox, sandboxTests } from '../sandbox-tests.fixture.ts';
import { WalletMerchant } from '../wallet/wallet-client.fixture.ts';
import { FaultBoard } from './fault-board.ts';

sandboxTests({ approveAfterMs: 20 });

let merchant: WalletMerchant;

beforeAll(async () => {
  merchant = new WalletMerchant(sandbox.http);
  await merchant.login();
});
const callbackIds = () => portal.received.map(({ body }) => JSON.parse(body).transaction.id);

test('timeout holds the request and then drops it without acting', async () => {
  await phone.fault({ provider: 'wallet', fault: 'timeout', times: 1, delayMs: 20 });
  const started = performance.now();
  await expect(merchant.pay('390000001', 500, { id: 'held' })).rejects.toThrow();
  expect(performance.now() - started).toBeGreaterThanOrEqual(19);
  expect((await merchant.enquire('held')).status.response_code).toBe('DP00800001025');
  expect((await merchant.pay('390000001', 500, { id: 'held' })).answer.status.success).toBe(true);
});

test('loseAnswer acts and does not answer', async () => {
  await phone.fault({ provider: 'wallet', fault: 'loseAnswer', times: 1 });
  await expect(merchant.pay('390000001', 500, { id: 'lost' })).rejects.toThrow();
  await expect.poll(async () => (await phone.books()).wallet.lost?.taken).toBe(500);
  await phone.fault({ provider: 'wallet', fault: 'loseAnswer', operation: 'refund', times: 1 });
  const moneyId = (await merchant.enquire('lost')).data.transaction.airtel_money_id;
  await expect(merchant.refund(moneyId)).rejects.toThrow();
  expect((await phone.books()).wallet.lost?.givenBack).toBe(500);
});

test('refuse is final, and the enquiry agrees', async () => {
  await phone.fault({ provider: 'wallet', fault: 'refuse', times: 1 });
  const { id, answer } = await merchant.pay('390000001', 500);
  expect(answer.status).toMatchObject({ success: false, response_code: 'DP00800001008' });
  expect((await merchant.enquire(id)).data.transaction.status).toBe('TF');
  expect((await phone.books()).wallet[id]).toBeUndefined();
});

test('an error with a count applies to calls that move money; one without is an outage', async () => {
  await phone.fault({ provider: 'wallet', fault: 'error500', times: 1 });
  expect((await merchant.get('/standard/v1/payments/any')).status).toBe(200);
  await expect(merchant.pay('390000001', 500)).resolves.toMatchObject({ answer: { message: expect.any(String) } });
  await phone.fault({ provider: 'wallet', fault: 'error500' });
  expect((await merchant.get('/standard/v1/payments/any')).status).toBe(500);
  await phone.clearFaults();
  expect((await merchant.get('/standard/v1/payments/any')).status).toBe(200);
});

test('duplicateCallback, lateCallback and badSignature', async () => {
  await phone.fault({ provider: 'wallet', fault: 'duplicateCallback', times: 1 });
  const doubled = await merchant.pay('390000001', 500);
  await expect.poll(callbackIds).toEqual([doubled.id, doubled.id]);

  await phone.fault({ provider: 'wallet', fault: 'badSignature', times: 1 });
  const forged = await merchant.pay('390000001', 500);
  await expect.poll(callbackIds).toContain(forged.id);
  const genuine = portal.received.map(({ body }) => JSON.parse(body).hash);
  expect(genuine[2]).not.toBe(genuine[0]);

  await phone.fault({ provider: 'wallet', fault: 'lateCallback', times: 1, delayMs: 300_000 });
  const late = await merchant.pay('390000001', 500);
  await expect.poll(async () => (await phone.books()).wallet[late.id]?.taken).toBe(500);
  const next = await merchant.pay('390000001', 500);
  await expect.poll(callbackIds).toContain(next.id);
  expect(callbackIds()).not.toContain(late.id);
});

test('reorderCallbacks sends the later one first', async () => {
  await phone.fault({ provider: 'wallet', fault: 'reorderCallbacks', times: 1, delayMs: 300_000 });
  const first = await merchant.pay('390000001', 500);
  await expect.poll(async () => (await phone.books()).wallet[first.id]?.taken).toBe(500);
  const second = await merchant.pay('390000001', 500);
  await expect.poll(callbackIds).toEqual([second.id, first.id]);
});

test('contradictoryCallbacks sends the opposite first and the truth after it', async () => {
  await phone.fault({ provider: 'wallet', fault: 'contradictoryCallbacks', times: 2 });
  const saidOf = (id: string) =>
    portal.received
      .map(({ body }) => JSON.parse(body).transaction)
      .filter((transaction) => transaction.id === id)
      .map((transaction) => transaction.status_code);
  const paid = await merchant.pay('390000001', 500);
  await expect.poll(() => saidOf(paid.id)).toEqual(['TF', 'TS']);
  const declined = await merchant.pay('390000007', 500);
  await expect.poll(() => saidOf(declined.id)).toEqual(['TS', 'TF']);
});

test('wrongAmount and lateDebit apply to the next payment, and the actual amounts are booked', async () => {
  await phone.fault({ provider: 'wallet', fault: 'wrongAmount', times: 1 });
  await merchant.refund('MP-unknown');
  const more = await merchant.pay('390000001', 500, { pin: '1234' });
  expect((await phone.books()).wallet[more.id]?.taken).toBe(501);

  await phone.fault({ provider: 'wallet', fault: 'lateDebit', times: 1, delayMs: 20 });
  const late = await merchant.pay('390000001', 500, { pin: '1234' });
  expect(late.answer.status.response_code).toBe('DP00800001008');
  await expect.poll(async () => (await phone.books()).wallet[late.id]?.taken).toBe(500);
  await expect.poll(callbackIds).toContain(late.id);
});

test('a fault about one line waits for that line, whoever else pays meanwhile', async () => {
  await phone.fault({ provider: 'wallet', fault: 'wrongAmount', about: '390000002', times: 1 });
  const other = await merchant.pay('390000001', 500, { pin: '1234' });
  const meant = await merchant.pay('390000002', 500, { pin: '1234' });
  const { wallet } = await phone.books();
  expect([wallet[other.id]?.taken, wallet[meant.id]?.taken]).toEqual([500, 501]);
});

test('a malformed fault is refused with a sentence', async () => {
  for (const body of [
    {},
    { provider: 'bank', fault: 'timeout' },
    { provider: 'wallet', fault: 'explode' },
    { provider: 'wallet', fault: 'timeout', times: 0 },
    { provider: 'wallet', fault: 'timeout', rate: 2 },
    { provider: 'wallet', fault: 'timeout', about: 7 },
    { provider: 'wallet', fault: 'timeout', delayMs: -1 },
    [],
  ]) {
    const response = await phone.fault(body);
    expect(response.status).toBe(422);
    expect(((await response.json()) as { message: string }).message).toMatch(/must be/);
  }
});

test('rate is a probability and times counts the hits', () => {
  const board = new FaultBoard();
  const call = { provider: 'charging', operation: 'topup', moves: true } as const;
  board.add({ provider: 'charging', fault: 'refuse', rate: 0 });
  for (let index = 0; index < 200; index += 1) expect(board.strikeRequest(call)).toBeUndefined();
  board.clear();
  board.add({ provider: 'charging', fault: 'refuse', rate: 0.5 });
  const hits = Array.from({ length: 2_000 }, () => board.strikeRequest(call)).filter(Boolean).length;
  expect(hits).toBeGreaterThan(800);
  expect(hits).toBeLessThan(1_200);
  board.clear();
  board.add({ provider: 'charging', fault: 'refuse', times: 2 });
  expect([1, 2, 3].map(() => board.strikeRequest(call)?.kind)).toEqual(['refuse', 'refuse', undefined]);
});
