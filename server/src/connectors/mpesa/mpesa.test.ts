import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PhoneClient } from '../../../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../../../sandbox/src/sandbox.ts';
import { phone, portal, sandbox } from '../../../../sandbox/src/sandbox-tests.fixture.ts';
import { newPaymentId } from '../../payments/core/payment-id.ts';
import { bytes, chargeIn, startedFrom } from '../charge.fixture.ts';
import { gatewayTests, http, settled } from '../gateway-tests.fixture.ts';
import type { Charge, Started, StartOutcome } from '../ports.ts';
import { mpesaGateway } from './index.ts';

const settings = {
  now: () => new Date(),
  consumerKey: 'sandbox-mpesa-key',
  consumerSecret: 'sandbox-mpesa-secret',
  shortCode: '174379',
  passkey: 'sandbox-mpesa-passkey',
  initiator: 'sandbox-initiator',
  securityCredential: 'sandbox-mpesa-credential',
  timeZone: 'Africa/Nairobi',
  countryCode: '261',
  currency: 'MGA',
  digits: 0,
  callbackUrl: 'https://portal.example/callbacks/mpesa',
  callbackKey: 'a key of the portal',
};

let mpesa: ReturnType<typeof mpesaGateway>;

gatewayTests({ approveAfterMs: 60, promptExpiryMs: 120 });
beforeAll(() => {
  mpesa = mpesaGateway('mpesa', http, { ...settings, url: `${sandbox.http}/mpesa` });
});

const charge = (payer: string): Charge => chargeIn('MGA', { payerMsisdn: `0${payer}`, email: null });

const started = (asked: Charge, outcome: StartOutcome | null): Started =>
  startedFrom(asked, outcome?.kind === 'await' ? (outcome.providerReference ?? null) : null);

const outcomeOf = (payment: Started) => settled(() => mpesa.enquire(payment));

async function paid(payer = '390000001'): Promise<Started> {
  const asked = charge(payer);
  const payment = started(asked, await mpesa.start(asked));
  expect(await outcomeOf(payment)).toMatchObject({ kind: 'paid' });
  return payment;
}

/** A paid payment, while the list returns errors. */
async function taken(more: Partial<Started>): Promise<Started> {
  const payment = { ...(await paid()), ...more };
  await phone.fault({ provider: 'mpesa', fault: 'error500', operation: 'pull' });
  return payment;
}

const callbackOf = (CheckoutRequestID: string | null, amount: unknown) => ({
  Body: {
    stkCallback: {
      ...{ MerchantRequestID: 'm', CheckoutRequestID, ResultCode: 0, ResultDesc: 'ok' },
      CallbackMetadata: {
        Item: [
          { Name: 'Amount', Value: amount },
          { Name: 'MpesaReceiptNumber', Value: 'SKE1234567' },
          { Name: 'Balance' },
        ],
      },
    },
  },
});

