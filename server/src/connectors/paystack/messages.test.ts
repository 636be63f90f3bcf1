import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HttpAnswer } from '../http-client.ts';
import { unclearAnswers } from '../unclear-answers.fixture.ts';
import { readEnquiry, readRefund, readRefunds, readStart } from './messages.ts';

const reference = 'k7p2m4x9c1v8b3n6q5w0z7d2f1';
const now = Date.parse('2026-03-02T12:00:00.000Z');
const answer = (json: unknown, status = 200): HttpAnswer => ({ kind: 'answer', status, json });
const problem = (code: string, status = 400) =>
  answer({ status: false, message: 'refused', type: 'validation_error', code }, status);

const registered = (more: object = {}) => ({
  status: true,
  message: 'Authorization URL created',
  data: { authorization_url: 'https://checkout.example/0peioxfhpn', access_code: '0peioxfhpn', reference, ...more },
});
const verified = (more: object = {}) => ({
  status: true,
  message: 'Verification successful',
  data: {
    id: 4099260516,
    domain: 'test',
    status: 'success',
    reference,
    amount: 40333,
    requested_amount: 30050,
    currency: 'NGN',
    channel: 'card',
    gateway_response: 'Successful',
    paid_at: '2026-03-02T09:15:02.000Z',
    created_at: '2026-03-02T09:14:24.000Z',
    fees: 10283,
    ...more,
  },
});
const refund = (more: object = {}) => ({ id: 1, transaction: 4099260516, amount: 30050, status: 'processed', ...more });

const start = (given: HttpAnswer) => readStart(given, { reference });
const enquire = (given: HttpAnswer, digits = 2) => {
  const factor = 10 ** (2 - digits);
  const fromHundredths = (amount: number) => (amount % factor === 0 ? amount / factor : null);
  return readEnquiry(given, { reference, mode: 'test', fromHundredths, now });
};
const asked = { transaction: '4099260516', hundredths: 30050 };
const refunds = (given: HttpAnswer) => readRefunds(given, asked);
const refunded = (given: HttpAnswer) => readRefund(given, asked);

describe('the response to a start', () => {
  test('gives the access code of a payment that was registered', () => {
    expect(start(answer(registered()))).toEqual({ kind: 'registered', accessCode: '0peioxfhpn' });
  });

  test('a reference used before means: enquire', () => {
    expect(start(problem('duplicate_reference'))).toEqual({
      kind: 'unclear',
      detail: 'duplicate_reference',
      isRepeated: true,
    });
  });

  test.each(['unsupported_currency', 'invalid_amount', 'invalid_email_address'])('%s is a refusal', (code) => {
    expect(start(problem(code))).toEqual({ kind: 'refused', reason: 'refusedByProvider' });
    expect(start(problem(code, 500))).toMatchObject({ kind: 'unclear' });
  });

  test.each(['invalid_Key', 'new_code', 'constructor', 'toString', ''])('the code %j proves nothing', (code) => {
    expect(start(problem(code))).toMatchObject({ kind: 'unclear' });
  });

  test.each([
    ["another payment's reference", registered({ reference: 'another' })],
    ['no access code', registered({ access_code: undefined })],
    ['an access code that is markup', registered({ access_code: '<script>' })],
    ['a status of false', { ...registered(), status: false }],
  ])('%s is unclear', (_what, json) => {
    expect(start(answer(json))).toMatchObject({ kind: 'unclear' });
  });
});

describe('the response to an enquiry', () => {
  test('success is paid with what was asked for, without the fees on top', () => {
    const paid = { kind: 'paid', providerReference: '4099260516', amount: 30050, currency: 'NGN' };
    expect(enquire(answer(verified()))).toEqual(paid);
    expect(enquire(answer(verified({ requested_amount: null, amount: 30050 })))).toEqual(paid);
  });

  test('SEC-28 the fingerprint of the card is included if the gateway gives one', () => {
    const signed = (authorization: unknown) => enquire(answer(verified({ authorization })));
    expect(signed({ signature: 'SIG_a1', last4: '1111' })).toMatchObject({ kind: 'paid', card: 'SIG_a1' });
    for (const authorization of [null, {}, { signature: null }, { signature: '' }, { signature: 7 }, 'SIG_a1']) {
      expect(signed(authorization)).toMatchObject({ kind: 'paid' });
      expect(signed(authorization)).not.toHaveProperty('card');
    }
  });

  test('less than what was asked for is reported as less', () => {
    expect(enquire(answer(verified({ amount: 20000 })))).toMatchObject({ kind: 'paid', amount: 20000 });
  });

  test('hundredths become major units if the currency has no minor ones, and never by rounding', () => {
    expect(enquire(answer(verified({ requested_amount: 30000 })), 0)).toMatchObject({ kind: 'paid', amount: 300 });
    expect(enquire(answer(verified()), 0)).toMatchObject({ kind: 'unclear' });
  });

  test.each([
    ['Declined', 'declined'],
    ['Insufficient Funds', 'insufficientFunds'],
    ['Something new', 'refusedByProvider'],
    [null, 'refusedByProvider'],
  ])('failed with %j is refused: %s', (gateway_response, reason) => {
    expect(enquire(answer(verified({ status: 'failed', gateway_response })))).toEqual({ kind: 'refused', reason });
  });

  test.each(['abandoned', 'ongoing', 'pending', 'processing', 'queued'])('%s can still be paid', (status) => {
    expect(enquire(answer(verified({ status })))).toEqual({ kind: 'pending' });
  });

  test('a payment left unfinished for a day has expired; without a date it has not', () => {
    const old = { status: 'abandoned', created_at: '2026-03-01T11:00:00.000Z' };
    expect(enquire(answer(verified(old)))).toEqual({ kind: 'refused', reason: 'expired' });
    for (const created_at of [null, 'yesterday'])
      expect(enquire(answer(verified({ ...old, created_at })))).toEqual({ kind: 'pending' });
  });

  test.each(['reversed', 'Success', 'successful', '', 'new'])('the status %j proves nothing', (status) => {
    expect(enquire(answer(verified({ status })))).toMatchObject({ kind: 'unclear' });
  });

  test.each([
    ['the other mode', { domain: 'live' }],
    ["another payment's reference", { reference: 'another' }],
    ['no number', { id: undefined }],
    ['no amount', { amount: undefined }],
    ['an amount as text', { amount: '30050' }],
    ['a fraction', { amount: 30050.5 }],
    ['nothing taken', { amount: 0 }],
    ['less than nothing', { requested_amount: -30050 }],
    ['no currency', { currency: undefined }],
    ['no currency code', { currency: 'naira' }],
  ])('success with %s is not paid', (_what, more) => {
    expect(enquire(answer(verified(more)))).toMatchObject({ kind: 'unclear' });
  });

  test('only the code of "not found" means not found', () => {
    expect(enquire(problem('transaction_not_found'))).toEqual({ kind: 'notFound' });
    expect(enquire(problem('transaction_not_found', 404))).toEqual({ kind: 'notFound' });
    expect(enquire(problem('transaction_not_found', 503))).toMatchObject({ kind: 'unclear' });
    expect(enquire(answer({ status: false, message: 'Transaction reference not found.' }, 404))).toMatchObject({
      kind: 'unclear',
    });
  });
});

