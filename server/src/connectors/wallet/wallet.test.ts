import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PhoneClient } from '../../../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../../../sandbox/src/sandbox.ts';
import { newPaymentId, newShortReference } from '../../payments/payment-id.ts';
import { HttpClient } from '../http-client.ts';
import type { Charge, PaymentGateway } from '../ports.ts';
import { walletGateway } from './index.ts';

const settings = {
  clientId: 'sandbox-wallet-client',
  clientSecret: 'sandbox-wallet-secret',
  callbackKeys: ['sandbox-wallet-callback-key'],
  oaepHash: 'sha1',
  country: 'MG',
  currency: 'MGA',
};

let sandbox: Sandbox;
let phone: PhoneClient;
let http: HttpClient;
let wallet: PaymentGateway;

beforeAll(async () => {
  sandbox = await startSandbox({ approveAfterMs: 30, promptExpiryMs: 60 });
  phone = new PhoneClient(sandbox.http);
  http = new HttpClient();
  wallet = walletGateway('wallet', http, { ...settings, url: `${sandbox.http}/wallet` });
});
afterAll(async () => {
  await http.close();
  await sandbox.stop();
});
beforeEach(() => phone.post('/reset'));

const charge = (payer: string): Charge => ({
  reference: newPaymentId(),
  shortReference: newShortReference(),
  amount: 5_000,
  currency: 'MGA',
  payerMsisdn: `0${payer}`,
  email: null,
  language: 'fr-FR',
});

async function outcomeOf(reference: string) {
  const settled = async () => {
    const outcome = await wallet.enquire({ reference, providerReference: null });
    expect(outcome.kind).not.toBe('pending');
    return outcome;
  };
  return expect.poll(settled, { timeout: 5_000 }).toBeDefined().then(settled);
}

describe('a payment by push', () => {
  test('is accepted with a body that was signed, approved, and told by the enquiry with its amount', async () => {
    const asked = charge('390000001');
    expect(await wallet.start(asked)).toEqual({ kind: 'await' });
    const outcome = await outcomeOf(asked.reference);
    expect(outcome).toMatchObject({ kind: 'paid', amount: 5_000, currency: 'MGA' });
    expect((await phone.books()).wallet[asked.reference]).toMatchObject({ taken: 5_000, givenBack: 0 });
  });

  test.each([
    ['390000004', 'insufficientFunds'],
    ['390000006', 'limitExceeded'],
    ['390000011', 'noWallet'],
  ])('of %s is refused at once: %s', async (payer, reason) => {
    expect(await wallet.start(charge(payer))).toEqual({ kind: 'refused', reason });
  });

  test.each([
    ['390000007', 'declined'],
    ['390000008', 'expired'],
  ])('of %s is refused by the enquiry: %s', async (payer, reason) => {
    const asked = charge(payer);
    expect(await wallet.start(asked)).toEqual({ kind: 'await' });
    expect(await outcomeOf(asked.reference)).toEqual({ kind: 'refused', reason });
  });

  test('whose answer is lost is unclear, and found by the enquiry', async () => {
    const asked = charge('390000013');
    expect(await wallet.start(asked)).toMatchObject({ kind: 'unclear' });
    expect(await outcomeOf(asked.reference)).toMatchObject({ kind: 'paid', amount: 5_000 });
  });

  test('sent twice under one reference is taken once: the second answer only means "ask"', async () => {
    const asked = charge('390000001');
    await wallet.start(asked);
    expect(await wallet.start(asked)).toEqual({ kind: 'unclear', detail: 'ESB000041' });
    await outcomeOf(asked.reference);
    expect((await phone.line('390000001')).wallet).toBe(495_000);
  });

  test('that never began is not found', async () => {
    expect(await wallet.enquire({ reference: newPaymentId(), providerReference: null })).toEqual({ kind: 'notFound' });
  });
});

describe('a refund', () => {
  test('gives the money back once, and says so when asked again', async () => {
    const asked = charge('390000001');
    await wallet.start(asked);
    const outcome = await outcomeOf(asked.reference);
    const providerReference = outcome.kind === 'paid' ? outcome.providerReference : '';
    const request = { reference: asked.reference, providerReference, amount: 5_000, currency: 'MGA' };
    expect(await wallet.refund(request)).toEqual({ kind: 'refunded' });
    expect(await wallet.refund(request)).toEqual({ kind: 'refunded' });
    expect((await phone.books()).wallet[asked.reference]).toMatchObject({ taken: 5_000, givenBack: 5_000 });
  });

  test('of money that was never taken is unclear', async () => {
    const request = { reference: newPaymentId(), providerReference: 'MP0', amount: 5_000, currency: 'MGA' };
    expect(await wallet.refund(request)).toMatchObject({ kind: 'unclear' });
  });
});