describe('a payment by push', () => {
  const receipt = expect.stringMatching(/^[A-Z0-9]{10}$/);

  test('D20 is paid under the receipt of the provider, with what it really took', async () => {
    const asked = charge('390000001');
    const outcome = await mpesa.start(asked);
    expect(outcome).toEqual({ kind: 'await', providerReference: expect.stringMatching(/^ws_CO_/) });
    const payment = { ...started(asked, outcome), since: new Date() };
    expect(await outcomeOf(payment)).toEqual({
      ...{ kind: 'paid', providerReference: receipt, amount: 5_000, currency: 'MGA' },
    });
    expect((await phone.books()).mpesa[asked.reference]).toMatchObject({ taken: 5_000, givenBack: 0 });
  });

  test('REL-12 of which more was taken than was asked says so', async () => {
    await phone.fault({ provider: 'mpesa', fault: 'wrongAmount', times: 1 });
    const asked = charge('390000001');
    const payment = started(asked, await mpesa.start(asked));
    expect(await outcomeOf(payment)).toMatchObject({ kind: 'paid', providerReference: receipt, amount: 5_001 });
  });

  test('REL-12 is paid as its callback states, whatever became of the list', async () => {
    const payment = await taken({ since: new Date() });
    const callbacks = (...amounts: unknown[]) => ({
      callbacks: async () => amounts.map((amount) => bytes(callbackOf(payment.providerReference, amount))),
    });
    expect(await mpesa.enquire({ ...payment, ...callbacks(5_001, 5_001) })).toEqual({
      ...{ kind: 'paid', providerReference: 'SKE1234567', amount: 5_001, currency: 'MGA' },
    });
    // Ignored: a callback about another push, one with an invalid amount, and two that differ.
    const other = async () => [bytes(callbackOf('ws_CO_other', 5_001))];
    for (const more of [callbacks(5_001, 5_002), callbacks('5001'), callbacks(-1), { callbacks: other }])
      expect(await mpesa.enquire({ ...payment, ...more })).toEqual({ kind: 'pending' });
    await phone.clearFaults();
  });

  test('REL-12 waits for five minutes where neither callback nor list states it, then is paid as it was asked for', async () => {
    const payment = await taken({});
    const { providerReference } = payment;
    expect(await mpesa.enquire({ ...payment, since: new Date(Date.now() - 290_000) })).toEqual({ kind: 'pending' });
    const paid = { kind: 'paid', providerReference, amount: null, currency: null };
    expect(await mpesa.enquire({ ...payment, since: new Date(Date.now() - 310_000) })).toEqual(paid);
    expect(await mpesa.enquire(payment)).toEqual(paid);
    await phone.clearFaults();
  });

  test.each([
    ['390000004', 'insufficientFunds'],
    ['390000006', 'walletLocked'],
    ['390000007', 'declined'],
    ['390000008', 'expired'],
  ])('of %s is refused by the query: %s', async (payer, reason) => {
    const asked = charge(payer);
    expect(await outcomeOf(started(asked, await mpesa.start(asked)))).toEqual({ kind: 'refused', reason });
    expect((await phone.books()).mpesa[asked.reference]).toBeUndefined();
  });

  test('is asked for in whole major units, and counted in minor ones, where a currency has digits', async () => {
    const cents = mpesaGateway('mpesa', http, { ...settings, url: `${sandbox.http}/mpesa`, digits: 2 });
    expect(await cents.start({ ...charge('390000001'), amount: 5_050 })).toMatchObject({ kind: 'refused' });
    const asked = { ...charge('390000001'), amount: 500_000 };
    const payment = started(asked, await cents.start(asked));
    await outcomeOf(payment);
    expect((await phone.books()).mpesa[asked.reference]).toMatchObject({ taken: 5_000 });
    expect(await cents.enquire({ ...payment, providerReference: null })).toMatchObject({
      kind: 'paid',
      amount: 500_000,
    });
    expect(await cents.refund(payment)).toMatchObject({ kind: 'unclear' });
    await expect.poll(() => cents.findRefund?.(payment)).toEqual({ kind: 'refunded' });
  });

  test('of a number without a wallet is refused at once', async () => {
    expect(await mpesa.start(charge('390000011'))).toEqual({ kind: 'refused', reason: 'noWallet' });
  });
});

