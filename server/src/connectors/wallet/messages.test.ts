import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HttpAnswer } from '../http-client.ts';
import { unclearAnswers } from '../unclear-answers.fixture.ts';
import { readEnquiry, readRefund, readStart, readStatementPage, readUser } from './messages.ts';

const reference = 'k7p2m4x9c1v8b3n6q5w0z7d2f1';
const answer = (json: unknown, status = 200): HttpAnswer => ({ kind: 'answer', status, json });
const codes = {};
const push = { codes, isDecided: false };
const about = { reference, codes, statesAmount: true, digitsOf: () => 0 };
const silence: HttpAnswer = { kind: 'silence', detail: 'HeadersTimeoutError' };

const outer = (more: object) => ({ code: '200', message: 'SUCCESS', result_code: 'ESB000010', success: true, ...more });
const refused = (response_code: string) => ({
  status: { code: '400', message: 'refused', result_code: 'ESB000011', response_code, success: false },
});
const transaction = (more: object) => ({
  airtel_money_id: 'MP210603.1234.L06941',
  id: reference,
  message: 'Paid',
  status: 'TS',
  amount: 5000,
  currency: 'MGA',
  ...more,
});
const state = (more: object, response_code = 'DP00800001001') =>
  answer({ data: { transaction: transaction(more) }, status: outer({ response_code }) });

const paid = { kind: 'paid', providerReference: 'MP210603.1234.L06941', amount: 5000, currency: 'MGA' };

describe('the response to a start', () => {
  test('acceptance says SUCCESS and means that the payer is prompted', () => {
    const accepted = {
      data: { transaction: { id: reference, status: 'SUCCESS' } },
      status: outer({ response_code: 'DP00800001006' }),
    };
    expect(readStart(answer(accepted), push)).toEqual({ kind: 'await' });
  });

  test.each([
    ['DP00800001002', 'wrongPin'],
    ['DP00800001003', 'limitExceeded'],
    ['DP00800001004', 'refusedByProvider'],
    ['DP00800001005', 'refusedByProvider'],
    ['DP00800001007', 'insufficientFunds'],
    ['DP00800001008', 'declined'],
    ['DP00800001010', 'walletLocked'],
    ['DP00800001012', 'noWallet'],
    ['DP00800001026', 'refusedByProvider'],
    ['DP00800001029', 'expired'],
  ])('%s is a refusal: %s', (code, reason) => {
    expect(readStart(answer(refused(code)), push)).toEqual({ kind: 'refused', reason });
    expect(readStart(answer(refused(code), 400), push)).toEqual({ kind: 'refused', reason });
  });

  test('with a PIN there is nothing to wait for', () => {
    const accepted = { status: outer({ response_code: 'DP00800001006' }) };
    expect(readStart(answer(accepted), { codes, isDecided: true })).toEqual({ kind: 'await', isDecided: true });
  });

  test("a wallet's own code takes precedence over the listed one, and object members are not codes", () => {
    const own = { codes: { DP00800001003: 'walletLocked', X1: 'walletLocked' }, isDecided: true } as const;
    for (const code of ['DP00800001003', 'X1'])
      expect(readStart(answer(refused(code)), own)).toEqual({ kind: 'refused', reason: 'walletLocked' });
    for (const code of ['constructor', 'toString', '__proto__'])
      expect(readStart(answer(refused(code)), own)).toMatchObject({ kind: 'unclear' });
  });

  test.each([
    ['ambiguous', 'DP00800001000'],
    ['success without the flag', 'DP00800001001'],
    ['in process without the flag', 'DP00800001006'],
    ['a time-out of theirs', 'DP00800001024'],
    ['not found', 'DP00800001025'],
    ['one that nobody listed', 'DP00800009999'],
    ['another system', 'INS-9'],
  ])('%s (%s) proves nothing', (_what, code) => {
    expect(readStart(answer(refused(code)), push)).toMatchObject({ kind: 'unclear' });
  });

  test('a reference used before means: enquire', () => {
    const repeated = { status: { code: '400', message: 'Duplicate', result_code: 'ESB000041', success: false } };
    expect(readStart(answer(repeated), push)).toEqual({ kind: 'unclear', detail: 'ESB000041', isRepeated: true });
  });

  test('a refusal that comes with a server error proves nothing', () => {
    for (const status of [500, 502, 503, 504])
      expect(readStart(answer(refused('DP00800001008'), status), push)).toMatchObject({ kind: 'unclear' });
  });
});

