import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HttpAnswer } from '../http-client.ts';
import { unclearAnswers } from '../unclear-answers.fixture.ts';
import { findPayment, isTokenRefused, readPullPage, readPush, readQuery, readReversal } from './messages.ts';

const checkoutRequestId = 'ws_CO_191220191020363925390000001';
const answer = (json: unknown, status = 200): HttpAnswer => ({ kind: 'answer', status, json });
const silence: HttpAnswer = { kind: 'silence', detail: 'HeadersTimeoutError' };
const error = (errorCode: string, errorMessage = 'Error') => ({
  requestId: '4788-81090592-4',
  errorCode,
  errorMessage,
});
const codeOnly = (given: { code: string; status: number; message?: string }) =>
  answer(error(given.code, given.message), given.status);

const accepted = (more: object = {}) => ({
  MerchantRequestID: '29115-34620561-1',
  CheckoutRequestID: checkoutRequestId,
  ResponseCode: '0',
  ResponseDescription: 'Success. Request accepted for processing',
  CustomerMessage: 'Success. Request accepted for processing',
  ...more,
});
const result = (ResultCode: unknown, more: object = {}) => ({
  ResponseCode: '0',
  ResponseDescription: 'The service request has been accepted successsfully',
  MerchantRequestID: '22205-34066-1',
  CheckoutRequestID: checkoutRequestId,
  ResultCode,
  ResultDesc: 'whatever it says',
  ...more,
});
const refusals: [number, string][] = [
  [1, 'insufficientFunds'],
  [1001, 'requestOpen'],
  [1019, 'expired'],
  [1032, 'declined'],
  [1037, 'expired'],
  [2001, 'wrongPin'],
  [8006, 'walletLocked'],
];

describe('the answer to a push', () => {
  test('acceptance gives the id to ask by', () => {
    for (const ResponseCode of ['0', 0])
      expect(readPush(answer(accepted({ ResponseCode })))).toEqual({
        kind: 'await',
        providerReference: checkoutRequestId,
      });
  });

  test('a request that it calls bad was not carried out', () => {
    const bad = (message: string) => readPush(codeOnly({ code: '400.002.02', status: 400, message }));
    expect(bad('Bad Request - Invalid Amount')).toEqual({ kind: 'refused', reason: 'refusedByProvider' });
    expect(bad('Bad Request - Invalid PhoneNumber')).toEqual({ kind: 'refused', reason: 'noWallet' });
  });

  test.each([
    ['acceptance without an id', answer(accepted({ CheckoutRequestID: undefined }))],
    ['acceptance with an empty id', answer(accepted({ CheckoutRequestID: '' }))],
    ['another code', answer(accepted({ ResponseCode: '1' }))],
    ['a code that nobody listed', answer(accepted({ ResponseCode: '9999' }))],
    ['acceptance with a server error', answer(accepted(), 500)],
    ['a locked subscriber', codeOnly({ code: '500.001.1001', status: 500, message: 'Unable to lock subscriber' })],
    ['too many requests', codeOnly({ code: '500.003.02', status: 429, message: 'Spike arrest violation' })],
    ['a bad request that comes with a server error', codeOnly({ code: '400.002.02', status: 500 })],
    ['a resource that is not there', codeOnly({ code: '404.001.01', status: 404 })],
  ])('%s proves nothing', (_what, given) => {
    expect(readPush(given)).toMatchObject({ kind: 'unclear' });
  });
});

