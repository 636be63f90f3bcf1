import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HttpAnswer } from '../http-client.ts';
import { unclearAnswers } from '../unclear-answers.fixture.ts';
import { readAttempts, readRefund, readRefunds, readStart, readVerification } from './messages.ts';

const reference = 'k7p2m4x9c1v8b3n6q5w0z7d2f1';
const answer = (json: unknown, status = 200): HttpAnswer => ({ kind: 'answer', status, json });
const success = (data: unknown, message = 'Fetched') => ({ status: 'success', message, data });
const error = (message: string) => ({ status: 'error', message, data: null });

const transaction = (more: object = {}) => ({
  id: 288200108,
  tx_ref: reference,
  flw_ref: 'LiveCORS14ADC',
  amount: 5000,
  charged_amount: 5070,
  app_fee: 70,
  currency: 'MGA',
  status: 'successful',
  payment_type: 'card',
  created_at: '2026-03-02T16:21:27.000Z',
  ...more,
});
const refund = (more: object = {}) => ({
  id: 75923,
  tx_id: 288200108,
  amount_refunded: 5000,
  status: 'completed',
  ...more,
});

const origin = 'https://checkout.example';
const asked = { reference, digits: 0 };
const askedBack = { transaction: '288200108', amount: 5_000, digits: 0 };
const start = (given: HttpAnswer) => readStart(given, { checkoutOrigins: [origin] });
const verify = (given: HttpAnswer, digits = 0) => readVerification(given, { reference, digits });
const attempts = (given: HttpAnswer) => readAttempts(given, asked);
const refunds = (given: HttpAnswer) => readRefunds(given, askedBack);
const refunded = (given: HttpAnswer) => readRefund(given, askedBack);

const paid = { kind: 'paid', providerReference: '288200108', amount: 5000, currency: 'MGA' };

describe('the response to a start', () => {
  test('gives the link if its origin is allowed', () => {
    const link = `${origin}/v3/hosted/pay/f524c1196ffda5556341`;
    expect(start(answer(success({ link }, 'Hosted Link')))).toEqual({ kind: 'link', url: link });
  });

  test.each([
    'https://checkout.example.evil.example/pay',
    'https://evil.example/https://checkout.example',
    'http://checkout.example/pay',
    'https://checkout.example:8443/pay',
    'https://checkout.example@evil.example/pay',
    'javascript:alert(1)',
    '//checkout.example/pay',
    '/pay',
    '',
  ])('the link %j is not followed', (link) => {
    expect(start(answer(success({ link })))).toMatchObject({ kind: 'unclear' });
  });

  test.each([
    ['a refused key', error('Invalid authorization key'), 401],
    ['a reference used before', error('tx_ref already exists'), 400],
    ['a currency it does not take', error('Currency not supported'), 400],
    ['no link', success({}), 200],
  ])('%s proves nothing', (_what, json, status) => {
    expect(start(answer(json, status))).toMatchObject({ kind: 'unclear' });
  });
});

describe('the response to an enquiry', () => {
  test('successful is paid with what was asked for, without the fees on top', () => {
    expect(verify(answer(success(transaction())))).toEqual(paid);
    expect(verify(answer(success(transaction({ amount: '5000.00', charged_amount: undefined }))))).toEqual(paid);
    expect(verify(answer(success(transaction({ id: '288200108' }))))).toEqual(paid);
  });

  test('fractions are exact: cents where the currency has them, never rounded where it has none', () => {
    const cents = transaction({ amount: 45250.4, charged_amount: 45250.4 });
    expect(verify(answer(success(cents)), 2)).toMatchObject({ kind: 'paid', amount: 4525040 });
    expect(verify(answer(success(cents)), 0)).toMatchObject({ kind: 'unclear' });
    expect(verify(answer(success(transaction({ amount: 0.1 + 0.2, charged_amount: null }))), 2)).toMatchObject({
      kind: 'unclear',
    });
  });

  test('less than what was asked for is reported as less', () => {
    expect(verify(answer(success(transaction({ charged_amount: 4999 }))))).toMatchObject({
      kind: 'paid',
      amount: 4999,
    });
    expect(verify(answer(success(transaction({ amount: 4999 }))))).toMatchObject({ kind: 'paid', amount: 4999 });
  });

  test('a failed attempt is not yet a failed payment; pending is open', () => {
    expect(verify(answer(success(transaction({ status: 'failed' }))))).toEqual({ kind: 'attemptFailed' });
    expect(verify(answer(success(transaction({ status: 'pending' }))))).toEqual({ kind: 'pending' });
  });

  test.each(['success', 'completed', 'Successful', 'reversed', '', 'new'])('the status %j proves nothing', (status) => {
    expect(verify(answer(success(transaction({ status }))))).toMatchObject({ kind: 'unclear' });
  });

  test.each([
    ["another payment's reference", { tx_ref: 'another' }],
    ['no reference', { tx_ref: undefined }],
    ['no number', { id: undefined }],
    ['no amount', { amount: undefined }],
    ['nothing taken', { amount: 0 }],
    ['less than nothing', { amount: '-5000' }],
    ['an amount in words', { amount: 'five thousand' }],
    ['an amount beyond counting', { amount: 1e21, charged_amount: 1e21 }],
    ['no currency', { currency: undefined }],
    ['no currency code', { currency: 'Ar' }],
  ])('successful with %s is not paid', (_what, more) => {
    expect(verify(answer(success(transaction(more))))).toMatchObject({ kind: 'unclear' });
  });

  test('only the exact sentence means not found', () => {
    expect(verify(answer(error('No transaction was found for this id'), 400))).toEqual({ kind: 'notFound' });
    expect(verify(answer(error('No transaction was found for this id'), 404))).toEqual({ kind: 'notFound' });
    expect(verify(answer(error('No transaction was found for this id'), 500))).toMatchObject({ kind: 'unclear' });
    for (const message of ['Transaction not found', 'Not found', ''])
      expect(verify(answer(error(message), 404))).toMatchObject({ kind: 'unclear' });
  });
});

