import { constants, createPublicKey, publicEncrypt, randomUUID } from 'node:crypto';
import { type CallName, callPath } from '@portal/contract/calls.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { describe, expect, test } from 'vitest';
import { cards, HostedVisitor } from '../../../sandbox/src/hosted/hosted-visitor.fixture.ts';
import { phone } from '../../../sandbox/src/sandbox-tests.fixture.ts';
import { createReceipts } from '../receipts/receipts.service.ts';
import { portalTests, running } from '../testing/portal-tests.fixture.ts';
import { visitCookie } from '../testing/visit-cookie.ts';

/** Milliseconds ahead of the real clock, because a code can be resent only after a minute. */
let ahead = 0;

portalTests(
  { approveAfterMs: 200, promptExpiryMs: 500 },
  { rateLimitScale: 1_000, walletPinMode: true },
  () => new Date(Date.now() + ahead),
);

type Headers = Record<string, string>;
const post = (name: CallName, payload: object, headers: Headers = {}) =>
  running.portal.http.inject({ method: 'POST', url: callPath(name), payload, headers });
const statusOf = async (tid: string) =>
  (
    await running.portal.http.inject({
      method: 'GET',
      url: callPath('transactionStatus'),
      query: { tid },
      headers: { lang: 'en' },
    })
  ).json().result;

/** Advances the clock by two seconds, so that the enquiry after ten is not waited for. */
async function later(tid: string) {
  ahead += 2_000;
  await running.portal.payments.sweep(50);
  return statusOf(tid);
}

async function ended(tid: string) {
  await expect.poll(() => later(tid), { interval: 200 }).toMatchObject({ final: true });
  return statusOf(tid);
}

const order = (paymentMode: string, number: string, more: object = {}) => ({
  amount: 5_000,
  mobileNumber: '0390000001',
  paymentMobile: `0${number}`,
  transactionType: 'PREPAID_RECHARGE',
  paymentMode,
  paymentGateway: paymentMode,
  currencyCode: 'MGA',
  ...more,
});

/** The codes sent by SMS to a line, latest first. Messages about payments may be in between. */
const codesOf = async (number: string): Promise<string[]> =>
  (await phone.messages(number)).flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? []);

async function codeOf(number: string): Promise<string> {
  await expect.poll(() => codesOf(number)).not.toEqual([]);
  return (await codesOf(number))[0] ?? '';
}

async function proved(
  number: string,
  paymentMode: string,
  { call = 'verifyCode', bought = {} }: { call?: 'verifyCode' | 'verifyUser'; bought?: object } = {},
) {
  const before = (await codesOf(number)).length;
  const payment = order(paymentMode, number, bought);
  const sent = await post('sendCode', { data: { msisdn: `0${number}`, paymentMode, payment } });
  expect(sent.statusCode).toBe(200);
  const { refId } = sent.json().result;
  await expect.poll(() => codesOf(number)).toHaveLength(before + 1);
  const [otp] = await codesOf(number);
  return post(call, { data: { refId, otp, username: `0${number}`, paymentMode } });
}

interface Challenge {
  key: string;
  keyId: string;
  nonce: string;
}

function sealPin(pin: string, transactionId: string, { key, keyId, nonce }: Challenge) {
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const oaepLabel = Buffer.from(transactionId);
  const sealed = publicEncrypt(
    { key: publicKey, padding, oaepHash: 'sha256', oaepLabel },
    Buffer.from(`${nonce}.${pin}`),
  );
  return { amPin: sealed.toString('base64'), amPinKeyId: keyId };
}

async function tokenFor(number: string, mode: string): Promise<Headers> {
  const { tokenType, accessToken } = (await proved(number, mode, { call: 'verifyUser' })).json().result;
  return { authorization: `${tokenType} ${accessToken}` };
}

