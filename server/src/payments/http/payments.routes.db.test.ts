import { type CallName, callPath } from '@portal/contract/calls.ts';
import { describe, expect, test } from 'vitest';
import { phone } from '../../../../sandbox/src/sandbox-tests.fixture.ts';
import { portalTests, running } from '../../testing/portal-tests.fixture.ts';
import { visitCookie } from '../../testing/visit-cookie.ts';
import { newPaymentId } from '../core/payment-id.ts';

portalTests(
  { approveAfterMs: 300, promptExpiryMs: 600 },
  { rateLimitScale: 1_000, metricsKey: 'a key for figures in tests' },
);

const post = (name: CallName, payload: object, headers: Record<string, string> = {}) =>
  running.portal.http.inject({ method: 'POST', url: callPath(name), payload, headers });
const get = (name: CallName, query: Record<string, string>, headers: Record<string, string> = {}) =>
  running.portal.http.inject({ method: 'GET', url: callPath(name), query, headers: { lang: 'en', ...headers } });

const order = (number: string, more: object = {}) => ({
  amount: '5000',
  mobileNumber: `0${number}`,
  paymentMobile: `0${number}`,
  transactionType: 'PREPAID_RECHARGE',
  paymentMode: 'FANILO_MONEY',
  paymentGateway: 'FANILO_MONEY',
  currencyCode: 'MGA',
  countryCode: '261',
  unit: 1,
  ...more,
});

async function pay(number: string): Promise<string> {
  const initiated = await post('initiate', order(number));
  expect(initiated.statusCode).toBe(200);
  const { transactionId } = initiated.json().result;
  const processed = await post('process', { transactionId, paymentMobile: `0${number}` });
  expect(processed.statusCode).toBe(200);
  return transactionId;
}

const statusOf = async (tid: string) => (await get('transactionStatus', { tid })).json().result;

async function ended(tid: string) {
  await expect.poll(async () => (await statusOf(tid)).final, { interval: 200 }).toBe(true);
  return statusOf(tid);
}

