import { randomUUID } from 'node:crypto';
import { type CallName, callPath } from '@portal/contract/calls.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PhoneClient } from '../../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts';
import { type TestPortal, testPortal } from '../testing/portal.ts';
import { twoCurrencies as operator } from '../testing/two-currencies.fixture.ts';
import { visitCookie } from '../testing/visit-cookie.ts';

const slug = 'mwinda';
const minute = 60_000;

let sandbox: Sandbox;
let phone: PhoneClient;
let running: TestPortal;
let ahead = 0;
let lastLine = 1_000;

beforeAll(async () => {
  sandbox = await startSandbox({ ...operator, approveAfterMs: 30 });
  phone = new PhoneClient(sandbox.http);
  const now = () => new Date(Date.now() + ahead);
  running = await testPortal(sandbox, { operator: 'cd', rateLimitScale: 1_000 }, now);
});
afterAll(async () => {
  await running.stop();
  await sandbox.stop();
});
beforeEach(async () => {
  await phone.post('/reset');
  // The rate of the previous test is cached for a minute.
  ahead += 2 * minute;
});

const freshLine = () => `095${String(lastLine++).padStart(7, '0')}`;
const path = (name: CallName) => callPath(name, { slug });
const post = (name: CallName, payload: object, headers: Record<string, string> = {}) =>
  running.portal.http.inject({ method: 'POST', url: path(name), payload, headers });
const ask = (query: Record<string, string>) =>
  running.portal.http.inject({ method: 'GET', url: path('exchangeRate'), query });
const convert = async (amount: string) =>
  (await ask({ fromCurrency: 'USD', toCurrency: 'CDF', amount })).json().result as {
    convertedAmount: number;
    quote: string;
    rateAt: string;
  };

const recharge = (number: string, more: object) => ({
  mobileNumber: number,
  paymentMobile: number,
  countryCode: '243',
  transactionType: 'PREPAID_RECHARGE',
  paymentMode: 'MWINDA_MONEY',
  paymentGateway: 'MWINDA_MONEY',
  ...more,
});

async function initiate(body: object): Promise<string> {
  const answer = await post('initiate', body, { 'idempotency-key': randomUUID() });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().result.transactionId;
}

async function statusOf(tid: string) {
  const answer = await running.portal.http.inject({ method: 'GET', url: path('transactionStatus'), query: { tid } });
  return answer.json().result;
}

async function payToTheEnd(body: object): Promise<string> {
  const id = await initiate(body);
  await post('process', { transactionId: id });
  const payer = String((body as { paymentMobile: string }).paymentMobile);
  await expect.poll(async () => (await phone.prompts(payer))[0]?.state).toBe('approved');
  // There are no callbacks here: the first enquiry is due after ten seconds.
  ahead += 15_000;
  await expect.poll(async () => (await statusOf(id)).final).toBe(true);
  return id;
}

async function postings(id: string): Promise<string[]> {
  const rows = await running.database.db
    .selectFrom('ledger_postings')
    .select(['kind', 'amount', 'currency'])
    .where('payment_id', '=', id)
    .orderBy('kind')
    .execute();
  return rows.map(({ kind, amount, currency }) => `${kind} ${currency} ${amount}`);
}