async function payByPin(number: string, mode: string, pin: string, headers: Headers) {
  const initiated = await post('authInitiate', order(mode, number), headers);
  if (initiated.statusCode !== 200) return { id: '', answer: initiated };
  const { transactionId, encryptionKeyDetails } = initiated.json().result;
  const body = { transactionId, ...sealPin(pin, transactionId, encryptionKeyDetails) };
  return { id: transactionId as string, answer: await post('authProcess', body, headers), body };
}

const books = async (taker: 'wallet' | 'smartcash' | 'mpesa' | 'airtime' | 'card' | 'orange', id: string) =>
  (await phone.books())[taker][id];

describe('a wallet with its PIN', () => {
  test.each([
    ['FANILO_MONEY', 'wallet'],
    ['SMARTCASH_SECURE', 'smartcash'],
  ] as const)('%s is paid after code and PIN, and delivered once', async (mode, taker) => {
    const { id, answer } = await payByPin('390000001', mode, '1234', await tokenFor('390000001', mode));
    expect(answer.json().result).toMatchObject({ transactionId: id });
    expect(await ended(id)).toMatchObject({ status: 'SUCCESS' });
    expect(await books(taker, id)).toMatchObject({ taken: 5_000, givenBack: 0 });
    expect((await phone.books()).charging[id]).toMatchObject({ count: 1 });
  });

  test.each([
    ['FANILO_MONEY', 1004, '390000021'],
    ['SMARTCASH_SECURE', '56D005', '390000022'],
  ] as const)('%s: a wrong PIN is counted by the server, down to the lock', async (mode, code, number) => {
    const headers = await tokenFor(number, mode);
    for (const left of [4, 3, 2, 1]) {
      const { answer } = await payByPin(number, mode, '9999', headers);
      expect(answer.json()).toMatchObject({ statusCode: code, error: { attemptsLeft: left } });
    }
    expect((await payByPin(number, mode, '9999', headers)).answer.json()).toMatchObject({ statusCode: 1006 });
    // The right PIN is too late, also from another visit.
    expect((await payByPin(number, mode, '1234', headers)).answer.json()).toMatchObject({ statusCode: 1006 });
    const { answer } = await payByPin(number, mode, '1234', await tokenFor(number, mode));
    expect(answer.json()).toMatchObject({ statusCode: 1006, error: { attemptsLeft: 0 } });
  });

  test('a wallet locked by its provider is reported at once', async () => {
    const { answer } = await payByPin('390000006', 'FANILO_MONEY', '1234', await tokenFor('390000006', 'FANILO_MONEY'));
    expect(answer.json()).toMatchObject({
      statusCode: 1006,
      message: 'Your Fanilo Money wallet has been blocked due to too many incorrect PIN attempts.',
    });
  });

  test('a number without a wallet gets 4001', async () => {
    expect((await proved('390000011', 'FANILO_MONEY')).json()).toMatchObject({ statusCode: 4001 });
  });

  test('SEC-7 needs its token, for its number and mode, at initiate and at process', async () => {
    const headers = await tokenFor('390000001', 'FANILO_MONEY');
    const other = await tokenFor('390000023', 'FANILO_MONEY');
    const smart = await tokenFor('390000001', 'SMARTCASH_SECURE');
    const refused = { statusCode: 'NOT_VERIFIED' };
    const body = order('FANILO_MONEY', '390000001');
    expect((await post('initiate', body)).json()).toMatchObject(refused);
    expect((await post('initiate', body, headers)).json()).toMatchObject(refused);
    expect((await post('mpesaInitiate', body, headers)).json()).toMatchObject(refused);
    for (const wrong of [other, smart, { authorization: 'Bearer x' }])
      expect((await post('authInitiate', body, wrong)).json()).toMatchObject(refused);

    const { transactionId, encryptionKeyDetails } = (await post('authInitiate', body, headers)).json().result;
    const pin = sealPin('1234', transactionId, encryptionKeyDetails);
    for (const wrong of [other, smart])
      expect((await post('authProcess', { transactionId, ...pin }, wrong)).json()).toMatchObject(refused);
    for (const plain of ['process', 'mpesaProcess'] as const)
      expect((await post(plain, { transactionId, ...pin })).json()).toMatchObject(refused);
    expect((await post('authProcess', { transactionId }, headers)).json()).toMatchObject({ statusCode: 'PIN_REFUSED' });
    expect(await statusOf(transactionId)).toMatchObject({ status: 'REQUEST_REGISTERED', moneyState: 'notTaken' });
  });

  test('SEC-5 a PIN sent again, or for another transaction, pays nothing', async () => {
    const headers = await tokenFor('390000001', 'FANILO_MONEY');
    const first = await payByPin('390000001', 'FANILO_MONEY', '1234', headers);
    expect((await post('authProcess', first.body ?? {}, headers)).json().result).toMatchObject({
      status: 'ALREADY_PROCESSED',
    });
    const { transactionId } = (await post('authInitiate', order('FANILO_MONEY', '390000001'), headers)).json().result;
    const replayed = await post('authProcess', { ...first.body, transactionId }, headers);
    expect(replayed.json()).toMatchObject({ statusCode: 'PIN_REFUSED' });
    await ended(first.id);
    expect((await phone.line('390000001')).wallet).toBe(495_000);
  });
});

