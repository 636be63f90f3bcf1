import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HttpAnswer } from '../http-client.ts';
import { defaultCodes, readEnquiry, readRefund, readStart, readUser } from './messages.ts';

const reference = 'k7p2m4x9c1v8b3n6q5w0z7d2f1';
const about = { reference, codes: defaultCodes };
const answer = (json: unknown, status = 200): HttpAnswer => ({ kind: 'answer', status, json });
const silence: HttpAnswer = { kind: 'silence', detail: 'HeadersTimeoutError' };
const transaction = (more: object = {}) => ({
  reference,
  transactionId: 'SCM1X2Y3',
  amount: 5000,
  currency: 'MGA',
  ...more,
});
const said = (code: unknown, more: object = {}) => answer({ code, message: 'See code', ...more });
const state = (code: unknown, more: object = {}) => said(code, { transaction: transaction(more) });

const refusals: [string, string][] = [
  ['56D005', 'wrongPin'],
  ['1006', 'walletLocked'],
  ['SC101', 'declined'],
  ['SC102', 'insufficientFunds'],
  ['SC103', 'noWallet'],
  ['SC104', 'limitExceeded'],
  ['SC105', 'expired'],
  ['SC106', 'refusedByProvider'],
];

describe('the response to a start', () => {
  test.each(['SC000', 'SC001', 'SC002'])('%s means that the enquiry can follow at once', (code) => {
    expect(readStart(state(code), about)).toEqual({ kind: 'await', isDecided: true });
  });

  test.each(refusals)('%s is a refusal: %s', (code, reason) => {
    expect(readStart(said(code), about)).toEqual({ kind: 'refused', reason });
    expect(readStart(state(code), about)).toEqual({ kind: 'refused', reason });
  });

  test('a code may come as a number', () => {
    expect(readStart(said(1006), about)).toEqual({ kind: 'refused', reason: 'walletLocked' });
  });

  test('the table in the settings takes precedence', () => {
    const codes = { '00': 'accepted', '55': 'wrongPin' } as const;
    expect(readStart(state('00'), { reference, codes })).toEqual({ kind: 'await', isDecided: true });
    expect(readStart(said('55'), { reference, codes })).toEqual({ kind: 'refused', reason: 'wrongPin' });
    expect(readStart(said('56D005'), { reference, codes })).toMatchObject({ kind: 'unclear' });
  });

  test.each([
    ['a reference used before', said('SC202')],
    ['a code that nobody listed', said('SC999')],
    ['a word of the language', said('constructor')],
    ['not found', said('SC201')],
    ['given back', state('SC003')],
    ['another payment', state('SC001', { reference: 'other' })],
    ['a refusal of another payment', state('56D005', { reference: 'other' })],
    ['a refusal with a server error', answer({ code: '56D005' }, 500)],
    ['no code', answer({ message: 'SUCCESS' })],
  ])('%s proves nothing', (_what, given) => {
    expect(readStart(given, about)).toMatchObject({ kind: 'unclear' });
  });
});