describe('in a currency with cents', () => {
  const cents = { ...about, digitsOf: (currency: string) => (currency === 'USD' ? 2 : 0) };

  test('PAY-5 an amount in major units is read to the cent, and one with too many decimals proves nothing', () => {
    const read = (amount: unknown, currency: string) => readEnquiry(state({ amount, currency }), cents);
    expect(read(2.5, 'USD')).toMatchObject({ kind: 'paid', amount: 250, currency: 'USD' });
    expect(read('19.99', 'USD')).toMatchObject({ kind: 'paid', amount: 1_999, currency: 'USD' });
    expect(read(7_000, 'CDF')).toMatchObject({ kind: 'paid', amount: 7_000, currency: 'CDF' });
    for (const [amount, currency] of [
      [2.505, 'USD'],
      [7_000.5, 'CDF'],
      [1e21, 'USD'],
      ['2,50', 'USD'],
    ] as const)
      expect(read(amount, currency), String(amount)).toMatchObject({ kind: 'unclear' });
  });
});

describe('the response to an enquiry', () => {
  const read = (given: HttpAnswer) => readEnquiry(given, about);

  test('TS with id, amount and currency is paid', () => {
    expect(read(state({}))).toEqual(paid);
    expect(read(state({ amount: '5000' }))).toEqual(paid);
    expect(read(state({ amount: '5000.00' }))).toEqual(paid);
  });

  test.each([
    ['no amount', { amount: undefined }],
    ['a null amount', { amount: null }],
    ['an empty amount', { amount: '' }],
    ['a fraction', { amount: 5000.5 }],
    ['a fraction as text', { amount: '5000.5' }],
    ['true for an amount', { amount: true }],
    ['no currency', { currency: undefined }],
    ['an empty currency', { currency: '' }],
    ['no id of theirs', { airtel_money_id: undefined }],
    ['an empty id of theirs', { airtel_money_id: '' }],
    ['no reference of ours', { id: undefined }],
    ["another payment's reference", { id: 'anotherpayment000000000000' }],
  ])('TS with %s is not paid', (_what, more) => {
    expect(read(state(more))).toMatchObject({ kind: 'unclear' });
  });

  test('if the enquiry does not state the amount, TS with both ids is paid without one', () => {
    const silent = { ...about, statesAmount: false };
    const told = { kind: 'paid', providerReference: 'MP210603.1234.L06941' };
    expect(readEnquiry(state({ amount: undefined, currency: undefined }), silent)).toEqual({
      ...told,
      amount: null,
      currency: null,
    });
    expect(readEnquiry(state({ amount: 4999 }), silent)).toEqual({ ...told, amount: 4999, currency: 'MGA' });
    for (const more of [{ amount: undefined }, { currency: undefined }, { currency: '' }, { amount: 0 }, { id: '' }])
      expect(readEnquiry(state(more), silent)).toMatchObject({ kind: 'unclear' });
    expect(readEnquiry(state({ amount: null, currency: null, id: undefined }), silent)).toMatchObject({
      kind: 'unclear',
    });
  });

  test('the amount taken is reported, for the core to compare', () => {
    expect(read(state({ amount: 4999 }))).toMatchObject({ kind: 'paid', amount: 4999 });
    expect(read(state({ currency: 'USD' }))).toMatchObject({ kind: 'paid', currency: 'USD' });
  });

  test.each([
    ['DP00800001002', 'wrongPin'],
    ['DP00800001003', 'limitExceeded'],
    ['DP00800001007', 'insufficientFunds'],
    ['DP00800001008', 'declined'],
    ['DP00800001010', 'walletLocked'],
    ['DP00800001012', 'noWallet'],
    ['DP00800001029', 'expired'],
    ['DP00800009999', 'refusedByProvider'],
  ])('TF with %s is refused: %s', (code, reason) => {
    expect(read(state({ status: 'TF' }, code))).toEqual({ kind: 'refused', reason });
  });

  test('TE is expired, TIP is open, whatever the outer SUCCESS says', () => {
    expect(read(state({ status: 'TE' }))).toEqual({ kind: 'refused', reason: 'expired' });
    expect(read(state({ status: 'TIP' }))).toEqual({ kind: 'pending' });
  });

  test.each(['TA', 'SUCCESS', 'FALIURE', 'ts', 'T', 'PENDING', ''])('the status %j proves nothing', (status) => {
    expect(read(state({ status }))).toMatchObject({ kind: 'unclear' });
  });

  test('only the code of "not found" means not found', () => {
    expect(read(answer(refused('DP00800001025')))).toEqual({ kind: 'notFound' });
    expect(read(answer(refused('DP00800001025'), 404))).toEqual({ kind: 'notFound' });
    for (const code of ['DP00800001000', 'DP00800001001', 'DP00800001008', 'DP00800001024', ''])
      expect(read(answer(refused(code)))).toMatchObject({ kind: 'unclear' });
  });

  test('a success that comes with a server error proves nothing', () => {
    const { json } = state({}) as { json: unknown };
    expect(read(answer(json, 500))).toMatchObject({ kind: 'unclear' });
  });
});