describe('every attempt under one reference', () => {
  const failed = transaction({ id: 1, status: 'failed' });

  test('a paid one decides, wherever it is in the list', () => {
    expect(attempts(answer(success([transaction(), failed])))).toEqual(paid);
    expect(attempts(answer(success([failed, transaction({ id: 2, status: 'pending' }), transaction()])))).toEqual(paid);
  });

  test('an open one keeps the payment open, one that is not understood keeps it unclear', () => {
    expect(attempts(answer(success([failed, transaction({ status: 'pending' })])))).toEqual({ kind: 'pending' });
    expect(attempts(answer(success([failed, transaction({ status: 'new' })])))).toMatchObject({ kind: 'unclear' });
    expect(attempts(answer(success([failed, transaction({ status: 'failed', tx_ref: 'another' })])))).toMatchObject({
      kind: 'unclear',
    });
  });

  test('if all have failed, their number is returned', () => {
    expect(attempts(answer(success([failed, failed])))).toEqual({ kind: 'attemptsFailed', count: 2 });
    expect(attempts(answer(success([])))).toEqual({ kind: 'attemptsFailed', count: 0 });
  });
});

describe('refunds', () => {
  test('none, or only failed ones, allow a request', () => {
    expect(refunds(answer(success([])))).toEqual({ kind: 'notFound' });
    expect(refunds(answer(success([refund({ status: 'failed' })])))).toEqual({ kind: 'notFound' });
    expect(refunds(answer(success([refund({ tx_id: 5 })])))).toEqual({ kind: 'notFound' });
  });

  test.each(['completed', 'completed-momo', 'completed-bank-transfer'])('%s means refunded', (status) => {
    expect(refunds(answer(success([refund({ status })])))).toEqual({ kind: 'refunded' });
    expect(refunded(answer(success(refund({ status }))))).toEqual({ kind: 'refunded' });
  });

  test.each([{ status: 'pending' }, { status: 'new' }, { status: 'incompleted' }, { amount_refunded: 4999 }])(
    '%j is waited for, and nothing is asked again',
    (more) => {
      expect(refunds(answer(success([refund(more)])))).toMatchObject({ kind: 'unclear' });
      expect(refunded(answer(success(refund(more))))).toMatchObject({ kind: 'unclear' });
    },
  );

  test('one of another payment does not count', () => {
    expect(refunded(answer(success(refund({ tx_id: 5 }))))).toMatchObject({ kind: 'unclear' });
    expect(refunded(answer(error('Already refunded'), 400))).toMatchObject({ kind: 'unclear' });
  });
});

const readers = { start, enquiry: verify, 'look at attempts': attempts, 'look at refunds': refunds, refund: refunded };

describe.each(Object.entries(readers))('any response to a %s', (_name, read) => {
  test.each<[string, HttpAnswer]>([
    ...unclearAnswers,
    ['a text', answer('successful')],
    ['a good body with a server error', answer(success(transaction()), 500)],
    ['a good body with a redirect', answer(success(transaction()), 302)],
    ['a success with nothing in it', answer(success(null))],
  ])('%s is unclear', (_what, given) => {
    expect(read(given)).toMatchObject({ kind: 'unclear' });
  });
});

const words = fc.constantFrom('successful', 'failed', 'pending', 'success', 'completed', 'MGA', reference, '5000');
const value = fc.oneof(fc.jsonValue(), words, fc.integer());
const right = <T>(given: T) => fc.oneof({ weight: 4, arbitrary: fc.constant(given) }, { weight: 1, arbitrary: value });
const transactionLike = fc.record(
  {
    id: right(288200108),
    tx_ref: right(reference),
    status: right('successful'),
    amount: right(5000),
    charged_amount: value,
    currency: right('MGA'),
    tx_id: value,
    amount_refunded: value,
    link: value,
  },
  { requiredKeys: [] },
);
const answerLike = fc.record(
  { status: right('success'), message: value, data: fc.oneof(transactionLike, fc.array(transactionLike), value) },
  { requiredKeys: [] },
);

test('500 generated bodies never crash a reader and are paid only with the exact proof', () => {
  fc.assert(
    fc.property(
      fc.oneof(answerLike, fc.jsonValue()),
      fc.constantFrom(200, 200, 200, 201, 302, 400, 404, 429, 500, 503),
      (json, status) => {
        for (const read of Object.values(readers)) expect(read(answer(json, status))).toHaveProperty('kind');
        const outcome = verify(answer(json, status));
        if (outcome.kind !== 'paid') return;
        const { data } = json as { data: Record<string, unknown> };
        expect(json).toMatchObject({ status: 'success' });
        expect(data).toMatchObject({ status: 'successful', tx_ref: reference });
        expect(outcome.amount).toBeLessThanOrEqual(Number(data.amount));
        expect(outcome.amount).toBeGreaterThan(0);
        expect(outcome.currency).toBe(data.currency);
        expect(status).toBeLessThan(300);
      },
    ),
    { numRuns: 500 },
  );
});