describe('the response to an enquiry', () => {
  const read = (given: HttpAnswer) => readEnquiry(given, about);

  test('paid comes with id, amount and currency', () => {
    const paid = { kind: 'paid', providerReference: 'SCM1X2Y3', amount: 5000, currency: 'MGA' };
    expect(read(state('SC000'))).toEqual(paid);
    expect(read(state('SC000', { amount: 4999 }))).toEqual({ ...paid, amount: 4999 });
  });

  test('open, not found and refunded', () => {
    expect(read(state('SC001'))).toEqual({ kind: 'pending' });
    expect(read(state('SC002'))).toEqual({ kind: 'pending' });
    expect(read(said('SC201'))).toEqual({ kind: 'notFound' });
    expect(read(state('SC003'))).toEqual({ kind: 'refunded' });
  });

  test.each(refusals)('%s is a refusal: %s', (code, reason) => {
    expect(read(state(code))).toEqual({ kind: 'refused', reason });
    expect(read(said(code))).toMatchObject({ kind: 'unclear' });
  });

  test.each([
    ['no transaction', said('SC000')],
    ['another payment', state('SC000', { reference: 'other' })],
    ['no id of theirs', state('SC000', { transactionId: '' })],
    ['no amount', state('SC000', { amount: undefined })],
    ['nothing taken', state('SC000', { amount: 0 })],
    ['a fraction', state('SC000', { amount: 5000.5 })],
    ['a text for an amount', state('SC000', { amount: '5000' })],
    ['no currency', state('SC000', { currency: '' })],
    ['a server error', answer({ code: 'SC000', transaction: transaction() }, 502)],
    ['a code that nobody listed', state('SC999')],
  ])('paid with %s proves nothing', (_what, given) => {
    expect(read(given)).toMatchObject({ kind: 'unclear' });
  });
});

test('a refund counts only if the response is about this payment', () => {
  expect(readRefund(state('SC003'), about)).toEqual({ kind: 'refunded' });
  for (const given of [said('SC003'), state('SC003', { reference: 'other' }), state('SC000'), said('SC101'), silence])
    expect(readRefund(given, about)).toMatchObject({ kind: 'unclear' });
});

test('only an explicit response about that number tells whether it has a wallet', () => {
  const asked = { number: '390000001', codes: defaultCodes };
  expect(readUser(said('SC004', { user: { msisdn: '390000001' } }), asked)).toBe('yes');
  expect(readUser(said('SC103'), asked)).toBe('no');
  for (const given of [said('SC004'), said('SC004', { user: { msisdn: '390000002' } }), said('SC201'), silence])
    expect(readUser(given, asked)).toBe('unclear');
});

const readers = {
  start: (given: HttpAnswer) => readStart(given, about),
  enquiry: (given: HttpAnswer) => readEnquiry(given, about),
  refund: (given: HttpAnswer) => readRefund(given, about),
};

describe.each(Object.entries(readers))('any response to a %s', (_name, read) => {
  test.each([
    ['silence', silence],
    ['nothing', answer(null)],
    ['an empty object', answer({})],
    ['a list', answer([])],
    ['a text', answer('SC000')],
    ['a number', answer(1006)],
    ['an error of the gateway', answer({ error: 'invalid_token' }, 401)],
  ])('%s is unclear', (_what, given) => {
    expect(read(given)).toMatchObject({ kind: 'unclear' });
  });
});

const words = fc.constantFrom(...Object.keys(defaultCodes), 'SC999', reference);
const value = fc.oneof(fc.jsonValue(), words, fc.integer(), fc.constant(undefined));
const fields = fc.record(
  {
    code: fc.oneof(words, value),
    transaction: fc.oneof(
      value,
      fc.record(
        {
          reference: fc.oneof(fc.constant(reference), value),
          transactionId: value,
          amount: value,
          currency: value,
        },
        { requiredKeys: [] },
      ),
    ),
    user: value,
  },
  { requiredKeys: [] },
);
const httpStatus = fc.constantFrom(200, 201, 400, 401, 404, 429, 500, 503);

test('500 generated bodies never crash a reader and are paid only with the code, ids, amount and currency', () => {
  fc.assert(
    fc.property(fc.oneof(fields, fc.jsonValue()), httpStatus, (json, status) => {
      for (const read of Object.values(readers)) expect(read(answer(json, status))).toHaveProperty('kind');
      const outcome = readers.enquiry(answer(json, status));
      if (outcome.kind !== 'paid') return;
      const sent = json as { code: string; transaction: Record<string, unknown> };
      expect(sent.code).toBe('SC000');
      expect(sent.transaction.reference).toBe(reference);
      expect(outcome.amount).toBe(sent.transaction.amount);
      expect(outcome.currency).toBe(sent.transaction.currency);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 500 },
  );
});