describe('the answer to a query', () => {
  const read = (given: HttpAnswer) => readQuery(given, { checkoutRequestId });

  test('0 is paid, as a number or a string, with the amount of our own request', () => {
    for (const zero of [0, '0'])
      expect(read(answer(result(zero)))).toEqual({
        kind: 'paid',
        providerReference: checkoutRequestId,
        amount: null,
        currency: null,
      });
  });

  test.each(refusals)('%i is a refusal: %s', (code, reason) => {
    expect(read(answer(result(code)))).toEqual({ kind: 'refused', reason });
    expect(read(answer(result(String(code))))).toEqual({ kind: 'refused', reason });
  });

  test('500.001.1001 is still waiting', () => {
    const waiting = { code: '500.001.1001', message: 'The transaction is being processed' };
    for (const status of [200, 400, 500]) expect(read(codeOnly({ ...waiting, status }))).toEqual({ kind: 'pending' });
  });

  test.each([
    ['another payment', answer(result(0, { CheckoutRequestID: 'ws_CO_other' }))],
    ['no payment', answer(result(0, { CheckoutRequestID: undefined }))],
    ['a question that was not accepted', answer(result(0, { ResponseCode: '1' }))],
    ['no result', answer(result(undefined))],
    ['null for a result', answer(result(null))],
    ['an empty result', answer(result(''))],
    ['false for a result', answer(result(false))],
    ['a padded zero', answer(result(' 0'))],
    ['two zeros', answer(result('00'))],
    ['a fraction', answer(result(0.5))],
    ['a result that nobody listed', answer(result('9999'))],
    ['a word of the language', answer(result('constructor'))],
    ['success with a server error', answer(result(0), 500)],
    ['an unknown id', codeOnly({ code: '400.002.02', status: 400, message: 'Invalid CheckoutRequestID' })],
    ['too many requests', codeOnly({ code: '500.003.02', status: 429 })],
  ])('%s proves nothing', (_what, given) => {
    expect(read(given)).toMatchObject({ kind: 'unclear' });
  });
});

describe('the answer to a reversal', () => {
  const taken = { OriginatorConversationID: '71840-27539181-07', ConversationID: 'AG_1', ResponseCode: '0' };

  test('acceptance is no proof that the money went back', () => {
    expect(readReversal(answer(taken))).toEqual({ kind: 'unclear', detail: 'the reversal was accepted' });
  });

  test('"already reversed" is', () => {
    expect(readReversal(answer({ ...taken, ResponseCode: 'R000001' }))).toEqual({ kind: 'refunded' });
    expect(readReversal(codeOnly({ code: 'R000001', status: 400 }))).toEqual({ kind: 'refunded' });
    expect(readReversal(codeOnly({ code: 'R000001', status: 500 }))).toMatchObject({ kind: 'unclear' });
  });

  test.each(['R000002', '1', '21', '2001', '400.002.02', '500.001.1001'])('%s is tried again', (code) => {
    expect(readReversal(codeOnly({ code, status: 400 }))).toMatchObject({ kind: 'unclear' });
    expect(readReversal(answer({ ...taken, ResponseCode: code }))).toMatchObject({ kind: 'unclear' });
  });
});

const shortReference = 'k7p2m4x9c1v8';
const row = (more: object = {}) => ({
  transactionId: 'SKE52PAWR9',
  trxDate: '2026-08-05T10:13:00Z',
  msisdn: 261390000001,
  sender: 'MPESA',
  transactiontype: 'c2b-pay-bill-debit',
  billreference: shortReference,
  amount: '5000.00',
  organizationname: 'Shop',
  ...more,
});
const list = (Response: unknown, more: object = {}) =>
  answer({ ResponseRefID: '26178-42530161-2', ResponseCode: '1000', ResponseMessage: 'Success', Response, ...more });