describe('refunds', () => {
  const list = (...data: object[]) => answer({ status: true, message: 'Refunds retrieved', data });

  test('none, or only failed ones, allow a request', () => {
    expect(refunds(list())).toEqual({ kind: 'notFound' });
    expect(refunds(list(refund({ status: 'failed' })))).toEqual({ kind: 'notFound' });
    expect(refunds(list(refund({ transaction: 77 })))).toEqual({ kind: 'notFound' });
  });

  test('a processed one means refunded', () => {
    expect(refunds(list(refund()))).toEqual({ kind: 'refunded' });
    expect(refunds(list(refund({ status: 'failed' }), refund({ transaction: { id: 4099260516 } })))).toEqual({
      kind: 'refunded',
    });
  });

  test.each([{ status: 'pending' }, { status: 'processing' }, { status: 'needs-attention' }, { amount: 30049 }])(
    '%j is waited for, and nothing is asked again',
    (more) => {
      expect(refunds(list(refund(more)))).toMatchObject({ kind: 'unclear' });
    },
  );

  test('a request for one succeeds only if it is processed, in full, for this payment', () => {
    const made = (more: object) => answer({ status: true, data: refund({ transaction: { id: 4099260516 }, ...more }) });
    expect(refunded(made({}))).toEqual({ kind: 'refunded' });
    for (const more of [{ status: 'pending' }, { amount: 1 }, { transaction: { id: 5 } }])
      expect(refunded(made(more))).toMatchObject({ kind: 'unclear' });
    expect(refunded(problem('transaction_reversed'))).toEqual({ kind: 'unclear', detail: 'transaction_reversed' });
  });
});

const readers = { start, enquiry: enquire, refund: refunded, 'look at refunds': refunds };

describe.each(Object.entries(readers))('any response to a %s', (_name, read) => {
  test.each<[string, HttpAnswer]>([
    ...unclearAnswers,
    ['a text', answer('success')],
    ['a refused key', answer({ status: false, message: 'Invalid key' }, 401)],
    ['a good body with a server error', answer(verified(), 500)],
    ['a good body with a redirect', answer(registered(), 302)],
    ['a status of true with nothing in it', answer({ status: true, data: null })],
  ])('%s is unclear', (_what, given) => {
    expect(read(given)).toMatchObject({ kind: 'unclear' });
  });
});

const words = fc.constantFrom('success', 'failed', 'abandoned', 'reversed', 'test', 'live', 'NGN', reference, 30050);
const value = fc.oneof(fc.jsonValue(), words, fc.integer());
const right = <T>(given: T) => fc.oneof({ weight: 4, arbitrary: fc.constant(given) }, { weight: 1, arbitrary: value });
const verificationLike = fc.record(
  {
    status: right(true),
    code: value,
    data: fc.record(
      {
        id: right(4099260516),
        domain: right('test'),
        status: right('success'),
        reference: right(reference),
        amount: right(30050),
        requested_amount: value,
        currency: right('NGN'),
        access_code: value,
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

test('500 generated bodies never crash a reader and are paid only with the exact proof', () => {
  fc.assert(
    fc.property(
      fc.oneof(verificationLike, fc.jsonValue()),
      fc.constantFrom(200, 200, 200, 201, 302, 400, 404, 429, 500, 503),
      (json, status) => {
        for (const read of Object.values(readers)) expect(read(answer(json, status))).toHaveProperty('kind');
        const outcome = enquire(answer(json, status));
        if (outcome.kind !== 'paid') return;
        const { data } = json as { data: Record<string, unknown> };
        expect(json).toMatchObject({ status: true });
        expect(data).toMatchObject({ status: 'success', domain: 'test', reference });
        expect(outcome.amount).toBeLessThanOrEqual(Number(data.amount));
        expect(outcome.amount).toBeGreaterThan(0);
        expect(outcome.currency).toBe(data.currency);
        expect(status).toBeLessThan(300);
      },
    ),
    { numRuns: 500 },
  );
});