describe('exchangeRate', () => {
  test('PAY-5 API-1 converts an amount in major units, and returns the rate with its time', async () => {
    const answer = await ask({ fromCurrency: 'USD', toCurrency: 'CDF', amount: '2.50' });
    expect(answer.json()).toMatchObject({
      statusCode: 200,
      result: {
        convertedAmount: 7_000,
        fromCurrency: 'USD',
        toCurrency: 'CDF',
        rate: '2800',
        quote: expect.any(String),
      },
    });
    const age = Date.now() + ahead - Date.parse(answer.json().result.rateAt);
    expect(age).toBeLessThan(24 * 60 * minute);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test.each([
    [{ fromCurrency: 'CDF', toCurrency: 'USD', amount: '1' }, 409, 'NOT_OFFERED'],
    [{ fromCurrency: 'USD', toCurrency: 'EUR', amount: '1' }, 409, 'NOT_OFFERED'],
    [{ fromCurrency: 'USD', toCurrency: 'CDF', amount: '2.505' }, 422, 'MALFORMED'],
    [{ fromCurrency: 'USD', toCurrency: 'CDF', amount: '-1' }, 422, 'MALFORMED'],
    [{ fromCurrency: 'USD', toCurrency: 'CDF' }, 422, 'MALFORMED'],
  ] as [Record<string, string>, number, string][])('%j answers %i %s', async (query, http, code) => {
    const answer = await ask(query);
    expect([answer.statusCode, answer.json().statusCode]).toEqual([http, code]);
  });

  test.each([
    ['does not answer', { fault: 'timeout', delayMs: 20 }],
    ['fails', { fault: 'error500' }],
    ['tells a rate of nothing', { fault: 'wrongAmount', operation: '*' }],
  ])('PAY-5 if the service %s, nothing is converted', async (_what, fault) => {
    await phone.fault({ provider: 'exchange', ...fault });
    const answer = await ask({ fromCurrency: 'USD', toCurrency: 'CDF', amount: '2.50' });
    expect(answer.statusCode).toBe(502);
    expect(answer.json()).toMatchObject({ statusCode: 'UPSTREAM_FAILED', message: 'something went wrong!' });
  });

  test('PAY-5 an implausible rate is not used', async () => {
    await phone.post('/exchange-rate', { rate: 28 });
    expect((await ask({ fromCurrency: 'USD', toCurrency: 'CDF', amount: '2.50' })).statusCode).toBe(502);
  });
});

describe('a payment', () => {
  test('PAY-5 in francs: the amount shown is taken, posted and announced, and the price is delivered', async () => {
    const number = freshLine();
    const { convertedAmount, quote, rateAt } = await convert('2.50');
    const order = recharge(number, { amount: convertedAmount, currencyCode: 'CDF', exchangeQuote: quote });
    const id = await payToTheEnd(order);
    expect(await statusOf(id)).toMatchObject({
      status: 'SUCCESS',
      currencyCode: 'CDF',
      amount: 7_000,
      conversion: { price: 250, fromCurrency: 'USD', rate: '2800', rateAt },
    });
    expect(await postings(id)).toEqual(['delivered CDF 7000', 'paid CDF 7000']);
    const books = await phone.books();
    expect(books.wallet[id]).toMatchObject({ taken: 7_000, givenBack: 0, currency: 'CDF' });
    expect(books.charging[id]).toMatchObject({ delivered: 250, count: 1 });
    expect(await phone.line(number)).toMatchObject({ airtime: 10_250, wallet: 100_000, secondWallet: 2_793_000 });
    await expect.poll(async () => (await phone.messages(number))[0]?.text ?? '').toMatch(/livré.*CDF 7 000.*Réf/);
  });

  test('PAY-5 in dollars: cents everywhere, and no mention of francs', async () => {
    const number = freshLine();
    const id = await payToTheEnd(recharge(number, { amount: 250, currencyCode: 'USD' }));
    const status = await statusOf(id);
    expect(status).toMatchObject({ status: 'SUCCESS', currencyCode: 'USD', amount: 250 });
    expect(status.conversion).toBeUndefined();
    expect(await postings(id)).toEqual(['delivered USD 250', 'paid USD 250']);
    expect((await phone.books()).wallet[id]).toMatchObject({ taken: 250, currency: 'USD' });
    expect(await phone.line(number)).toMatchObject({ airtime: 10_250, wallet: 99_750, secondWallet: 2_800_000 });
  });

  test('PAY-5 that cannot be delivered is refunded in the currency it was taken in', async () => {
    const { convertedAmount, quote } = await convert('1');
    const id = await payToTheEnd(
      recharge('0950000012', { amount: convertedAmount, currencyCode: 'CDF', exchangeQuote: quote }),
    );
    expect(await statusOf(id)).toMatchObject({ moneyState: 'givenBack', currencyCode: 'CDF', amount: 2_800 });
    expect((await phone.books()).wallet[id]).toMatchObject({ taken: 2_800, givenBack: 2_800, currency: 'CDF' });
    expect(await phone.line('390000012')).toMatchObject({ secondWallet: 2_800_000 });
  });

  test('PAY-5 of a bundle in francs is checked against the price of the catalogue', async () => {
    const bundle = { transactionType: 'PREPAID_BUNDLES', productCode: 'CD1G1' };
    const right = await convert('1');
    const order = { amount: right.convertedAmount, currencyCode: 'CDF', exchangeQuote: right.quote, ...bundle };
    const id = await payToTheEnd(recharge(freshLine(), order));
    expect((await phone.books()).charging[id]).toMatchObject({ delivered: 100, count: 1 });
    const cheaper = await convert('0.50');
    const answer = await post(
      'initiate',
      recharge(freshLine(), {
        ...bundle,
        amount: cheaper.convertedAmount,
        currencyCode: 'CDF',
        exchangeQuote: cheaper.quote,
      }),
    );
    expect(answer.json()).toMatchObject({ statusCode: 'PRICE_CHANGED', error: { field: 'amount' } });
  });

  test('PAY-5 keeps the rate it was shown at, even if the market rate changes', async () => {
    const { convertedAmount, quote } = await convert('2.50');
    await phone.post('/exchange-rate', { rate: 3_000 });
    ahead += 2 * minute;
    expect((await convert('2.50')).convertedAmount).toBe(7_500);
    const id = await payToTheEnd(
      recharge(freshLine(), { amount: convertedAmount, currencyCode: 'CDF', exchangeQuote: quote }),
    );
    expect(await statusOf(id)).toMatchObject({ amount: 7_000, conversion: { rate: '2800' } });
  });

  test('PAY-5 the daily reconciliation finds no difference', async () => {
    const { convertedAmount, quote } = await convert('2.50');
    const id = await payToTheEnd(
      recharge(freshLine(), { amount: convertedAmount, currencyCode: 'CDF', exchangeQuote: quote }),
    );
    const today = new Date(Date.now() + ahead).toISOString().slice(0, 10);
    // The sandbox was reset after the previous tests.
    const { differences, unchecked } = await running.portal.reconcile(today);
    expect(differences.filter(({ reference }) => reference === id)).toEqual([]);
    expect(unchecked).not.toContain(id);
    expect(unchecked).not.toContain('wallet');
  });

  test('MNY-2 the same purchase asks for confirmation, in whichever currency it is paid the second time', async () => {
    const number = freshLine();
    const cookie = { cookie: visitCookie('one') };
    const first = await post('initiate', recharge(number, { amount: 250 }), cookie);
    await post('process', { transactionId: first.json().result.transactionId }, cookie);
    const { convertedAmount, quote } = await convert('2.50');
    const again = recharge(number, { amount: convertedAmount, currencyCode: 'CDF', exchangeQuote: quote });
    expect((await post('initiate', again, cookie)).json().statusCode).toBe('PAID_RECENTLY');
  });

  test('PAY-9 a retry with a newly sealed promise finds the same payment', async () => {
    const number = freshLine();
    const headers = { 'idempotency-key': randomUUID() };
    const send = async () => {
      const { convertedAmount, quote } = await convert('2.50');
      const body = recharge(number, { amount: convertedAmount, currencyCode: 'CDF', exchangeQuote: quote });
      return (await post('initiate', body, headers)).json().result.transactionId;
    };
    expect(await send()).toBe(await send());
  });
});

describe('PAY-8 PAY-5 the browser’s amount is not trusted', () => {
  const refused = async (more: object) => {
    const answer = await post('initiate', recharge(freshLine(), { currencyCode: 'CDF', ...more }));
    expect(answer.json()).toMatchObject({ statusCode: 'PRICE_CHANGED', error: { field: 'exchangeQuote' } });
  };

  test('another amount, and a missing, altered or expired promise are refused', async () => {
    const { quote } = await convert('2.50');
    await refused({ amount: 1, exchangeQuote: quote });
    await refused({ amount: 7_001, exchangeQuote: quote });
    await refused({ amount: 7_000 });
    await refused({ amount: 7_000, exchangeQuote: `${quote.slice(0, -4)}AAAA` });
    await refused({ amount: 7_000, exchangeQuote: 'x'.repeat(80) });
    ahead += 16 * minute;
    await refused({ amount: 7_000, exchangeQuote: quote });
  });

  test('a promise does not turn francs into dollars', async () => {
    const { quote } = await convert('2.50');
    const answer = await post(
      'initiate',
      recharge(freshLine(), { amount: 7_000, currencyCode: 'USD', exchangeQuote: quote }),
    );
    // 7,000 cents, priced as such: seventy dollars.
    expect(answer.json().result).toMatchObject({ amount: 7_000, currencyCode: 'USD' });
    const other = await post('initiate', recharge(freshLine(), { amount: 250, currencyCode: 'EUR' }));
    expect(other.json()).toMatchObject({ statusCode: 'PRICE_CHANGED', error: { field: 'currencyCode' } });
  });

  test('PAY-5 under one dollar only the wallet is offered and accepted', async () => {
    const options = async (amount: number) =>
      (await post('paymentOptions', { amount, mobileNumber: '0950000001', transactionType: 'PREPAID_RECHARGE' }))
        .json()
        .result.paymentOption.map(({ type }: { type: string }) => type)
        .sort();
    expect(await options(100)).toEqual(['AIRTIME', 'AM', 'PG']);
    expect(await options(99)).toEqual(['AM']);
    const card = { paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'CARD', emailId: 'a@example.cd' };
    const small = await post('initiate', recharge('0950000001', { amount: 99, ...card }));
    expect(small.json()).toMatchObject({ statusCode: 'NOT_OFFERED', error: { field: 'paymentMode' } });
    expect((await post('initiate', recharge('0950000001', { amount: 100, ...card }))).statusCode).toBe(200);
    const { convertedAmount, quote } = await convert('2');
    const airtime = { paymentMode: 'AIRTIME', paymentGateway: 'AIRTIME', uniqueCode: 'x' };
    const francs = { amount: convertedAmount, currencyCode: 'CDF', exchangeQuote: quote };
    expect((await post('initiate', recharge('0950000001', { ...airtime, ...francs }))).json()).toMatchObject({
      statusCode: 'NOT_OFFERED',
    });
  });
});

test('PAY-5 with one currency nothing is exchanged, and no other currency is accepted', async () => {
  const plain = await startSandbox();
  const other = await testPortal(plain, { rateLimitScale: 1_000 });
  const query = { fromCurrency: 'USD', toCurrency: 'CDF', amount: '1' };
  const answer = await other.portal.http.inject({ method: 'GET', url: path('exchangeRate'), query });
  expect([answer.statusCode, answer.json().statusCode]).toEqual([409, 'NOT_OFFERED']);
  const order = { ...recharge('0390000001', { amount: 1_000 }), paymentMode: 'FANILO_MONEY', paymentGateway: '' };
  const initiate = (body: object) => other.portal.http.inject({ method: 'POST', url: path('initiate'), payload: body });
  expect((await initiate({ ...order, countryCode: '' })).json().result).toMatchObject({ amount: 1_000 });
  expect((await initiate({ ...order, countryCode: '', currencyCode: 'CDF' })).json().statusCode).toBe('PRICE_CHANGED');
  await other.stop();
  await plain.stop();
});

test('D9 two currencies and no rates: refused at start, naming the setting', async () => {
  await expect(testPortal(sandbox, { operator: 'cd', exchange: null })).rejects.toThrow(
    'EXCHANGE_URL is not set, and the operator "cd" takes two currencies.',
  );
});