describe('while the payer holds the phone', () => {
  let slow: Sandbox;
  let handset: PhoneClient;
  let shop: typeof mpesa;
  beforeAll(async () => {
    slow = await startSandbox({ approveAfterMs: 60_000 });
    handset = new PhoneClient(slow.http);
    shop = mpesaGateway('mpesa', http, { ...settings, url: `${slow.http}/mpesa` });
  });
  afterAll(() => slow.stop());

  async function answer(number: string, pin: string) {
    const prompt = (await handset.prompts(number)).find(({ state }) => state === 'pending');
    expect(prompt).toMatchObject({ provider: 'mpesa', amount: 5_000 });
    await handset.post(`/prompts/${prompt?.id}`, { action: 'approve', pin });
  }

  test('a payment is pending, and paid once it is approved', async () => {
    const asked = charge('390000001');
    const payment = started(asked, await shop.start(asked));
    expect(await shop.enquire(payment)).toEqual({ kind: 'pending' });
    await answer('390000001', '1234');
    expect(await shop.enquire(payment)).toMatchObject({ kind: 'paid' });
  });

  test('a wrong PIN is a refusal, and the fifth locks the wallet', async () => {
    const reasons = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const asked = charge('390000031');
      const payment = started(asked, await shop.start(asked));
      await answer('390000031', '9999');
      const outcome = await shop.enquire(payment);
      reasons.push(outcome.kind === 'refused' && outcome.reason);
    }
    expect(reasons).toEqual(['wrongPin', 'wrongPin', 'wrongPin', 'wrongPin', 'walletLocked']);
  });

  test('a payment whose answer was lost is found in the list with its amount, and not before it was paid', async () => {
    const asked = charge('390000013');
    expect(await shop.start(asked)).toMatchObject({ kind: 'unclear' });
    const payment = started(asked, null);
    expect(await shop.enquire(payment)).toEqual({ kind: 'notFound' });
    await answer('390000013', '1234');
    const outcome = await shop.enquire(payment);
    expect(outcome).toEqual({
      kind: 'paid',
      providerReference: expect.stringMatching(/^[A-Z0-9]{10}$/),
      amount: 5_000,
      currency: 'MGA',
    });
    if (outcome.kind !== 'paid') throw new Error('not paid');
    const { providerReference } = outcome;
    expect(await shop.enquire({ ...payment, providerReference })).toEqual(outcome);
  });

  test('a second push is refused while the first is open: the money is taken once', async () => {
    const asked = charge('390000035');
    const first = started(asked, await shop.start(asked));
    const second = started(asked, await shop.start(asked));
    expect(await shop.enquire(second)).toEqual({ kind: 'refused', reason: 'requestOpen' });
    await answer('390000035', '1234');
    expect(await shop.enquire(first)).toMatchObject({ kind: 'paid' });
    expect((await handset.books()).mpesa[asked.reference]?.taken).toBe(5_000);
  });
});

describe('a refund', () => {
  test('is believed when the list shows it, and asked for again it gives nothing twice', async () => {
    const payment = await paid();
    expect(await mpesa.refund(payment)).toEqual({ kind: 'unclear', detail: 'the reversal was accepted' });
    expect(await mpesa.refund(payment)).toEqual({ kind: 'refunded' });
    expect(await mpesa.refund(payment)).toEqual({ kind: 'refunded' });
    expect((await phone.books()).mpesa[payment.reference]).toMatchObject({ taken: 5_000, givenBack: 5_000 });
  });

  test('goes by the receipt when there is no list', async () => {
    const payment = await paid('390000001');
    const listed = await mpesa.enquire({ ...payment, providerReference: null });
    const receipt = listed.kind === 'paid' ? listed.providerReference : '';
    await phone.fault({ provider: 'mpesa', fault: 'error500', operation: 'pull' });
    expect(await mpesa.refund(payment)).toEqual({ kind: 'unclear', detail: 'no receipt number to reverse' });
    await mpesa.refund({ ...payment, providerReference: receipt });
    expect((await phone.books()).mpesa[payment.reference]?.givenBack).toBe(5_000);
  });

  test('of another amount than was taken, or of nothing, is not asked for', async () => {
    const payment = await paid();
    expect(await mpesa.refund({ ...payment, amount: 4_999 })).toMatchObject({ kind: 'unclear', isLasting: true });
    expect(await mpesa.refund(started(charge('390000001'), null))).toMatchObject({ kind: 'unclear' });
    expect((await phone.books()).mpesa[payment.reference]?.givenBack).toBe(0);
  });

  test('by the provider itself leaves nothing to deliver for', async () => {
    const payment = await paid();
    await mpesa.refund(payment);
    expect(await mpesa.enquire({ ...payment, providerReference: null })).toEqual({
      kind: 'refused',
      reason: 'refusedByProvider',
    });
  });
});