describe('the response to a refund', () => {
  test('refunded, now or before', () => {
    expect(readRefund(answer({ status: outer({ response_code: 'DP00800001001' }) }))).toEqual({ kind: 'refunded' });
    expect(readRefund(answer(refused('DP00800001041')))).toEqual({ kind: 'refunded' });
  });

  test.each(['DP00800001000', 'DP00800001006', 'DP00800001008', 'DP00800001024', 'DP00800001025'])(
    '%s is tried again',
    (code) => {
      expect(readRefund(answer(refused(code)))).toMatchObject({ kind: 'unclear' });
    },
  );
});

describe('whether a number has a wallet', () => {
  const asked = { number: '390000001', codes };
  const known = (msisdn: string) => answer({ data: { msisdn }, status: outer({ response_code: 'DP00800001001' }) });

  test('only an explicit response about that number counts', () => {
    expect(readUser(known('390000001'), asked)).toBe('yes');
    expect(readUser(answer(refused('DP00800001012')), asked)).toBe('no');
    expect(readUser(known('390000002'), asked)).toBe('unclear');
    for (const given of [silence, answer({}), answer(null, 404), answer(refused('DP00800001025')), answer('yes')])
      expect(readUser(given, asked)).toBe('unclear');
  });
});

describe('a page of the statement', () => {
  const entry = (more: object) => ({
    transaction_id: reference,
    amount: '5000',
    currency: 'MGA',
    status: 'TS',
    ...more,
  });
  const page = (transactions: unknown, more: object = {}) =>
    answer({ data: { count: 7, transactions, ...more }, status: outer({}) });

  test('lists what was taken and refunded, and leaves out the rest', () => {
    const given = page([entry({}), entry({ status: 'TR' }), entry({ status: 'TF' }), entry({ status: 'TE' })]);
    expect(readStatementPage(given, () => 0)).toEqual({
      count: 7,
      listed: 4,
      entries: [
        { reference, amount: 5000, currency: 'MGA', givenBack: false },
        { reference, amount: 5000, currency: 'MGA', givenBack: true },
      ],
    });
  });

  test.each([
    ['silence', silence],
    ['an error', answer({ status: outer({ success: false }) }, 400)],
    ['no count', page([], { count: undefined })],
    ['no list', page(null)],
    ['an entry without an amount', page([entry({ amount: undefined })])],
    ['a fraction', page([entry({ amount: '10.5' })])],
    ['a status that nobody listed', page([entry({ status: 'TA' })])],
  ])('%s is rejected', (_what, given) => {
    expect(readStatementPage(given, () => 0)).toBeNull();
  });
});

const readers = {
  start: (given: HttpAnswer) => readStart(given, push),
  enquiry: (given: HttpAnswer) => readEnquiry(given, about),
  refund: readRefund,
};

describe.each(Object.entries(readers))('any response to a %s', (_name, read) => {
  test.each<[string, HttpAnswer]>([
    ...unclearAnswers,
    ['a text', answer('SUCCESS')],
    ['an error of the gateway', answer({ error: 'invalid_token' }, 401)],
    ['an outer SUCCESS with nothing in it', answer({ data: null, status: { message: 'SUCCESS' } })],
  ])('%s is unclear', (_what, given) => {
    expect(read(given)).toMatchObject({ kind: 'unclear' });
  });
});

const words = fc.constantFrom(
  'TS',
  'TF',
  'TA',
  'TIP',
  'TE',
  'SUCCESS',
  'DP00800001001',
  'DP00800001008',
  'ESB000041',
  reference,
);
const value = fc.oneof(fc.jsonValue(), words, fc.integer(), fc.constant(undefined));
const enquiryLike = fc.record(
  {
    data: fc.oneof(
      value,
      fc.record(
        {
          transaction: fc.oneof(
            value,
            fc.record(
              {
                id: fc.oneof(fc.constant(reference), value),
                airtel_money_id: value,
                status: fc.oneof(words, value),
                amount: value,
                currency: value,
              },
              { requiredKeys: [] },
            ),
          ),
        },
        { requiredKeys: [] },
      ),
    ),
    status: fc.oneof(
      value,
      fc.record({ success: value, result_code: value, response_code: value }, { requiredKeys: [] }),
    ),
  },
  { requiredKeys: [] },
);
const httpStatus = fc.constantFrom(200, 201, 400, 401, 404, 429, 500, 503);

test('500 generated bodies never crash a reader and are paid only with TS, ids, amount and currency', () => {
  fc.assert(
    fc.property(fc.oneof(enquiryLike, fc.jsonValue()), httpStatus, (json, status) => {
      for (const read of Object.values(readers)) expect(read(answer(json, status))).toHaveProperty('kind');
      const outcome = readEnquiry(answer(json, status), about);
      if (outcome.kind !== 'paid') return;
      const sent = (json as { data: { transaction: Record<string, unknown> } }).data.transaction;
      expect(sent).toMatchObject({ status: 'TS', id: reference });
      expect(typeof sent.airtel_money_id).toBe('string');
      expect(outcome.amount).toBe(Number(sent.amount));
      expect(outcome.currency).toBe(sent.currency);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 500 },
  );
});