describe('a recharge over HTTP', () => {
  test('is registered, approved on the phone, delivered, announced by SMS, and matches the records of the providers', async () => {
    const initiated = (await post('initiate', order('390000001'))).json().result;
    expect(initiated).toEqual({
      transactionId: expect.stringMatching(/^[0-9a-z]{26}$/),
      amount: 5_000,
      currencyCode: 'MGA',
      // No nonce: this wallet asks for approval on the phone instead of a PIN here.
      encryptionKeyDetails: {
        key: expect.stringMatching(/^[\w+/=]{300,}$/),
        keyId: expect.any(String),
        expiresAt: expect.any(String),
      },
    });
    const id = initiated.transactionId;
    expect(await statusOf(id)).toMatchObject({ status: 'REQUEST_REGISTERED', moneyState: 'notTaken', final: false });

    const processed = (await post('process', { transactionId: id, paymentMobile: '0390000001' })).json().result;
    expect(processed).toMatchObject({ transactionId: id, status: 'IN_PROCESS', next: 'await' });
    expect((await get('transactionFetch', { txnId: id })).json().result.status).toBe('REQUEST_REGISTERED');

    const status = await ended(id);
    expect(status).toMatchObject({
      status: 'SUCCESS',
      transactionStatus: 'SUCCESS',
      transactionId: id,
      transactionType: 'PREPAID_RECHARGE',
      paymentMode: 'FANILO_MONEY',
      currencyCode: 'MGA',
      amount: 5_000,
      moneyState: 'delivered',
    });
    expect(status.timeline.map(({ state }: { state: string }) => state)).toEqual([
      'awaitingApproval',
      'taken',
      'delivered',
    ]);
    expect(status).not.toHaveProperty('nextPollSeconds');
    const books = await phone.books();
    expect(books.wallet[id]).toMatchObject({ taken: 5_000, givenBack: 0 });
    expect(books.charging[id]).toMatchObject({ delivered: 5_000, count: 1 });
    await expect.poll(async () => (await phone.messages('390000001')).length).toBe(1);
    const [message] = await phone.messages('390000001');
    expect(message?.text).toContain(status.reference);
    expect(message?.text).toMatch(/MGA 5\D?000/);
  });

  test('for somebody else notifies both, without revealing the other’s number', async () => {
    const { transactionId } = (await post('initiate', order('390000001', { paymentMobile: '0391234567' }))).json()
      .result;
    await post('process', { transactionId });
    await ended(transactionId);
    const textsTo = async (number: string) => (await phone.messages(number)).map(({ text }) => text);
    await expect.poll(() => textsTo('391234567')).toHaveLength(1);
    await expect.poll(() => textsTo('390000001')).toHaveLength(1);
    const said = [...(await textsTo('391234567')), ...(await textsTo('390000001'))].join().replaceAll(/\s/g, '');
    expect(said).not.toMatch(/390000001|391234567/);
    expect((await phone.books()).charging[transactionId]).toMatchObject({ msisdn: '390000001' });
  });

  test('that is declined says why, and that nothing was taken', async () => {
    const status = await ended(await pay('390000007'));
    expect(status).toMatchObject({ status: 'FAILED', moneyState: 'notTaken' });
    expect(status.statusReason).toEqual(expect.stringMatching(/\w+ \w+/));
    expect(status).not.toHaveProperty('refund');
  });

  test('without money in the wallet fails at once', async () => {
    const initiated = await post('initiate', order('390000004'));
    const { transactionId } = initiated.json().result;
    const processed = await post('process', { transactionId });
    expect(processed.json().result).toMatchObject({ status: 'FAILED', next: 'done' });
  });

  test('that cannot be delivered is refunded, with the times', async () => {
    const status = await ended(await pay('390000012'));
    expect(status).toMatchObject({ status: 'FAILED', moneyState: 'givenBack' });
    expect(Date.parse(status.refund.completedAt)).toBeGreaterThanOrEqual(Date.parse(status.refund.startedAt));
    expect((await phone.books()).wallet[status.transactionId]).toMatchObject({ taken: 5_000, givenBack: 5_000 });
  });

  test('MNY-1 whose delivery gets no response is shown as taken and on its way, with the time of each step, not as failed', async () => {
    await phone.fault({ provider: 'charging', operation: 'topup', fault: 'timeout', delayMs: 20 });
    const id = await pay('390000001');
    await expect.poll(async () => (await statusOf(id)).moneyState, { interval: 200 }).toBe('taken');
    const status = await statusOf(id);
    expect(status).toMatchObject({ status: 'REQUEST_RAISED', final: false, refTransactionId: expect.any(String) });
    expect(status.timeline).toEqual([
      { state: 'awaitingApproval', at: expect.any(String) },
      { state: 'taken', at: expect.any(String) },
    ]);
    expect(status).not.toHaveProperty('refund');
  });

  test('MNY-5 a refund without a response shows when it was started and when it should arrive, and not that it did', async () => {
    await phone.fault({ provider: 'wallet', operation: 'refund', fault: 'error500' });
    const id = await pay('390000012');
    await expect.poll(async () => (await statusOf(id)).refund, { interval: 200 }).toBeDefined();
    const { refund, moneyState, final } = await statusOf(id);
    expect([moneyState, final]).toEqual(['taken', false]);
    expect(Date.parse(refund.expectedBy)).toBeGreaterThan(Date.parse(refund.startedAt));
    expect(refund).not.toHaveProperty('completedAt');
  });

  test('processed again returns ALREADY_PROCESSED and takes nothing more', async () => {
    const id = await pay('390000001');
    const again = (await post('process', { transactionId: id, paymentMobile: '0390000001' })).json();
    expect(again).toMatchObject({ statusCode: 200, result: { transactionId: id, status: 'ALREADY_PROCESSED' } });
    await ended(id);
    expect((await phone.books()).wallet[id]).toMatchObject({ taken: 5_000 });
  });

  test('with one idempotency key is one payment, however often it is sent; another body under the key is refused', async () => {
    const headers = { 'idempotency-key': 'click-000001' };
    const first = (await post('initiate', order('390000001'), headers)).json().result;
    expect((await post('initiate', order('390000001'), headers)).json().result).toEqual(first);
    const other = await post('initiate', order('390000001', { amount: '6000' }), headers);
    expect(other.statusCode).toBe(409);
    expect(other.json()).toMatchObject({ statusCode: 'KEY_REUSED', status: 'failure' });
  });
});

