import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HttpAnswer } from '../http-client.ts';
import { unclearAnswers } from '../unclear-answers.fixture.ts';
import { readRefund, readStart, readStatus } from './messages.ts';

const reference = 'k7p2m4x9c1v8b3n6q5w0z7d2f1';
const payToken = 'f5720dd906203c62033ffe64ed75614785fc';
const origin = 'https://webpayment.example';
const answer = (json: unknown, status = 201): HttpAnswer => ({ kind: 'answer', status, json });
const problem = (code: number, status: number) => answer({ code, message: 'Refused', description: 'no' }, status);

const accepted = (more: object = {}) => ({
  status: 201,
  message: 'OK',
  pay_token: payToken,
  payment_url: `${origin}/payment/pay_token/${payToken}`,
  notif_token: 'dd497bda3b250e536186fc0663f32f40',
  ...more,
});
const state = (more: object = {}) => ({
  status: 'SUCCESS',
  order_id: reference,
  txnid: 'MP150709.1341.A00073',
  ...more,
});

const start = (given: HttpAnswer) => readStart(given, { checkoutOrigins: [origin] });
const enquire = (given: HttpAnswer) => readStatus(given, { reference, payToken });
const refund = (given: HttpAnswer) => readRefund(given, { reference });

describe('the response to a start', () => {
  test('gives the page and the token for enquiries', () => {
    const url = `${origin}/payment/pay_token/${payToken}`;
    expect(start(answer(accepted()))).toEqual({ kind: 'page', url, payToken });
    expect(start(answer(accepted({ notif_token: undefined })))).toEqual({ kind: 'page', url, payToken });
  });

  test.each([
    ['no token', { pay_token: undefined }],
    ['an empty token', { pay_token: '' }],
    ['a token with a space', { pay_token: 'a b' }],
    ['no page', { payment_url: undefined }],
    ['a page elsewhere', { payment_url: 'https://evil.example/payment' }],
    ['a page that is no address', { payment_url: 'javascript:alert(1)' }],
    ['a page without protection', { payment_url: 'http://webpayment.example/payment' }],
  ])('with %s it is unclear', (_what, more) => {
    expect(start(answer(accepted(more)))).toMatchObject({ kind: 'unclear' });
  });

  test.each([
    [21, 400],
    [42, 401],
    [60, 404],
    [60, 409],
    [1, 500],
  ])('the code %i with HTTP %i proves nothing', (code, status) => {
    expect(start(problem(code, status))).toEqual({ kind: 'unclear', detail: `HTTP ${status}` });
  });
});

describe('the response to an enquiry', () => {
  test('SUCCESS with a transaction id is paid; token and id are kept, and the amount is the requested one', () => {
    const paid = { kind: 'paid', providerReference: `${payToken} MP150709.1341.A00073`, amount: null, currency: null };
    expect(enquire(answer(state()))).toEqual(paid);
    expect(enquire(answer(state(), 200))).toEqual(paid);
  });

  test.each([
    ['INITIATED', { kind: 'pending' }],
    ['PENDING', { kind: 'pending' }],
    ['EXPIRED', { kind: 'refused', reason: 'expired' }],
    ['FAILED', { kind: 'refused', reason: 'refusedByProvider' }],
  ])('%s is %j', (status, outcome) => {
    expect(enquire(answer(state({ status, txnid: '' })))).toEqual(outcome);
    expect(enquire(answer(state({ status, txnid: null })))).toEqual(outcome);
  });

  test.each(['success', 'SUCCESSFULL', 'OK', '201', 'CANCELLED', ''])('the status %j proves nothing', (status) => {
    expect(enquire(answer(state({ status })))).toMatchObject({ kind: 'unclear' });
  });

  test.each([
    ['no number', { txnid: undefined }],
    ['an empty number', { txnid: '' }],
    ['a number with a space', { txnid: 'MP1 MP2' }],
    ["another payment's order", { order_id: 'another' }],
    ['no order', { order_id: undefined }],
    ['a number for its status', { status: 201 }],
  ])('SUCCESS with %s is not paid', (_what, more) => {
    expect(enquire(answer(state(more)))).toMatchObject({ kind: 'unclear' });
  });

  test('"not found" has no code of its own, so it is unclear', () => {
    expect(enquire(problem(60, 404))).toEqual({ kind: 'unclear', detail: 'HTTP 404' });
  });
});

describe('the response to a refund', () => {
  test('refunded, now or before', () => {
    for (const status of ['SUCCESS', 'ALREADY_REFUNDED'])
      expect(refund(answer({ status, order_id: reference }, 200))).toEqual({ kind: 'refunded' });
  });

  test.each([
    ['another status', { status: 'PENDING', order_id: reference }],
    ["another payment's order", { status: 'SUCCESS', order_id: 'another' }],
    ['no order', { status: 'SUCCESS' }],
  ])('with %s it is retried', (_what, json) => {
    expect(refund(answer(json, 200))).toMatchObject({ kind: 'unclear' });
  });
});

const readers = { start, enquiry: enquire, refund };

describe.each(Object.entries(readers))('any response to a %s', (_name, read) => {
  test.each<[string, HttpAnswer]>([
    ...unclearAnswers,
    ['a text', answer('SUCCESS')],
    ['a refused token', answer({ error: 'invalid_token' }, 401)],
    ['a good body with a server error', answer({ ...accepted(), ...state() }, 500)],
    ['a good body with a redirect', answer({ ...accepted(), ...state() }, 302)],
    ['a good body with a refusal', answer({ ...accepted(), ...state() }, 400)],
  ])('%s is unclear', (_what, given) => {
    expect(read(given)).toMatchObject({ kind: 'unclear' });
  });
});

const words = fc.constantFrom('SUCCESS', 'FAILED', 'PENDING', 'EXPIRED', 'ALREADY_REFUNDED', reference, payToken);
const value = fc.oneof(fc.jsonValue(), words, fc.integer());
const right = <T>(given: T) => fc.oneof({ weight: 4, arbitrary: fc.constant(given) }, { weight: 1, arbitrary: value });
const answerLike = fc.record(
  {
    status: right('SUCCESS'),
    order_id: right(reference),
    txnid: right('MP150709.1341.A00073'),
    pay_token: value,
    payment_url: value,
  },
  { requiredKeys: [] },
);

test('500 generated bodies never crash a reader and are paid only with the exact proof', () => {
  fc.assert(
    fc.property(
      fc.oneof(answerLike, fc.jsonValue()),
      fc.constantFrom(200, 201, 201, 302, 400, 404, 429, 500, 503),
      (json, status) => {
        for (const read of Object.values(readers)) expect(read(answer(json, status))).toHaveProperty('kind');
        const outcome = enquire(answer(json, status));
        if (outcome.kind !== 'paid') return;
        const sent = json as Record<string, unknown>;
        expect(sent).toMatchObject({ status: 'SUCCESS', order_id: reference });
        expect(outcome.providerReference).toBe(`${payToken} ${sent.txnid}`);
        expect(String(sent.txnid)).toMatch(/^\S+$/);
        expect(status).toBeLessThan(300);
      },
    ),
    { numRuns: 500 },
  );
});