test('the statement lists what was taken and given back under our short references', async () => {
  const kept = await paid();
  const returned = await paid();
  await mpesa.refund(returned);
  const day = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) };
  const entry = { amount: 5_000, currency: 'MGA' };
  expect(await mpesa.statement(day)).toEqual([
    { ...entry, reference: kept.shortReference, givenBack: false },
    { ...entry, reference: returned.shortReference, givenBack: true },
  ]);
  const yesterday = { from: new Date(Date.now() - 40 * 3_600_000), to: new Date(Date.now() - 16 * 3_600_000) };
  expect(await mpesa.statement(yesterday)).toEqual([]);
  const longAgo = { from: new Date(Date.now() - 90 * 3_600_000), to: new Date(Date.now() - 66 * 3_600_000) };
  expect(await mpesa.statement(longAgo)).toBeNull();
});

describe('when the provider fails', () => {
  test.each([
    ['timeout', { delayMs: 20 }],
    ['error500', {}],
    ['loseAnswer', {}],
  ])('by %s nothing is concluded from it', async (fault, more) => {
    const payment = await paid();
    await phone.fault({ provider: 'mpesa', fault, operation: '*', ...more });
    expect(await mpesa.start(charge('390000001'))).toMatchObject({ kind: 'unclear' });
    expect(await mpesa.enquire(payment)).toMatchObject({ kind: 'unclear' });
    expect(await mpesa.enquire({ ...payment, providerReference: null })).toMatchObject({ kind: 'unclear' });
    expect(await mpesa.refund(payment)).toMatchObject({ kind: 'unclear' });
  });

  test('by a code that nobody listed, an altered amount or a late debit, the truth is told as it is', async () => {
    await phone.fault({ provider: 'mpesa', fault: 'unlistedCode', times: 1 });
    expect(await mpesa.start(charge('390000032'))).toMatchObject({ kind: 'unclear' });

    await phone.fault({ provider: 'mpesa', fault: 'wrongAmount', times: 1 });
    const more = charge('390000033');
    await mpesa.start(more);
    expect(await outcomeOf(started(more, null))).toMatchObject({ kind: 'paid', amount: 5_001 });

    await phone.fault({ provider: 'mpesa', fault: 'lateDebit', times: 1, delayMs: 300_000 });
    const never = charge('390000034');
    const refused = started(never, await mpesa.start(never));
    expect(await mpesa.enquire(refused)).toEqual({ kind: 'refused', reason: 'declined' });
    await phone.fault({ provider: 'mpesa', fault: 'lateDebit', times: 1, delayMs: 1 });
    const late = charge('390000034');
    const payment = started(late, await mpesa.start(late));
    await expect.poll(() => mpesa.enquire(payment)).toMatchObject({ kind: 'paid' });
  });

  test('by a page of HTML with 200 or by refusing our pass key nothing is concluded; without a token nothing was sent', async () => {
    const html = createServer((request, response) => {
      const isToken = request.url?.includes('oauth');
      response.writeHead(200).end(isToken ? '{"access_token":"t","expires_in":"3599"}' : '<html>Welcome</html>');
    });
    await new Promise<void>((resolve) => html.listen(0, '127.0.0.1', resolve));
    const at = (url: string, more: object = {}) => mpesaGateway('mpesa', http, { ...settings, url, ...more });
    const unclear = { kind: 'unclear' };
    const unsent = { kind: 'refused', reason: 'notReached' };
    const gateways = [
      [at(`http://127.0.0.1:${(html.address() as AddressInfo).port}`), unclear],
      [at('http://127.0.0.1:9'), unsent],
      [at(`${sandbox.http}/mpesa`, { consumerSecret: 'wrong' }), unsent],
      [at(`${sandbox.http}/mpesa`, { passkey: 'wrong' }), unclear],
    ] as const;
    for (const [gateway, outcome] of gateways) {
      const asked = charge('390000001');
      expect(await gateway.start(asked)).toMatchObject(outcome);
      const payment = { ...started(asked, null), providerReference: 'ws_CO_1' };
      expect(['unclear', 'pending']).toContain((await gateway.enquire(payment)).kind);
    }
    html.close();
  });

  test('a token that it no longer knows is replaced, and the question asked again', async () => {
    const first = await startSandbox();
    const client = mpesaGateway('mpesa', http, { ...settings, url: `${first.http}/mpesa` });
    const nobody = started(charge('390000001'), null);
    expect(await client.enquire(nobody)).toEqual({ kind: 'notFound' });
    await first.stop();
    const second = await startSandbox({ port: Number(new URL(first.http).port) });
    expect(await client.enquire(nobody)).toEqual({ kind: 'notFound' });
    await second.stop();
  });
});

