import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../../../../sandbox/src/sandbox.ts';
import { phone, sandbox } from '../../../../sandbox/src/sandbox-tests.fixture.ts';
import { newPaymentId } from '../../payments/core/payment-id.ts';
import { chargeIn } from '../charge.fixture.ts';
import { gatewayTests, http, settled } from '../gateway-tests.fixture.ts';
import type { Charge, Started } from '../ports.ts';
import { walletGateway } from './index.ts';

const settings = {
  clientId: 'sandbox-wallet-client',
  clientSecret: 'sandbox-wallet-secret',
  callbackKeys: ['sandbox-wallet-callback-key'],
  oaepHash: 'sha1',
  country: 'MG',
  currencies: ['MGA'] as [string],
  digitsOf: () => 0,
  statesAmount: true,
  codes: {},
};

let wallet: ReturnType<typeof walletGateway>;

gatewayTests({ approveAfterMs: 30, promptExpiryMs: 60 });
beforeAll(() => {
  wallet = walletGateway('wallet', http, { ...settings, url: `${sandbox.http}/wallet` });
});

const charge = (payer: string, pin?: string): Charge =>
  chargeIn('MGA', { payerMsisdn: `0${payer}`, email: null, ...(pin === undefined ? {} : { pin }) });

const started = (reference: string, providerReference: string | null = null): Started => ({
  reference,
  shortReference: newPaymentId().slice(0, 12),
  providerReference,
  amount: 5_000,
  currency: 'MGA',
  payerMsisdn: '0390000001',
});

const outcomeOf = (reference: string) => settled(() => wallet.enquire(started(reference)));