describe('a status', () => {
  test('is never cached, and shows no full number', async () => {
    const { transactionId } = (await post('initiate', order('390000001', { paymentMobile: '0391234567' }))).json()
      .result;
    for (const answer of [
      await get('transactionStatus', { tid: transactionId }),
      await get('transactionFetch', { txnId: transactionId }),
    ]) {
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.body.replaceAll(/\D/g, '')).not.toMatch(/390000001|391234567/);
      expect(answer.json().result.mobileNumber).toBe('39 •• ••• 01');
      expect(answer.json().result.msisdn).toBe('39 •• ••• 01');
    }
  });

  test('of an unknown or malformed id is not found', async () => {
    for (const tid of [newPaymentId(), 'x', 'A'.repeat(26), '1'.repeat(128)]) {
      const answer = await get('transactionStatus', { tid });
      expect(answer.statusCode).toBe(404);
      expect(answer.json().statusCode).toBe('NOT_FOUND');
    }
    expect((await post('process', { transactionId: newPaymentId() })).statusCode).toBe(404);
  });
});

describe('an order that was tampered with', () => {
  test.each([
    ['below the minimum', { amount: 499 }, 422, 'AMOUNT_OUT_OF_RANGE', 'amount', 'Minimum amount should be MGA 500'],
    ['of nothing', { amount: 0 }, 422, 'AMOUNT_OUT_OF_RANGE', 'amount', 'Minimum amount should be MGA 500'],
    [
      'above the maximum',
      { amount: 500_001 },
      422,
      'AMOUNT_OUT_OF_RANGE',
      'amount',
      'Maximum amount should be MGA 500,000',
    ],
    ['in another currency', { currencyCode: 'USD' }, 409, 'PRICE_CHANGED', 'currencyCode', ''],
    ['of another country', { countryCode: '33' }, 409, 'NOT_OFFERED', 'countryCode', ''],
    ['by a way nobody offers', { paymentMode: 'BITCOIN', paymentGateway: '' }, 409, 'NOT_OFFERED', 'paymentMode', ''],
    ['by another gateway than its mode', { paymentGateway: 'PAYSTACK' }, 409, 'NOT_OFFERED', 'paymentMode', ''],
    ['for a postpaid line', { mobileNumber: '0390000002' }, 409, 'LINE_NOT_ELIGIBLE', 'mobileNumber', ''],
    ['for a hybrid line', { mobileNumber: '0390000003' }, 409, 'LINE_NOT_ELIGIBLE', 'mobileNumber', ''],
    ['for no line', { mobileNumber: '0390000009' }, 404, 'LINE_UNKNOWN', 'mobileNumber', 'Invalid Mobile No'],
    [
      "for another operator's line",
      { mobileNumber: '0340000001' },
      404,
      'LINE_UNKNOWN',
      'mobileNumber',
      'Invalid Mobile No',
    ],
    [
      'paid by what is no number here',
      { paymentMobile: '0123456' },
      422,
      'MALFORMED',
      'paymentMobile',
      'Please enter valid Fanilo number',
    ],
    [
      'paid by what was encrypted for another way',
      { paymentMobile: 'QUJD'.repeat(60) },
      422,
      'MALFORMED',
      'paymentMobile',
      '',
    ],
  ])('%s is refused', async (_what, change, http, code, field, words) => {
    const answer = await post('initiate', order('390000001', change), { 'accept-language': 'en' });
    expect(answer.json()).toMatchObject({ statusCode: code, status: 'failure', error: { field } });
    expect(answer.statusCode).toBe(http);
    expect(answer.json().message).toContain(words);
  });

  test('no tampered order was stored or sent to a provider', async () => {
    expect(Object.keys((await phone.books()).wallet)).toEqual([]);
    expect(await phone.prompts('390000001')).toEqual([]);
  });
});

describe('callbacks over HTTP', () => {
  const callback = (payload: string, url = '/callbacks/wallet') =>
    running.portal.http.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } });

  test('are accepted whatever they contain, and are not believed', async () => {
    const { transactionId } = (await post('initiate', order('390000001'))).json().result;
    const forged = { transaction: { id: transactionId, status_code: 'TS', airtel_money_id: 'MP1' }, hash: 'forged' };
    for (const body of ['', '{', '<html>', JSON.stringify(forged), JSON.stringify({ transaction: { id: '\u0000' } })])
      expect((await callback(body)).statusCode).toBe(200);
    expect(await statusOf(transactionId)).toMatchObject({ status: 'REQUEST_REGISTERED', moneyState: 'notTaken' });
  });

  test('SEC-17 over 4 kB are too large; one that names no payment gets the same response and is not stored', async () => {
    const before = await running.database.db.selectFrom('callbacks').select('digest').execute();
    const filler = (length: number) => JSON.stringify({ transaction: { id: newPaymentId() }, x: 'x'.repeat(length) });
    const large = await callback(filler(4_096));
    expect([large.statusCode, large.json().statusCode]).toEqual([413, 'TOO_LARGE']);
    const stray = await callback(filler(3_900));
    expect([stray.statusCode, stray.json()]).toEqual([200, { ResultCode: 0, ResultDesc: 'Success' }]);
    expect(await running.database.db.selectFrom('callbacks').select('digest').execute()).toEqual(before);
    const headers = { authorization: 'Bearer a key for figures in tests' };
    const { body } = await running.portal.http.inject({ method: 'GET', url: '/metrics', headers });
    expect(body).toMatch(/portal_callbacks_total\{provider="wallet",verdict="stray"\} [1-9]/);
  });

  test('of an unknown provider are not found', async () => {
    expect((await callback('{}', '/callbacks/nobody')).statusCode).toBe(404);
  });
});

