import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PhoneClient } from '../../../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../../../sandbox/src/sandbox.ts';
import { newPaymentId } from '../../payments/core/payment-id.ts';
import { HttpClient } from '../http-client.ts';
import { majorNumber } from '../major-amount.ts';
import type { Billing, Delivery } from '../ports.ts';
import { billingSystem } from './index.ts';
import { readHundredths, statedAmount } from './stated-amount.ts';

let http: HttpClient;
beforeAll(() => {
  http = new HttpClient();
});
afterAll(() => http.close());

const currency = { code: 'MGA', digits: 0 };
const fixed = { accountNo: 'PA1000000001', email: 'client@example.mg' };
const delivery = (amount: number, accountNo = '1000000002', billNo: string | null = null): Delivery => ({
  reference: newPaymentId(),
  msisdn: '0390000002',
  amount,
  currency: 'MGA',
  item: { kind: 'bill', accountNo, billNo },
});

/** Almost valid responses find more faults than random ones. */
const mostly = <T>(right: T, other: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant<unknown>(right) }, { weight: 1, arbitrary: other });

describe('against the emulated billing system', () => {
  let sandbox: Sandbox;
  let phone: PhoneClient;
  let billing: Billing;

  beforeAll(async () => {
    sandbox = await startSandbox();
    phone = new PhoneClient(sandbox.http);
    billing = billingSystem(http, { url: `${sandbox.http}/billing`, key: 'sandbox-billing-key', currency });
  });
  afterAll(() => sandbox.stop());
  beforeEach(() => phone.post('/reset'));

  async function invoices() {
    const found = await billing.invoices(fixed);
    if (found.kind !== 'invoices') throw new Error(found.kind);
    return found;
  }

  test('the amount that a line owes is exact to the hundredth', async () => {
    expect(await billing.owedByLine('0390000002')).toEqual({
      kind: 'owed',
      accountNo: '1000000002',
      outstanding: '45250.40',
      currency: 'MGA',
    });
    expect(await billing.owedByLine('0390000003')).toMatchObject({ outstanding: '12000.00' });
    for (const msisdn of ['0390000001', '0390000005', '0390000009', '0390000014'] as const)
      expect(await billing.owedByLine(msisdn), msisdn).toEqual({ kind: 'none' });
  });

  test('POS-4 an account matches its line; every other is refused', async () => {
    expect(await billing.matchAccount('0390000002', '1000000002')).toEqual({ kind: 'match', accountNo: '1000000002' });
    const mismatch = await billing.matchAccount('0390000002', '1000000003');
    expect(mismatch).toEqual({ kind: 'mismatch' });
    for (const [msisdn, accountNo] of [
      ['0390000014', '1000000002'],
      ['0390000014', '1000000014'],
      ['0390000002', '1234567890'],
      ['0390000001', '1000000002'],
    ] as const)
      expect(await billing.matchAccount(msisdn, accountNo)).toEqual(mismatch);
    for (const msisdn of ['0390000002', '0390000014'] as const)
      expect(await billing.matchAccount(msisdn, '9999999999')).toMatchObject({ kind: 'unknown' });
  });

  test('FIX-2 the three invoices of the fixed line', async () => {
    const found = await invoices();
    expect(found).toMatchObject({ lineNumber: '0390000005', contactMsisdn: '0390000001' });
    const today = new Date().toISOString().slice(0, 10);
    expect(found.invoices.map((one) => [one.isPaid, one.outstanding, one.dueDate < today])).toEqual([
      [true, '0.00', true],
      [false, '89000.00', true],
      [false, '94500.50', false],
    ]);
    for (const one of found.invoices) {
      expect(one.accountNo).toBe('PA1000000001');
      expect(one.periodStart < one.periodEnd && one.periodEnd < one.dueDate).toBe(true);
    }
    expect((await billing.invoices({ ...fixed, email: 'Client@Example.MG' })).kind).toBe('invoices');
    expect(await billing.invoices({ accountNo: 'PA2000000077', email: 'pa2000000077@example.mg' })).toMatchObject({
      invoices: [{ outstanding: '89000.00' }],
      contactMsisdn: '0390000077',
    });
  });

  test('FIX-4 a wrong email and an account that does not exist are reported alike', async () => {
    for (const account of [
      { accountNo: 'PA1000000001', email: 'vide@example.mg' },
      { accountNo: 'PA1000000009', email: 'client@example.mg' },
      { accountNo: '1000000002', email: 'client@example.mg' },
    ])
      expect(await billing.invoices(account)).toEqual({ kind: 'none' });
    expect(await billing.invoices({ accountNo: 'EB1000000002', email: 'vide@example.mg' })).toMatchObject({
      kind: 'invoices',
      invoices: [],
    });
  });

  test('a payment for the account settles the oldest bill first, and a surplus becomes credit', async () => {
    const sent = delivery(30_000);
    expect(await billing.findDelivery(sent)).toEqual({ kind: 'notFound' });
    const done = await billing.deliver(sent);
    expect(done.kind).toBe('delivered');
    expect(await billing.findDelivery(sent)).toEqual(done);
    expect(await billing.owedByLine('0390000002')).toMatchObject({ outstanding: '15250.40' });
    expect(await billing.invoice('1000000002-1')).toMatchObject({ invoice: { outstanding: '0.00', isPaid: true } });
    expect(await billing.invoice('1000000002-2')).toMatchObject({
      invoice: { outstanding: '15250.40', isPaid: false },
    });
    expect((await phone.line('390000002')).outstanding).toBe(15_250.4);
    expect((await phone.books()).charging[sent.reference]).toEqual({
      delivered: 30_000,
      count: 1,
      msisdn: '390000002',
    });
    expect(await billing.deliver(delivery(15_251))).toMatchObject({ kind: 'delivered' });
    expect(await billing.owedByLine('0390000002')).toMatchObject({ outstanding: '0.00', accountNo: '1000000002' });
  });

  test('an invoice is paid once; one that was paid meanwhile is refused', async () => {
    const [, overdue, due] = (await invoices()).invoices;
    const billNo = overdue?.invoiceNo ?? '';
    expect(await billing.deliver(delivery(89_000, 'PA1000000001', billNo))).toMatchObject({ kind: 'delivered' });
    expect(await billing.invoice(billNo)).toMatchObject({ invoice: { isPaid: true } });
    expect(await billing.invoice(due?.invoiceNo ?? '')).toMatchObject({ invoice: { isPaid: false } });
    const again = delivery(89_000, 'PA1000000001', billNo);
    expect(await billing.deliver(again)).toMatchObject({ kind: 'refused' });
    expect(await billing.findDelivery(again)).toEqual({ kind: 'notFound' });

    expect((await phone.post(`/bills/${due?.invoiceNo}/settle`)).status).toBe(204);
    expect(await billing.deliver(delivery(94_501, 'PA1000000001', due?.invoiceNo))).toMatchObject({ kind: 'refused' });
    expect(await billing.invoice('PA1000000001-9')).toEqual({ kind: 'none' });
    expect((await phone.post('/bills/PA1000000001-9/settle')).status).toBe(404);
  });

  test('a payment whose response is lost is unclear, found by a lookup, and paid once', async () => {
    await phone.fault({ provider: 'billing', fault: 'loseAnswer', times: 1 });
    const sent = delivery(10_000);
    expect(await billing.deliver(sent)).toMatchObject({ kind: 'unclear' });
    expect(await billing.findDelivery(sent)).toMatchObject({ kind: 'delivered' });
    expect((await phone.books()).charging[sent.reference]).toMatchObject({ count: 1, delivered: 10_000 });
  });

  test('a refusal is a refusal, also of an account that does not exist', async () => {
    await phone.fault({ provider: 'billing', fault: 'refuse', times: 1 });
    const sent = delivery(10_000);
    expect(await billing.deliver(sent)).toMatchObject({ kind: 'refused' });
    expect(await billing.findDelivery(sent)).toEqual({ kind: 'notFound' });
    expect(await billing.deliver(delivery(10_000, '1111111111'))).toMatchObject({ kind: 'refused' });
    expect(await billing.deliver({ ...sent, item: { kind: 'airtime' } })).toMatchObject({ kind: 'refused' });
    expect(await billing.owedByLine('0390000002')).toMatchObject({ outstanding: '45250.40' });
  });

  test.each([
    ['timeout', { delayMs: 20 }],
    ['error500', {}],
  ])('an outage (%s) proves nothing', async (fault, more) => {
    await phone.fault({ provider: 'billing', fault, ...more });
    for (const answer of [
      billing.deliver(delivery(10_000)),
      billing.findDelivery(delivery(10_000)),
      billing.owedByLine('0390000002'),
      billing.matchAccount('0390000002', '1000000002'),
      billing.invoices(fixed),
      billing.invoice('PA1000000001-1'),
    ])
      expect(await answer).toMatchObject({ kind: 'unclear' });
  });

  test('an invalid API key of ours is not reported as a refusal', async () => {
    const stranger = billingSystem(http, { url: `${sandbox.http}/billing`, key: 'wrong', currency });
    expect(await stranger.deliver(delivery(10_000))).toMatchObject({ kind: 'unclear' });
    expect(await stranger.matchAccount('0390000002', '1000000002')).toMatchObject({ kind: 'unclear' });
  });
});