describe('a payment by push', () => {
  test('is accepted with a signed body, approved, and the enquiry gives its amount', async () => {
    const asked = charge('390000001');
    expect(await wallet.start(asked)).toEqual({ kind: 'await' });
    const outcome = await outcomeOf(asked.reference);
    expect(outcome).toMatchObject({ kind: 'paid', amount: 5_000, currency: 'MGA' });
    expect((await phone.books()).wallet[asked.reference]).toMatchObject({ taken: 5_000, givenBack: 0 });
  });

  test.each([
    ['390000004', 'insufficientFunds'],
    ['390000006', 'walletLocked'],
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

  test('whose response is lost is unclear, and found by the enquiry', async () => {
    const asked = charge('390000013');
    expect(await wallet.start(asked)).toMatchObject({ kind: 'unclear' });
    expect(await outcomeOf(asked.reference)).toMatchObject({ kind: 'paid', amount: 5_000 });
  });

  test('sent twice under one reference is taken once: the second response only means "enquire"', async () => {
    const asked = charge('390000001');
    await wallet.start(asked);
    expect(await wallet.start(asked)).toEqual({ kind: 'unclear', detail: 'ESB000041', isRepeated: true });
    await outcomeOf(asked.reference);
    expect((await phone.line('390000001')).wallet).toBe(495_000);
  });

  test('that never began is not found', async () => {
    expect(await wallet.enquire(started(newPaymentId()))).toEqual({ kind: 'notFound' });
  });
});

describe('a payment with its PIN', () => {
  test('is decided at once, without a prompt', async () => {
    const asked = charge('390000001', '1234');
    expect(await wallet.start(asked)).toEqual({ kind: 'await', isDecided: true });
    expect(await wallet.enquire(started(asked.reference))).toMatchObject({ kind: 'paid', amount: 5_000 });
    expect(await phone.prompts('390000001')).toEqual([]);
  });

  test('that is wrong five times locks the wallet, for the right one and for a push too', async () => {
    for (let attempt = 1; attempt <= 4; attempt += 1)
      expect(await wallet.start(charge('390000031', '9999'))).toEqual({ kind: 'refused', reason: 'wrongPin' });
    for (const pin of ['9999', '1234', undefined])
      expect(await wallet.start(charge('390000031', pin))).toEqual({ kind: 'refused', reason: 'walletLocked' });
    expect((await phone.line('390000031')).wallet).toBe(100_000);
  });

  test('of a locked wallet, or of one with too little in it, is refused', async () => {
    expect(await wallet.start(charge('390000006', '1234'))).toEqual({ kind: 'refused', reason: 'walletLocked' });
    expect(await wallet.start(charge('390000004', '1234'))).toEqual({ kind: 'refused', reason: 'insufficientFunds' });
  });

  test('whose response is lost is found by the enquiry', async () => {
    const asked = charge('390000013', '1234');
    expect(await wallet.start(asked)).toMatchObject({ kind: 'unclear' });
    expect(await wallet.enquire(started(asked.reference))).toMatchObject({ kind: 'paid', amount: 5_000 });
  });
});

test('a number has a wallet, has none, or it is unclear', async () => {
  expect(await wallet.hasWallet('0390000001')).toBe('yes');
  expect(await wallet.hasWallet('0390000006')).toBe('yes');
  expect(await wallet.hasWallet('0390000011')).toBe('no');
  await phone.fault({ provider: 'wallet', fault: 'error500' });
  expect(await wallet.hasWallet('0390000001')).toBe('unclear');
});

describe('the statement of a day', () => {
  const today = () => ({ from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) });

  test('lists over several pages what was taken and refunded, and nothing that was refused', async () => {
    const payments = Array.from({ length: 103 }, () => charge('390000001', '1234'));
    for (const one of payments) await wallet.start({ ...one, amount: 100 });
    await wallet.start(charge('390000004', '1234'));
    const [first = charge('390000001')] = payments;
    const outcome = await wallet.enquire(started(first.reference));
    await wallet.refund(started(first.reference, outcome.kind === 'paid' ? outcome.providerReference : null));
    const listed = await wallet.statement(today());
    expect(listed).toHaveLength(103);
    expect(listed?.filter(({ givenBack }) => givenBack)).toEqual([
      { reference: first.reference, amount: 100, currency: 'MGA', givenBack: true },
    ]);
    expect(await wallet.statement({ from: new Date(0), to: new Date(1_000) })).toEqual([]);
  });

  test('is null if the wallet fails', async () => {
    await phone.fault({ provider: 'wallet', fault: 'error500' });
    expect(await wallet.statement(today())).toBeNull();
  });
});

describe('what the core must not be misled by', () => {
  test('another amount is reported as it was taken', async () => {
    await phone.fault({ provider: 'wallet', fault: 'wrongAmount', times: 1 });
    const asked = charge('390000001', '1234');
    await wallet.start(asked);
    expect(await wallet.enquire(started(asked.reference))).toMatchObject({ kind: 'paid', amount: 5_001 });
    expect((await phone.books()).wallet[asked.reference]?.taken).toBe(5_001);
  });

  test('an unlisted code is unclear, at the start, at the enquiry and at the refund', async () => {
    await phone.fault({ provider: 'wallet', fault: 'unlistedCode', operation: '*' });
    const asked = charge('390000001', '1234');
    expect(await wallet.start(asked)).toEqual({ kind: 'unclear', detail: 'DP00800009999' });
    expect(await wallet.enquire(started(asked.reference))).toEqual({ kind: 'unclear', detail: 'TA' });
    await phone.clearFaults();
    const outcome = await wallet.enquire(started(asked.reference));
    const paid = started(asked.reference, outcome.kind === 'paid' ? outcome.providerReference : null);
    await phone.fault({ provider: 'wallet', fault: 'unlistedCode', operation: 'refund' });
    expect(await wallet.refund(paid)).toEqual({ kind: 'unclear', detail: 'DP00800009999' });
  });

  test('money taken after a refusal shows in a later enquiry', async () => {
    await phone.fault({ provider: 'wallet', fault: 'lateDebit', times: 1, delayMs: 30 });
    const asked = charge('390000001');
    expect(await wallet.start(asked)).toEqual({ kind: 'refused', reason: 'declined' });
    await expect.poll(() => wallet.enquire(started(asked.reference))).toMatchObject({ kind: 'paid', amount: 5_000 });
  });
});

describe('a refund', () => {
  test('refunds once, and says so when asked again', async () => {
    const asked = charge('390000001');
    await wallet.start(asked);
    const outcome = await outcomeOf(asked.reference);
    const providerReference = outcome.kind === 'paid' ? outcome.providerReference : '';
    const request = started(asked.reference, providerReference);
    expect(await wallet.refund(request)).toEqual({ kind: 'refunded' });
    expect(await wallet.refund(request)).toEqual({ kind: 'refunded' });
    expect((await phone.books()).wallet[asked.reference]).toMatchObject({ taken: 5_000, givenBack: 5_000 });
  });

  test('of money that was never taken is unclear', async () => {
    for (const providerReference of ['MP0', null])
      expect(await wallet.refund(started(newPaymentId(), providerReference))).toMatchObject({ kind: 'unclear' });
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
    expect(await wallet.enquire(started(newPaymentId()))).toMatchObject({
      kind: 'unclear',
    });
    expect(await wallet.refund(started(newPaymentId(), 'MP0'))).toMatchObject({ kind: 'unclear' });
  });

  test('by being unreachable or refusing our credentials: nothing was sent, and an enquiry concludes nothing', async () => {
    const gone = walletGateway('wallet', http, { ...settings, url: 'http://127.0.0.1:9/wallet' });
    const stranger = walletGateway('wallet', http, {
      ...settings,
      clientSecret: 'wrong',
      url: `${sandbox.http}/wallet`,
    });
    for (const one of [gone, stranger]) {
      expect(await one.start(charge('390000001'))).toEqual({ kind: 'refused', reason: 'notReached' });
      expect(await one.enquire(started('any'))).toMatchObject({ kind: 'unclear' });
    }
  });

  test('the wallet refuses a body with a padding it cannot decrypt, so the signing is really checked', async () => {
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

  test('SEC-13 with a right signature is authenticated, under either of two live keys', () => {
    for (const key of ['new-key', 'old-key']) {
      const body = bytes({ transaction, hash: signedWith(key) });
      expect(rotating().parseCallback(body, {}, '')).toEqual({ reference: transaction.id, signed: true });
    }
  });

  test('SEC-13 with one altered byte, another key, a truncated hash or none is not', () => {
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
      expect(rotating().parseCallback(bytes(body), {}, '')).toEqual({ reference: transaction.id, signed: false });
  });

  test('that is malformed names no payment and does not throw', () => {
    for (const body of ['', '{', '<html>', 'null', '[]', '{"transaction":5}', '{"transaction":{"id":5}}'])
      expect(rotating().parseCallback(bytes(body), {}, '')).toEqual({ reference: null, signed: false });
  });

  test('whose reference cannot be stored names no payment', () => {
    for (const id of ['', '\u0000', 'a'.repeat(1_000), 'with space', "';--"])
      expect(rotating().parseCallback(bytes({ transaction: { ...transaction, id } }), {}, '').reference).toBeNull();
  });
});

test('a revoked access token is replaced, and the request sent again', async () => {
  const first = await startSandbox();
  const client = walletGateway('wallet', http, { ...settings, url: `${first.http}/wallet` });
  const nobody = started(newPaymentId());
  expect(await client.enquire(nobody)).toEqual({ kind: 'notFound' });
  await first.stop();
  const second = await startSandbox({ port: Number(new URL(first.http).port) });
  expect(await client.enquire(nobody)).toEqual({ kind: 'notFound' });
  await second.stop();
});