test('the ways to pay are sorted by name and have the values that initiate takes', async () => {
  const body = { amount: 5_000, mobileNumber: '0390000001', transactionType: 'PREPAID_RECHARGE' };
  for (const name of ['paymentOptions', 'paymentOptionsByChannel'] as const) {
    const { paymentOption } = (await post(name, body)).json().result;
    expect(paymentOption).toContainEqual({
      name: 'Fanilo Money',
      type: 'AM',
      paymentMode: 'FANILO_MONEY',
      paymentGateway: 'FANILO_MONEY',
      health: 'noRecentData',
    });
    const names = paymentOption.map((option: { name: string }) => option.name);
    expect(names).toEqual([...names].sort((left, right) => left.localeCompare(right)));
  }
});

test.each([
  ['CARD', 'cancelled', 'left'],
  ['CARD', 'failed', 'declined'],
  ['ORANGE', 'left', 'left'],
])(
  'MNY-7 who came back from %s by the address that says %s is told so on every later page too, by nobody else’s word',
  async (paymentGateway, said, word) => {
    const own = { cookie: visitCookie(`came back ${paymentGateway} ${said}`) };
    const body = order('391000077', {
      ...{ paymentMode: 'PAYMENT_GATEWAY', paymentGateway, emailId: 'client@example.mg', paymentMobile: '' },
    });
    const { transactionId } = (await post('initiate', body, own)).json().result;
    expect((await post('process', { transactionId }, own)).json().result.redirectUrl).toMatch(/^http/);
    const fetched = async (query: object = {}, headers: Record<string, string> = own) =>
      (await get('transactionFetch', { txnId: transactionId, ...query }, headers)).json().result;
    const back = { from: 'gateway' };
    // A stranger with the link sees what the URL says, and nothing is stored.
    expect(await fetched({ ...back, said }, {})).toMatchObject({ [word]: true });
    expect(await fetched()).not.toHaveProperty(word);
    expect(await fetched({ ...back, said })).toMatchObject({ [word]: true });
    expect(await fetched()).toMatchObject({
      [word]: true,
      status: 'REQUEST_REGISTERED',
      moneyState: 'awaitingApproval',
    });
    expect((await get('transactionStatus', { tid: transactionId })).json().result).toMatchObject({ [word]: true });
    // A return without that parameter, perhaps after paying: an enquiry is made, and the old parameter no longer
    // counts.
    expect(await fetched(back)).not.toHaveProperty(word);
    expect(await fetched()).not.toHaveProperty(word);
    // Sending this browser to the "cancelled" return URL afterwards changes nothing.
    expect(await fetched({ ...back, said })).not.toHaveProperty(word);
    expect(await fetched()).not.toHaveProperty(word);
  },
);

test('MNY-1 an error response of a provider is unclear to process and status, and resolved by an enquiry afterwards', async () => {
  await phone.fault({ provider: 'wallet', fault: 'error500', times: 1 });
  const { transactionId } = (await post('initiate', order('391000078'))).json().result;
  const processed = (await post('process', { transactionId })).json().result;
  expect(processed).toMatchObject({ status: 'IN_PROCESS', next: 'await', unclear: true });
  expect(await statusOf(transactionId)).toMatchObject({ moneyState: 'awaitingApproval', unclear: true, final: false });
  const other = await pay('390000008');
  expect(await statusOf(other)).toMatchObject({ moneyState: 'awaitingApproval' });
  expect(await statusOf(other)).not.toHaveProperty('unclear');
});