describe('when the wallet fails', () => {
  test.each([
    ['timeout', { delayMs: 20 }],
    ['error500', {}],
    ['loseAnswer', {}],
  ])('by %s nothing is concluded from it', async (fault, more) => {
    await phone.fault({ provider: 'wallet', fault, operation: '*', ...more });
    expect(await wallet.start(charge('390000001'))).toMatchObject({ kind: 'unclear' });
    expect(await wallet.enquire({ reference: newPaymentId(), providerReference: null })).toMatchObject({
      kind: 'unclear',
    });
    const request = { reference: newPaymentId(), providerReference: 'MP0', amount: 1, currency: 'MGA' };
    expect(await wallet.refund(request)).toMatchObject({ kind: 'unclear' });
  });

  test('by being gone, or by refusing our name, nothing is concluded either', async () => {
    const gone = walletGateway('wallet', http, { ...settings, url: 'http://127.0.0.1:9/wallet' });
    const stranger = walletGateway('wallet', http, {
      ...settings,
      clientSecret: 'wrong',
      url: `${sandbox.http}/wallet`,
    });
    for (const one of [gone, stranger]) {
      expect(await one.start(charge('390000001'))).toEqual({ kind: 'unclear', detail: 'no access token' });
      expect(await one.enquire({ reference: 'any', providerReference: null })).toMatchObject({ kind: 'unclear' });
    }
  });

  test('a body whose padding the wallet cannot open is refused by it, so the signing is really checked', async () => {
    const other = walletGateway('wallet', http, { ...settings, oaepHash: 'sha256', url: `${sandbox.http}/wallet` });
    expect(await other.start(charge('390000001'))).toEqual({ kind: 'refused', reason: 'refusedByProvider' });
  });
});

describe('a callback', () => {
  const transaction = { id: 'k7p2m4x9c1v8b3n6q5w0z7d2f1', message: 'Paid', status_code: 'TS', airtel_money_id: 'MP1' };
  const signedWith = (key: string, given: object = transaction) =>
    createHmac('sha256', key).update(JSON.stringify(given)).digest('base64');
  const bytes = (body: unknown) => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const rotating = () =>
    walletGateway('wallet', http, { ...settings, callbackKeys: ['new-key', 'old-key'], url: 'http://127.0.0.1:9' });

  test('with a right signature is believed, under either of two live keys', () => {
    for (const key of ['new-key', 'old-key']) {
      const body = bytes({ transaction, hash: signedWith(key) });
      expect(rotating().parseCallback(body, {})).toEqual({ reference: transaction.id, signed: true });
    }
  });

  test('with one altered byte, another key, a cut hash or none is not', () => {
    const altered = { transaction: { ...transaction, status_code: 'TF' }, hash: signedWith('new-key') };
    const cases = [
      altered,
      { transaction, hash: signedWith('a third key') },
      { transaction, hash: signedWith('new-key').slice(0, 20) },
      { transaction, hash: '' },
      { transaction, hash: 'no base64 at all !!' },
      { transaction },
    ];
    for (const body of cases)
      expect(rotating().parseCallback(bytes(body), {})).toEqual({ reference: transaction.id, signed: false });
  });

  test('that is not one names no payment and does not throw', () => {
    for (const body of ['', '{', '<html>', 'null', '[]', '{"transaction":5}', '{"transaction":{"id":5}}'])
      expect(rotating().parseCallback(bytes(body), {})).toEqual({ reference: null, signed: false });
  });

  test('whose reference no database could hold names no payment', () => {
    for (const id of ['', '\u0000', 'a'.repeat(1_000), 'with space', "';--"])
      expect(rotating().parseCallback(bytes({ transaction: { ...transaction, id } }), {}).reference).toBeNull();
  });
});

test('a token that the provider no longer knows is replaced, and the question asked again', async () => {
  const first = await startSandbox();
  const client = walletGateway('wallet', http, { ...settings, url: `${first.http}/wallet` });
  const nobody = { reference: newPaymentId(), providerReference: null };
  expect(await client.enquire(nobody)).toEqual({ kind: 'notFound' });
  await first.stop();
  const second = await startSandbox({ port: Number(new URL(first.http).port) });
  expect(await client.enquire(nobody)).toEqual({ kind: 'notFound' });
  await second.stop();
});