describe('a callback', () => {
  const nothing = Buffer.alloc(0);

  test('SEC-13 comes to an address that only the provider was told, and is believed there alone', async () => {
    const payment = await paid();
    await expect.poll(() => portal.received.length).toBe(1);
    const { path, body } = portal.received[0] ?? { path: '', body: '' };
    expect(JSON.parse(body).Body.stkCallback).toMatchObject({ ResultCode: 0 });
    const told = path.replace('/callbacks/mpesa/', '');
    const { reference } = payment;
    expect(mpesa.parseCallback(Buffer.from(body), {}, told)).toEqual({ reference, signed: true });
    const mark = told.split('/')[1] ?? '';
    const altered = (mark.startsWith('0') ? '1' : '0') + mark.slice(1);
    for (const wrong of [`${reference}/${altered}`, `${reference}/${mark.slice(1)}`, `${reference}/`, reference])
      expect(mpesa.parseCallback(Buffer.from(body), {}, wrong)).toEqual({ reference, signed: false });
    const other = newPaymentId();
    expect(mpesa.parseCallback(nothing, {}, `${other}/${mark}`)).toEqual({ reference: other, signed: false });
  });

  test('that is not one names no payment and does not throw', () => {
    for (const path of [
      '',
      '/',
      '//',
      'a b/c',
      '../etc/passwd',
      `${'a'.repeat(65)}/00`,
      '\u0000/00',
      'x/y/z',
      "';--/0",
    ])
      for (const body of ['', '{', '<html>', 'null', '{"Body":5}'])
        expect(mpesa.parseCallback(Buffer.from(body), {}, path)).toEqual({ reference: null, signed: false });
  });
});

test("the time of a request is the provider's, on whatever clock we run", async () => {
  const seen: { Timestamp: string; Password: string }[] = [];
  const daraja = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (body) seen.push(JSON.parse(body));
    response.end('{"access_token":"t","expires_in":"3599"}');
  });
  await new Promise<void>((resolve) => daraja.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(daraja.address() as AddressInfo).port}`;
  for (const timeZone of ['Africa/Nairobi', 'UTC', 'Asia/Tokyo'])
    await mpesaGateway('mpesa', http, { ...settings, url, timeZone }).start(charge('390000001'));
  daraja.close();
  const hours = seen.map(({ Timestamp }) => {
    expect(Timestamp).toMatch(/^\d{14}$/);
    const [, day, time] = /^(\d{8})(\d{6})$/.exec(Timestamp) ?? ['', '', ''];
    const iso = `${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`;
    return Math.round((Date.parse(iso) - Date.now()) / 3_600_000) + 0;
  });
  expect(hours).toEqual([3, 0, 9]);
  const [first] = seen;
  expect(Buffer.from(first?.Password ?? '', 'base64').toString()).toBe(
    `174379sandbox-mpesa-passkey${first?.Timestamp}`,
  );
});
