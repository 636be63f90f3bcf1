import { constants, publicEncrypt, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { phone, portal, sandbox, sandboxTests } from '../sandbox-tests.fixture.ts';

sandboxTests();

let token = '';
let key = Buffer.alloc(0);

beforeAll(async () => {
  const client = { client_id: 'sandbox-smartcash-client', client_secret: 'sandbox-smartcash-secret' };
  token = String((await call('/oauth/token', { ...client, grant_type: 'client_credentials' })).body.access_token);
  key = Buffer.from(String((await call('/v1/keys')).body.key), 'base64');
});
async function call(path: string, body?: object, more: Record<string, string> = {}) {
  const answer = await fetch(`${sandbox.http}/smartcash${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-country': 'MG', ...more },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

function lock(pin: string): string {
  const how = { key, format: 'der', type: 'spki', padding: constants.RSA_PKCS1_OAEP_PADDING } as const;
  return publicEncrypt(how, Buffer.from(pin)).toString('base64');
}

const pay = (msisdn: string, pin: string, more: object = {}) =>
  call('/v1/payments', { reference: randomUUID(), msisdn, amount: 500, currency: 'MGA', pin: lock(pin), ...more });

test('five wrong PINs answer 56D005 four times and then 1006, and SmartCash counts separately from the wallet', async () => {
  const codes = [];
  for (let attempt = 1; attempt <= 6; attempt += 1) codes.push((await pay('390000040', '0000')).body.code);
  expect(codes).toEqual(['56D005', '56D005', '56D005', '56D005', '1006', '1006']);
  expect((await phone.line('390000040')).walletLocked).toBe(false);
});

test('a payment is accepted, reported by a callback, and refunded once', async () => {
  await phone.fault({ provider: 'smartcash', fault: 'contradictoryCallbacks', times: 1 });
  expect((await pay('390000001', '1234', { reference: 'one' })).body.code).toBe('SC001');
  expect((await call('/v1/payments/one')).body).toMatchObject({ code: 'SC000', transaction: { amount: 500 } });
  await expect.poll(() => portal.received).toHaveLength(2);
  expect(portal.received.map(({ body }) => JSON.parse(body).code)).toEqual(['SC101', 'SC000']);
  const refund = () => call('/v1/payments/one/refunds', { amount: 500, currency: 'MGA' });
  expect((await call('/v1/payments/one/refunds', { amount: 499, currency: 'MGA' })).body.code).toBe('SC101');
  expect((await refund()).body.code).toBe('SC003');
  expect((await refund()).body.code).toBe('SC003');
  expect((await phone.books()).smartcash.one).toMatchObject({ taken: 500, givenBack: 500 });
});

test.each([
  ['a PIN in clear', { pin: '1234' }],
  ['no PIN', { pin: undefined }],
  ['a number with its country', { msisdn: '261390000001' }],
  ['nothing to pay', { amount: 0 }],
  ['another currency', { currency: 'USD' }],
  ['a reference that is none', { reference: 'a b' }],
])('%s is refused', async (_what, more) => {
  expect((await pay('390000001', '1234', more)).body.code).toBe('SC106');
  expect((await phone.books()).smartcash).toEqual({});
});

test('an unknown token and another country are refused', async () => {
  expect((await call('/v1/payments/one', undefined, { authorization: 'Bearer x' })).status).toBe(401);
  expect((await call('/v1/payments/one', undefined, { 'x-country': 'NG' })).status).toBe(400);
});