describe('the list of transactions', () => {
  const found = (...rows: object[]) => findPayment(readPullPage(list([rows]), 0) ?? [], shortReference);
  const reversal = (more: object = {}) =>
    row({ transactionId: 'SKE52PAWS0', transactiontype: 'c2b-pay-bill-reversal', ...more });

  test('is read from either shape', () => {
    const expected = [{ transactionId: 'SKE52PAWR9', billReference: shortReference, amount: 5000, isReversal: false }];
    expect(readPullPage(list([[row()]]), 0)).toEqual(expected);
    expect(readPullPage(list([row()]), 0)).toEqual(expected);
    expect(readPullPage(list([[]]), 0)).toEqual([]);
    expect(readPullPage(list([]), 0)).toEqual([]);
  });

  test.each([
    ['silence', silence],
    ['another code', list([[row()]], { ResponseCode: '1001' })],
    ['an error', answer(error('400.002.02'), 400)],
    ['no rows', list(undefined)],
    ['a row without an id', list([[row({ transactionId: '' })]])],
    ['a row that is none', list([['row']])],
  ])('%s is no list', (_what, given) => {
    expect(readPullPage(given, 0)).toBeNull();
  });

  test('tells of a payment by its short reference', () => {
    const debit = { kind: 'debit', receipt: 'SKE52PAWR9', amount: 5000 };
    expect(found(row())).toEqual(debit);
    expect(found(row({ billreference: shortReference.toUpperCase(), amount: 5000 }))).toEqual(debit);
    expect(
      found(row({ billreference: 'other' }), row({ transactionId: 'X', amount: '10.50', billreference: 7 })),
    ).toEqual({ kind: 'none' });
    expect(found(row({ billreference: null }))).toEqual({ kind: 'none' });
    expect(found(row(), reversal())).toEqual({ ...debit, kind: 'reversed' });
  });

  test.each([
    ['two debits', [row(), row({ transactionId: 'SKE52PAWR8' })]],
    ['a reversal without a debit', [reversal()]],
    ['a reversal of another amount', [row(), reversal({ amount: '1.00' })]],
    ['two reversals', [row(), reversal(), reversal({ transactionId: 'SKE52PAWS1' })]],
    ['a fraction', [row({ amount: '5000.50' })]],
    ['no amount', [row({ amount: null })]],
    ['true for an amount', [row({ amount: true })]],
    ['nothing taken', [row({ amount: '0.00' })]],
  ])('%s is a doubt', (_what, rows) => {
    expect(found(...rows)).toMatchObject({ kind: 'doubt' });
  });
});

test('a token is refused by status or by code, and never by a server error', () => {
  expect(isTokenRefused(answer({}, 401))).toBe(true);
  expect(isTokenRefused(codeOnly({ code: '404.001.03', status: 404 }))).toBe(true);
  expect(isTokenRefused(codeOnly({ code: '400.003.01', status: 400 }))).toBe(true);
  for (const other of [silence, answer({}, 404), codeOnly({ code: '404.001.03', status: 500 }), answer(accepted())])
    expect(isTokenRefused(other)).toBe(false);
});

const readers = {
  push: readPush,
  query: (given: HttpAnswer) => readQuery(given, { checkoutRequestId }),
  reversal: readReversal,
};

describe.each(Object.entries(readers))('whatever comes as the answer to a %s', (_name, read) => {
  test.each<[string, HttpAnswer]>([
    ...unclearAnswers,
    ['a text', answer('0')],
    ['an error of the gateway', answer({ fault: { faultstring: 'Invalid token' } }, 401)],
  ])('%s is unclear', (_what, given) => {
    expect(read(given)).toMatchObject({ kind: 'unclear' });
  });
});

const words = fc.constantFrom('0', 0, '1', 1032, '500.001.1001', 'R000001', '1000', checkoutRequestId, shortReference);
const value = fc.oneof(fc.jsonValue(), words, fc.constant(undefined));
const fields = fc.record(
  {
    ResponseCode: fc.oneof(words, value),
    ResultCode: fc.oneof(words, value),
    CheckoutRequestID: fc.oneof(fc.constant(checkoutRequestId), value),
    errorCode: value,
    Response: fc.oneof(
      value,
      fc.array(fc.record({ transactionId: value, billreference: value, amount: value }, { requiredKeys: [] })),
    ),
  },
  { requiredKeys: [] },
);
const httpStatus = fc.constantFrom(200, 201, 400, 401, 404, 429, 500, 503);

test('500 made-up bodies never crash a reader and are paid only with exactly 0 for exactly our request', () => {
  fc.assert(
    fc.property(fc.oneof(fields, fc.jsonValue()), httpStatus, (json, status) => {
      for (const read of Object.values(readers)) expect(read(answer(json, status))).toHaveProperty('kind');
      const rows = readPullPage(answer(json, status), 0);
      if (rows) expect(findPayment(rows, shortReference)).toHaveProperty('kind');
      const outcome = readers.query(answer(json, status));
      if (outcome.kind !== 'paid') return;
      const sent = json as Record<string, unknown>;
      expect(sent.CheckoutRequestID).toBe(checkoutRequestId);
      expect(['0', 0]).toContain(sent.ResultCode);
      expect(['0', 0]).toContain(sent.ResponseCode);
      expect(status).toBeLessThan(400);
    }),
    { numRuns: 500 },
  );
});