describe('against undocumented responses', () => {
  let server: Server;
  let billing: Billing;
  let answer = { status: 200, body: '' };
  let accountBody: string | undefined;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const isAboutAccount = request.url?.includes('/billingAccount') ?? false;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(isAboutAccount ? (accountBody ?? answer.body) : answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    billing = billingSystem(http, { url, key: 'any', currency });
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const gives = (status: number, body: unknown) => {
    answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
  };

  test.each([
    ['done', 201, { id: 'p1', status: 'done' }, 'delivered'],
    ['done, with a number for an id', 200, { id: 17, status: 'done' }, 'delivered'],
    ['rejected', 201, { id: 'p1', status: 'rejected' }, 'refused'],
    ['an amount they do not take', 400, { code: '20' }, 'refused'],
    ['no such account', 404, { code: '60' }, 'refused'],
    ['a bill that is settled', 422, { code: '60211', message: 'settled' }, 'refused'],
    ['only accepted', 202, { id: 'p1', status: 'accepted' }, 'unclear'],
    ['done without an id', 201, { status: 'done' }, 'unclear'],
    ['another spelling', 201, { id: 'p1', status: 'Done' }, 'unclear'],
    ['done, with a server error', 500, { id: 'p1', status: 'done' }, 'unclear'],
    ['a redirect', 302, { id: 'p1', status: 'done' }, 'unclear'],
    ['not allowed', 401, {}, 'unclear'],
    ['a conflict, which may mean that it was done before', 409, {}, 'unclear'],
    ['too many', 429, {}, 'unclear'],
    ['a page', 200, '<html>', 'unclear'],
    ['half an answer', 201, '{"id":"p1","status":"do', 'unclear'],
    ['a list', 200, [], 'unclear'],
    ['nothing', 201, '', 'unclear'],
  ])('a payment answered with %s', async (_what, status, body, kind) => {
    gives(status, body);
    expect(await billing.deliver(delivery(10_000))).toMatchObject({ kind });
  });

  test('500 generated bodies are a paid bill only with an id and "done"', async () => {
    const like = fc.record(
      {
        id: fc.oneof(fc.string(), fc.integer(), fc.jsonValue()),
        status: fc.oneof(fc.constantFrom('done', 'rejected', 'accepted'), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(like, fc.jsonValue()), fc.constantFrom(200, 201, 400, 500), async (body, status) => {
        gives(status, body);
        const outcome = await billing.deliver(delivery(10_000));
        if (outcome.kind !== 'delivered') return;
        expect(status).toBeLessThan(300);
        expect(body).toMatchObject({ status: 'done' });
        expect(['string', 'number']).toContain(typeof (body as { id: unknown }).id);
      }),
      { numRuns: 500 },
    );
  });

  const sent = delivery(10_000);
  const payment = (more: object = {}) => ({
    id: 'p1',
    status: 'done',
    correlatorId: sent.reference,
    amount: { unit: 'MGA', value: 10_000 },
    account: { id: '1000000002' },
    ...more,
  });

  test.each([
    ['the payment', [payment()], 'delivered'],
    ['a refused one and the payment', [payment({ status: 'rejected' }), payment()], 'delivered'],
    ['none', [], 'notFound'],
    ['one of another transaction', [payment({ correlatorId: 'another' })], 'notFound'],
    ['one that was rejected', [payment({ status: 'rejected' })], 'notFound'],
    ['one that is under way', [payment({ status: 'pending' })], 'unclear'],
    ['another amount', [payment({ amount: { unit: 'MGA', value: 10_000.01 } })], 'unclear'],
    ['another currency', [payment({ amount: { unit: 'USD', value: 10_000 } })], 'unclear'],
    ['another account', [payment({ account: { id: '1000000003' } })], 'unclear'],
    ['no reference', [payment({ correlatorId: undefined })], 'unclear'],
    ['three decimals', [payment({ amount: { unit: 'MGA', value: 10_000.001 } })], 'unclear'],
    ['an object', {}, 'unclear'],
    ['nothing', '', 'unclear'],
  ])('a lookup that returns %s', async (_what, body, kind) => {
    gives(200, body);
    expect(await billing.findDelivery(sent)).toMatchObject({ kind });
    gives(404, body);
    expect(await billing.findDelivery(sent)).toMatchObject({ kind: 'unclear' });
  });

  test('500 generated lists are a paid bill only with this reference, amount and account', async () => {
    const like = fc.record({
      id: mostly('p1', fc.jsonValue()),
      status: mostly('done', fc.oneof(fc.constantFrom('rejected', 'pending'), fc.jsonValue())),
      correlatorId: mostly(sent.reference, fc.oneof(fc.constant('another'), fc.jsonValue())),
      amount: mostly(
        { unit: 'MGA', value: 10_000 },
        fc.record({ unit: fc.constantFrom('MGA', 'USD'), value: fc.constantFrom(10_000, 10_001, '10000', null) }),
      ),
      account: mostly({ id: '1000000002' }, fc.oneof(fc.constant({ id: '1000000003' }), fc.jsonValue())),
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.tuple(like), fc.tuple(like, like), fc.jsonValue()), async (body) => {
        gives(200, body);
        const outcome = await billing.findDelivery(sent);
        if (outcome.kind !== 'delivered') return;
        const proof = (body as ReturnType<typeof payment>[]).find(
          ({ status, correlatorId, amount, account }) =>
            status === 'done' &&
            correlatorId === sent.reference &&
            amount.unit === 'MGA' &&
            Number(amount.value) === 10_000 &&
            account.id === '1000000002',
        );
        expect(proof).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });

  const bill = (more: object = {}) => ({
    billNo: 'b1',
    state: 'sent',
    billingAccount: { id: '1000000002' },
    billingPeriod: { startDateTime: '2026-01-01T00:00:00+03:00', endDateTime: '2026-01-31' },
    paymentDueDate: '2026-02-20T00:00:00+03:00',
    remainingAmount: { unit: 'MGA', value: 45_250.4 },
    ...more,
  });

  test.each([
    ['as described', bill(), 'invoice'],
    ['in text', bill({ remainingAmount: { unit: 'MGA', value: '45250.40' } }), 'invoice'],
    ['still being made', bill({ state: 'new' }), 'none'],
    ['on hold', bill({ state: 'onHold' }), 'none'],
    ['of another number', bill({ billNo: 'b2' }), 'none'],
    ['in a state nobody listed', bill({ state: 'disputed' }), 'unclear'],
    ['settled with something left', bill({ state: 'settled' }), 'unclear'],
    ['below nothing', bill({ remainingAmount: { unit: 'MGA', value: -1 } }), 'unclear'],
    ['with three decimals', bill({ remainingAmount: { unit: 'MGA', value: 45_250.405 } }), 'unclear'],
    ['of a sum that went through floats', bill({ remainingAmount: { unit: 'MGA', value: 0.1 + 0.2 } }), 'unclear'],
    ['of no figure', bill({ remainingAmount: { unit: 'MGA', value: null } }), 'unclear'],
    ['without a currency', bill({ remainingAmount: { value: 1 } }), 'unclear'],
    ['due on no day', bill({ paymentDueDate: '2026-02-30' }), 'unclear'],
  ])('a bill %s', async (_what, one, kind) => {
    gives(200, [one]);
    expect(await billing.invoice('b1')).toMatchObject({ kind });
  });

  test('a list that may have further pages is rejected', async () => {
    gives(
      200,
      Array.from({ length: 200 }, (_, index) => bill({ billNo: `b${index}` })),
    );
    expect(await billing.invoice('b1')).toMatchObject({ kind: 'unclear' });
  });

  test('a match is accepted only for the account and line that were asked about', async () => {
    const account = (more: object = {}) => ({
      id: '1000000002',
      relatedParty: [{ id: '0390000002', role: 'subscriber' }],
      ...more,
    });
    const match = () => billing.matchAccount('0390000002', '1000000002');
    gives(200, account());
    expect(await match()).toEqual({ kind: 'match', accountNo: '1000000002' });
    for (const other of [
      account({ id: '1000000003' }),
      account({ relatedParty: [] }),
      account({ relatedParty: [{ id: '0390000002', role: 'contact' }] }),
      account({ relatedParty: [{ id: '0390000003', role: 'subscriber' }] }),
      {},
      [account()],
    ]) {
      gives(200, other);
      expect(await match(), JSON.stringify(other)).toMatchObject({ kind: 'unclear' });
    }
    gives(404, { code: 60119, message: 'No.' });
    expect(await match()).toEqual({ kind: 'mismatch' });
    gives(404, { code: '60', message: 'No such path.' });
    expect(await match()).toMatchObject({ kind: 'unclear' });
    gives(500, { code: '60119', message: 'No.' });
    expect(await match()).toMatchObject({ kind: 'unclear' });
  });

  test('an account matches only if its own record names the email', async () => {
    gives(200, []);
    const look = (characteristic: object, id = fixed.accountNo) => {
      accountBody = JSON.stringify([{ id, contact: [{ contactMedium: [{ characteristic }] }] }]);
      return billing.invoices(fixed);
    };
    expect(await look({ emailAddress: fixed.email })).toMatchObject({ kind: 'invoices', invoices: [] });
    expect(await look({})).toEqual({ kind: 'none' });
    expect(await look({ emailAddress: 'other@example.mg' })).toEqual({ kind: 'none' });
    expect(await look({ emailAddress: fixed.email }, 'PA1000000009')).toEqual({ kind: 'none' });
    gives(200, [bill()]);
    expect(await look({ emailAddress: fixed.email })).toMatchObject({ kind: 'unclear' });
    accountBody = undefined;
  });
});

describe('amounts as stated', () => {
  test.each([
    [45_250.4, '45250.40'],
    [45_250, '45250.00'],
    ['45250.40', '45250.40'],
    [0, '0.00'],
    [0.07, '0.07'],
    [9_999_999_999_999.99, '9999999999999.99'],
  ])('%s is %s', (value, text) => {
    expect(statedAmount(readHundredths(value) ?? -1)).toBe(text);
  });

  test.each([1.005, 1e21, 1e14, Number.NaN, Number.POSITIVE_INFINITY, '1,5', '1e3', '', null, true, {}])(
    '%s is refused',
    (value) => {
      expect(readHundredths(value)).toBeNull();
    },
  );

  test('every hundredth survives a JSON round trip', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 15 - 1 }), (hundredths) => {
        expect(readHundredths(JSON.parse(JSON.stringify(majorNumber(hundredths, 2))))).toBe(hundredths);
      }),
    );
  });
});