describe('airtime', () => {
  test('is charged after the owner of the line proved it, and never beyond the balance', async () => {
    const bought = { mobileNumber: '0390000031' };
    const { uniqueCode } = (await proved('390000001', 'AIRTIME', { bought })).json().result;
    // Messages about other payments may be in between.
    const message = (await phone.messages('390000001')).find(({ text }) => /#\d{6}$/.test(text));
    expect(message?.text).toMatch(
      /^Fanilo: \d{6} est le code pour payer MGA 5 000 pour 39 00 000 31\. .*\n\n@localhost #\d{6}$/,
    );
    const balance = await post('queryBalance', { data: { msisdn: '0390000001', uniqueCode, serviceType: 'AIRTIME' } });
    expect(balance.json().result.queryBalanceResult).toEqual([
      expect.objectContaining({ serviceType: 'AIRTIME', balance: 50_000 }),
    ]);
    const body = order('AIRTIME', '390000001', { ...bought, uniqueCode });
    const key = { 'idempotency-key': 'an-attempt-by-airtime' };
    const { transactionId } = (await post('initiate', body, key)).json().result;
    expect((await post('initiate', body, key)).json().result.transactionId).toBe(transactionId);
    expect((await post('initiate', body, { 'idempotency-key': 'another-attempt' })).json()).toMatchObject({
      statusCode: 'NOT_VERIFIED',
    });
    await post('process', { transactionId });
    expect(await ended(transactionId)).toMatchObject({ status: 'SUCCESS' });
    expect((await phone.line('390000001')).airtime).toBe(45_000);
    expect((await phone.line('390000031')).airtime).toBe(15_000);
    const record = await running.portal.payments.find(transactionId);
    if (!record) throw new Error('the payment is gone');
    const { rows } = createReceipts({ pack, texts: running.portal.content, gateways: new Map() }).facts(
      record,
      'fr-FR',
    );
    expect(rows).toContainEqual(['Payé avec', 'Crédit']);
  });

  test('MNY-1 that is insufficient is refused, and its owner is told by SMS that nothing was taken', async () => {
    const { uniqueCode } = (await proved('390000004', 'AIRTIME')).json().result;
    const { transactionId } = (await post('initiate', order('AIRTIME', '390000004', { uniqueCode }))).json().result;
    await post('process', { transactionId });
    expect(await ended(transactionId)).toMatchObject({ status: 'FAILED', statusReason: 'There was not enough money.' });
    // MNY-1: a payer who proved the number is told by SMS too, in the words of the page.
    const texts = async () => (await phone.messages('390000004')).map(({ text }) => text);
    await expect.poll(texts).toContainEqual(expect.stringMatching(/^Fanilo: non débité, MGA 5 000/));
  });

  test('SEC-7 of another line cannot be charged with this proof', async () => {
    const { uniqueCode } = (await proved('390000001', 'AIRTIME')).json().result;
    for (const payer of ['390000002', '390000003'])
      expect((await post('initiate', order('AIRTIME', payer, { uniqueCode }))).json()).toMatchObject({
        statusCode: 'NOT_VERIFIED',
      });
    expect((await post('initiate', order('AIRTIME', '390000001'))).json()).toMatchObject({
      statusCode: 'NOT_VERIFIED',
    });
  });
});

/** A wallet's reason is shown only to a payer who proved the number. */
const notApproved = expect.stringMatching(/^The payment was not approved/);

describe('MPESA', () => {
  test.each([
    ['390000001', 'SUCCESS', undefined],
    ['390000007', 'FAILED', notApproved],
    ['390000004', 'FAILED', notApproved],
    ['390000013', 'SUCCESS', undefined],
  ])('%s ends as %s', async (number, status, statusReason) => {
    const { transactionId } = (await post('mpesaInitiate', order('MPESA', number))).json().result;
    await post('mpesaProcess', { transactionId });
    expect(await ended(transactionId)).toMatchObject({ status, ...(statusReason ? { statusReason } : {}) });
    const taken = (await books('mpesa', transactionId))?.taken ?? 0;
    expect(taken).toBe(status === 'SUCCESS' ? 5_000 : 0);
  });

  test('REL-12 (MPESA, whose query names no sum) another sum than was asked for waits for a person, though its list failed at first', async () => {
    await phone.fault({ provider: 'mpesa', fault: 'wrongAmount', times: 1 });
    await phone.fault({ provider: 'mpesa', fault: 'error500', operation: 'pull', times: 2 });
    const { transactionId } = (await post('mpesaInitiate', order('MPESA', '390000001'))).json().result;
    await post('mpesaProcess', { transactionId });
    await expect.poll(() => later(transactionId), { interval: 200 }).toMatchObject({ status: 'REQUEST_RAISED' });
    const { moneyState, statusReason, refTransactionId } = await statusOf(transactionId);
    expect({ moneyState, statusReason, refTransactionId }).toEqual({
      moneyState: 'taken',
      statusReason: expect.stringContaining('5,001'),
      refTransactionId: expect.stringMatching(/^[A-Z0-9]{10}$/),
    });
    expect(await books('mpesa', transactionId)).toMatchObject({ taken: 5_001, givenBack: 0 });
    expect((await phone.books()).charging[transactionId]).toBeUndefined();
  });

  test('money taken for a failed delivery is refunded', async () => {
    const body = order('MPESA', '390000001', { mobileNumber: '0390000012' });
    const { transactionId } = (await post('mpesaInitiate', body)).json().result;
    await post('mpesaProcess', { transactionId });
    expect(await ended(transactionId)).toMatchObject({ status: 'FAILED', moneyState: 'givenBack' });
    expect(await books('mpesa', transactionId)).toMatchObject({ taken: 5_000, givenBack: 5_000 });
  });
});

describe('a card', () => {
  async function atCheckout(gateway: string) {
    const body = order('PAYMENT_GATEWAY', '', { paymentMobile: '', paymentGateway: gateway, emailId: 'a@example.mg' });
    const { transactionId } = (await post('initiate', body)).json().result;
    const processed = (await post('process', { transactionId })).json().result;
    expect(processed).toMatchObject({ next: 'redirect', status: 'REQUEST_REGISTERED' });
    const again = (await post('process', { transactionId })).json().result;
    expect(again).toMatchObject({ status: 'ALREADY_PROCESSED', redirectUrl: processed.redirectUrl });
    return { id: transactionId as string, page: await new HostedVisitor(processed.redirectUrl).open() };
  }

  test('that pays leads to the delivery, a receipt by mail, and a redirect to the status page', async () => {
    const { id, page } = await atCheckout('CARD');
    expect(await statusOf(id)).not.toHaveProperty('refTransactionId');
    await page.payWithCard(cards.pays);
    expect(page.leftFor).toContain(`/payment/status?id=${id}`);
    const status = await ended(id);
    expect(status).toMatchObject({ status: 'SUCCESS', paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'CARD' });
    expect(status.refTransactionId).toMatch(/^\d+$/);
    expect(await books('card', id)).toMatchObject({ taken: 5_000, givenBack: 0 });
    await expect.poll(async () => (await phone.mail('a@example.mg')).length).toBe(1);
    const [mail] = await phone.mail('a@example.mg');
    expect(mail?.subject).toMatch(/MGA 5.000/);
    expect(mail?.text).toContain(id);
    expect(mail?.text).not.toContain('390000001');
  });

  test('Orange Money pays the same way, and shows its number without its token', async () => {
    const { id, page } = await atCheckout('ORANGE');
    expect(page.text).toContain('Orange');
    const waiting = await statusOf(id);
    expect(waiting).toMatchObject({ status: 'REQUEST_REGISTERED', moneyState: 'awaitingApproval' });
    expect(waiting).not.toHaveProperty('refTransactionId');
    await page.fill({ number: '0390000001' });
    await page.fill({ code: '1234' });
    const status = await ended(id);
    expect(status).toMatchObject({ status: 'SUCCESS', paymentGateway: 'ORANGE' });
    const kept = (await running.portal.payments.find(id))?.payment.provider_reference?.split(' ') ?? [];
    expect(kept).toEqual([expect.stringMatching(/^.+$/), status.refTransactionId]);
    expect(JSON.stringify(status)).not.toContain(kept[0]);
  });
});

describe('what is bought', () => {
  const bundle = pack.catalogue.find((item) => item.lineType === 'PREPAID' && item.data);
  const paid = async (body: object) => {
    const initiated = await post('mpesaInitiate', body);
    expect(initiated.json()).toMatchObject({ statusCode: 200 });
    const { transactionId } = initiated.json().result;
    await post('mpesaProcess', { transactionId });
    return ended(transactionId);
  };

  test('a bundle is activated once, with its benefits', async () => {
    const body = order('MPESA', '390000001', {
      transactionType: 'PREPAID_BUNDLES',
      mobileNumber: '0390000041',
      productCode: bundle?.productCode,
      amount: bundle?.amount,
    });
    const status = await paid(body);
    expect(status).toMatchObject({ status: 'SUCCESS', bundleDescription: expect.any(String) });
    expect((await phone.line('390000041')).bundles).toHaveLength(1);
    expect((await phone.books()).charging[status.transactionId]).toMatchObject({ count: 1, delivered: bundle?.amount });
  });

  test('PAY-8 a bundle at another price, unknown, or for a line that cannot have it is refused', async () => {
    const body = order('MPESA', '390000001', {
      transactionType: 'PREPAID_BUNDLES',
      productCode: bundle?.productCode,
      amount: bundle?.amount,
    });
    const refusals = [
      [{ ...body, amount: (bundle?.amount ?? 0) - 1 }, 'PRICE_CHANGED'],
      [{ ...body, productCode: 'NOBODY' }, 'NOT_OFFERED'],
      [{ ...body, mobileNumber: '0390000002' }, 'LINE_NOT_ELIGIBLE'],
    ] as const;
    for (const [tampered, code] of refusals)
      expect((await post('mpesaInitiate', tampered)).json()).toMatchObject({ statusCode: code });
  });

  test('a bill is paid into the account of the line, which the payer is not shown', async () => {
    const body = order('MPESA', '390000001', {
      transactionType: 'POSTPAID_BILL',
      mobileNumber: '0390000003',
      amount: 12_000,
    });
    const status = await paid(body);
    expect(status).toMatchObject({ status: 'SUCCESS', transactionType: 'POSTPAID_BILL' });
    expect(JSON.stringify(status)).not.toContain('1000000003');
    expect((await phone.line('390000003')).outstanding).toBe(0);
  });

  interface OpenInvoice {
    invoiceNo: string;
    /** An order that pays it. */
    body: ReturnType<typeof order>;
  }

  async function openInvoices(): Promise<[OpenInvoice, OpenInvoice]> {
    const accountId = 'PA1000000001';
    const asked = await post('openInvoices', { accountNo: accountId, contactPersonEmailId: 'client@example.mg' });
    const { invoices } = asked.json().result.response as {
      invoices: { invoiceStatus: string; amountDue: number; invoiceNo: string; invoiceToken: string }[];
    };
    return invoices
      .filter(({ invoiceStatus }) => invoiceStatus !== 'PAID')
      .map(({ amountDue, invoiceNo, invoiceToken }) => ({
        invoiceNo,
        body: order('MPESA', '390000001', {
          ...{ transactionType: 'POSTPAID_BILL', mobileNumber: '', amount: amountDue, accountId },
          ...{ invoiceNumber: invoiceNo, invoiceToken },
        }),
      })) as [OpenInvoice, OpenInvoice];
  }

  test('an invoice is paid in full, once, and not after it was paid elsewhere', async () => {
    const open = await openInvoices();
    expect(open).toHaveLength(2);
    const [first, second] = open;
    expect((await post('mpesaInitiate', { ...first.body, amount: 1_000 })).json()).toMatchObject({
      statusCode: 'PRICE_CHANGED',
    });
    expect((await post('mpesaInitiate', { ...first.body, accountId: 'PA1000000009' })).json()).toMatchObject({
      statusCode: 'NOT_OFFERED',
    });
    expect(await paid(first.body)).toMatchObject({
      status: 'SUCCESS',
      invoiceNumber: expect.stringMatching(/^•••/),
    });
    expect((await post('mpesaInitiate', first.body)).json()).toMatchObject({ statusCode: 'PRICE_CHANGED' });

    const { transactionId } = (await post('mpesaInitiate', second.body)).json().result;
    await phone.post(`/bills/${second.invoiceNo}/settle`);
    expect((await post('mpesaProcess', { transactionId })).json()).toMatchObject({ statusCode: 'ORDER_PAID' });
    expect(await ended(transactionId)).toMatchObject({ status: 'FAILED', moneyState: 'notTaken' });
  });

  test('REL-16 the same key and body get the same response after the invoice was paid; another body is refused', async () => {
    const [{ body }] = await openInvoices();
    const key = { 'idempotency-key': randomUUID() };
    const first = (await post('mpesaInitiate', body, key)).json().result;
    await post('mpesaProcess', { transactionId: first.transactionId });
    expect(await ended(first.transactionId)).toMatchObject({ status: 'SUCCESS' });
    expect((await post('mpesaInitiate', body)).json().statusCode).toBe('PRICE_CHANGED');
    const { transactionId, amount, currencyCode } = first;
    expect((await post('mpesaInitiate', body, key)).json().result).toMatchObject({
      transactionId,
      amount,
      currencyCode,
    });
    const other = await post('mpesaInitiate', { ...body, amount: body.amount + 1 }, key);
    expect(other.json().statusCode).toBe('KEY_REUSED');
  });
});

describe('the same purchase again within minutes', () => {
  const cookie = (visit: string) => ({ cookie: visitCookie(visit) });
  const body = order('MPESA', '390000001', { mobileNumber: '0390000051' });

  test('MNY-2 asks the same browser first, names its own earlier payment, and pays when told to', async () => {
    const { transactionId } = (await post('mpesaInitiate', body, cookie('one'))).json().result;
    await post('mpesaProcess', { transactionId }, cookie('one'));
    const repeated = await post('mpesaInitiate', body, cookie('one'));
    expect(repeated.statusCode).toBe(409);
    expect(repeated.json()).toMatchObject({
      statusCode: 'PAID_RECENTLY',
      error: { earlierTransactionId: transactionId },
    });
    const confirmed = await post('mpesaInitiate', { ...body, confirmRepeat: true }, cookie('one'));
    expect(confirmed.json().result.transactionId).not.toBe(transactionId);
    expect((await post('mpesaInitiate', { ...body, amount: 6_000 }, cookie('one'))).statusCode).toBe(200);
    // Another browser must not learn who bought what.
    expect((await post('mpesaInitiate', body, cookie('other'))).statusCode).toBe(200);
    await ended(transactionId);
  });
});

test('MNY-7 the receipt is a PDF under its link once money was taken, and not before', async () => {
  const { transactionId } = (await post('mpesaInitiate', order('MPESA', '390000001'))).json().result;
  const early = await running.portal.http.inject({ method: 'GET', url: `/receipts/${transactionId}.pdf` });
  expect(early.statusCode).toBe(404);
  expect(early.body).toContain('there is no receipt');
  await post('mpesaProcess', { transactionId });
  await ended(transactionId);
  for (const lang of ['en', 'fr', 'mg']) {
    const answer = await running.portal.http.inject({
      method: 'GET',
      url: `/receipts/${transactionId}.pdf?lang=${lang}`,
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'no-store' });
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  }
  for (const id of ['nobody', '0'.repeat(26), '%00', '..%2f..'])
    expect((await running.portal.http.inject({ method: 'GET', url: `/receipts/${id}.pdf` })).statusCode).toBe(404);
});

test('no PIN, code, token or full number is in any line of the log', () => {
  const log = running.lines.join('\n');
  expect(log.length).toBeGreaterThan(1_000);
  for (const secret of ['390000001', '390000021', 'Bearer ']) expect(log).not.toContain(secret);
  // Not the end of a longer id.
  for (const pin of ['1234', '9999']) expect(log).not.toMatch(new RegExp(`(?<![0-9a-z])${pin}"`, 'i'));
});

test('OTP-3 390000010 gets no code: the limit is reported by 502', async () => {
  const answer = await post('sendCode', { data: { msisdn: '0390000010' } });
  expect(answer.statusCode).toBe(502);
  expect(answer.json()).toMatchObject({ statusCode: 502, message: 'max limit exhausted, please try after sometime.' });
});

describe('OTP-5 the calls take and give what the specification says', () => {
  test('/optimus/otp/send, resend after a minute and verify, by otpId, for the proof that opens a bill', async () => {
    const sent = await post('sendInvoiceCode', { data: { text: '0390000002', text1: '', otpAction: 'INVOICE' } });
    expect(sent.json()).toMatchObject({ statusCode: 200, result: { otpId: expect.any(String) } });
    const first = await codeOf('390000002');
    const again = (otpId: string) => post('resendInvoiceCode', { data: { otpId } });
    expect((await again(sent.json().result.otpId)).json()).toMatchObject({ statusCode: 400 });
    ahead += 61_000;
    const resent = await again(sent.json().result.otpId);
    expect(resent.json()).toMatchObject({ statusCode: 200, result: { otpId: expect.any(String) } });
    const { otpId } = resent.json().result;
    await expect.poll(() => codesOf('390000002')).toHaveLength(2);
    const otp = await codeOf('390000002');
    const verify = async (code: string) => (await post('verifyInvoiceCode', { data: { otp: code, otpId } })).json();
    // Once in a million times both codes are the same; then any other wrong code serves.
    const wrong = first === otp ? String((Number(otp) + 1) % 1_000_000).padStart(6, '0') : first;
    expect(await verify(wrong)).toMatchObject({ statusCode: 2003, error: { attemptsLeft: 4 } });
    const { result } = await verify(otp);
    expect(result).toEqual({ uniqueCode: expect.any(String) });
    const bill = { data: { msisdn: '0390000002', uniqueCode: result.uniqueCode } };
    expect((await post('bill', bill)).json().result).toMatchObject({ totalOutstanding: 45_250.4, amountDue: 45_251 });
  });

  test('/otp/v1/send-otp, resend-otp after a minute and verify-otp, by msisdn and refId', async () => {
    const sent = await post('sendCode', { data: { msisdn: '0390000061' } });
    expect(sent.json().result).toEqual({ refId: expect.any(String) });
    await codeOf('390000061');
    const again = () => post('resendCode', { data: { refId: sent.json().result.refId } });
    expect((await again()).json()).toMatchObject({ statusCode: 400 });
    ahead += 61_000;
    const resent = await again();
    expect(resent.json()).toMatchObject({ statusCode: 200, result: { refId: expect.any(String) } });
    await expect.poll(() => codesOf('390000061')).toHaveLength(2);
    const data = { refId: resent.json().result.refId, otp: await codeOf('390000061') };
    expect((await post('verifyCode', { data })).json().result).toEqual({ uniqueCode: expect.any(String) });
  });

  test.each(['verifyCode', 'verifyUser'] as const)(
    '%s of a wallet gives tokenType and accessToken too',
    async (call) => {
      for (const [mode, number] of [
        ['FANILO_MONEY', call === 'verifyCode' ? '390000062' : '390000063'],
        ['SMARTCASH_SECURE', call === 'verifyCode' ? '390000064' : '390000065'],
      ] as const) {
        const verified = await proved(number, mode, { call });
        const text = expect.stringMatching(/./);
        expect(verified.json().result, mode).toEqual({ uniqueCode: text, tokenType: text, accessToken: text });
      }
    },
  );
});

describe('a transaction id', () => {
  test('SEC-8 has 130 random bits, is never repeated, and cannot be guessed', async () => {
    const ids = new Set<string>();
    for (let index = 0; index < 50; index += 1)
      ids.add((await post('mpesaInitiate', order('MPESA', '390000071'))).json().result.transactionId);
    expect(ids.size).toBe(50);
    const letters = new Set([...ids].join(''));
    for (const id of ids) expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/);
    expect(letters.size).toBe(32);
    const [known = ''] = ids;
    const near = Array.from({ length: 300 }, (_, index) => known.slice(0, 24) + index.toString(32).padStart(2, '0'));
    for (const guess of near.filter((id) => !ids.has(id))) {
      const answer = await running.portal.http.inject({
        method: 'GET',
        url: callPath('transactionStatus'),
        query: { tid: guess },
      });
      expect([404, 422]).toContain(answer.statusCode);
    }
  });

  test('SEC-8 opens a status without the full number, which is not cached', async () => {
    const { transactionId } = (
      await post('mpesaInitiate', order('MPESA', '390000072', { mobileNumber: '0390000072' }))
    ).json().result;
    for (const [name, query] of [
      ['transactionStatus', { tid: transactionId }],
      ['transactionFetch', { txnId: transactionId }],
    ] as const) {
      const answer = await running.portal.http.inject({ method: 'GET', url: callPath(name), query });
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.body).not.toContain('0390000072');
      expect(answer.body).not.toContain('390000072');
      expect(answer.json().result.mobileNumber).toMatch(/^39 •• ••• 72$/);
    }
  });
});

test.each([
  ['fr', 'Ce numéro n’a pas de porte-monnaie mobile.'],
  ['mg', 'Tsy manana poketra finday io laharana io.'],
  ['en', 'There is no wallet on this number.'],
])('a refusal is in the language of the request: %s', async (lang, words) => {
  const data = { msisdn: '0390000011', paymentMode: 'FANILO_MONEY', payment: order('FANILO_MONEY', '390000011') };
  const { refId } = (await post('sendCode', { data })).json().result;
  const body = { data: { refId, otp: await codeOf('390000011'), paymentMode: 'FANILO_MONEY' } };
  const answer = await post('verifyCode', body, { lang });
  expect(answer.json()).toMatchObject({ statusCode: 4001, message: words, error: { message: words } });
});
