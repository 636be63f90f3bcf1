import { beforeAll, expect, test } from 'vitest';
import { phone, portal, sandbox, sandboxTests } from '../sandbox-tests.fixture.ts';

sandboxTests({ approveAfterMs: 20 });

const timestamp = '20260131235900';
const shop = {
  BusinessShortCode: '174379',
  Password: Buffer.from(`174379sandbox-mpesa-passkey${timestamp}`).toString('base64'),
  Timestamp: timestamp,
};
const mark = 'a'.repeat(32);
const order = {
  ...shop,
  TransactionType: 'CustomerPayBillOnline',
  Amount: 500,
  PartyA: '261390000001',
  PartyB: '174379',
  PhoneNumber: '261390000001',
  CallBackURL: `https://portal.example/callbacks/mpesa/payment1/${mark}`,
  AccountReference: 'short1',
  TransactionDesc: 'Payment',
};

let token = '';

beforeAll(async () => {
  const basic = Buffer.from('sandbox-mpesa-key:sandbox-mpesa-secret').toString('base64');
  const answer = await fetch(`${sandbox.http}/mpesa/oauth/v1/generate?grant_type=client_credentials`, {
    headers: { authorization: `Basic ${basic}` },
  });
  token = ((await answer.json()) as { access_token: string }).access_token;
});
async function post(path: string, body: object, bearer = token) {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  const answer = await fetch(`${sandbox.http}/mpesa${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const push = (more: object = {}) => post('/mpesa/stkpush/v1/processrequest', { ...order, ...more });

test('a push is approved automatically, sent to its callback URL, and booked under its id', async () => {
  const { body } = await push();
  expect(body).toMatchObject({ ResponseCode: '0', CheckoutRequestID: expect.stringMatching(/^ws_CO_/) });
  await expect.poll(() => portal.received).toHaveLength(1);
  const [callback] = portal.received;
  expect(callback?.path).toBe(`/callbacks/mpesa/payment1/${mark}`);
  const { stkCallback } = JSON.parse(callback?.body ?? '').Body;
  expect(stkCallback).toMatchObject({ CheckoutRequestID: body.CheckoutRequestID, ResultCode: 0 });
  expect(stkCallback.CallbackMetadata.Item).toContainEqual({ Name: 'Amount', Value: 500 });
  expect((await phone.books()).mpesa.payment1).toMatchObject({ taken: 500, msisdn: '390000001' });
  const query = { ...shop, CheckoutRequestID: body.CheckoutRequestID };
  expect((await post('/mpesa/stkpushquery/v1/query', query)).body).toMatchObject({ ResultCode: '0' });
});

test('the callback of a failed push has no amount', async () => {
  await push({ PartyA: '261390000007', PhoneNumber: '261390000007' });
  await expect.poll(() => portal.received).toHaveLength(1);
  const { stkCallback } = JSON.parse(portal.received[0]?.body ?? '').Body;
  expect(stkCallback.ResultCode).toBe(1032);
  expect(stkCallback).not.toHaveProperty('CallbackMetadata');
});

test('contradictoryCallbacks and the other callback faults apply to it', async () => {
  await phone.fault({ provider: 'mpesa', fault: 'contradictoryCallbacks', times: 1 });
  await push();
  await expect.poll(() => portal.received).toHaveLength(2);
  const said = portal.received.map(({ body }) => JSON.parse(body).Body.stkCallback.ResultCode);
  expect(said).toEqual([1032, 0]);
});

test.each([
  ['TransactionType', { TransactionType: 'Gift' }],
  ['PhoneNumber', { PhoneNumber: '0390000001' }],
  ['PhoneNumber', { PartyA: '261390000002' }],
  ['PartyB', { PartyB: '1' }],
  ['Amount', { Amount: 0 }],
  ['Amount', { Amount: 10.5 }],
  ['AccountReference', { AccountReference: 'more than twelve' }],
  ['TransactionDesc', { TransactionDesc: 'more than thirteen' }],
  ['CallBackURL', { CallBackURL: 'portal' }],
])('a push with a wrong %s is refused', async (field, more) => {
  const { status, body } = await push(more);
  expect(status).toBe(400);
  expect(body).toMatchObject({ errorCode: '400.002.02', errorMessage: `Bad Request - Invalid ${field}` });
});

test('a wrong password, an unknown token and an unknown initiator are refused', async () => {
  expect((await push({ Password: 'x' })).status).toBe(500);
  expect((await post('/mpesa/stkpush/v1/processrequest', order, 'stranger')).body.errorCode).toBe('404.001.03');
  const reversal = { Initiator: 'me', SecurityCredential: 'x', CommandID: 'TransactionReversal' };
  expect((await post('/mpesa/reversal/v1/request', reversal)).status).toBe(400);
  expect((await phone.prompts('390000001')).length).toBe(0);
});
