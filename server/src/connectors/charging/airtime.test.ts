import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PhoneClient } from '../../../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../../../sandbox/src/sandbox.ts';
import { newPaymentId } from '../../payments/core/payment-id.ts';
import { HttpClient } from '../http-client.ts';
import type { Charge, PaymentGateway, Started } from '../ports.ts';
import { airtimeGateway } from './airtime.ts';
import { chargingSystem } from './index.ts';

let http: HttpClient;
beforeAll(() => {
  http = new HttpClient();
});
afterAll(() => http.close());

const charge = (payerMsisdn: Charge['payerMsisdn'] = '0390000020', amount = 4_000): Charge => ({
  reference: newPaymentId(),
  shortReference: 'short',
  amount,
  currency: 'MGA',
  payerMsisdn,
  email: null,
  language: 'en-GB',
  returnUrl: 'https://portal.example/payment/status',
});
const started = (sent: Charge): Started => ({ ...sent, providerReference: null });

/** Almost valid responses find more faults than random ones. */
const mostly = <T>(right: T, other: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant<unknown>(right) }, { weight: 1, arbitrary: other });

describe('against the emulated charging system', () => {
  let sandbox: Sandbox;
  let phone: PhoneClient;
  let airtime: PaymentGateway;

  beforeAll(async () => {
    sandbox = await startSandbox();
    phone = new PhoneClient(sandbox.http);
    airtime = gatewayOf(sandbox);
  });
  afterAll(() => sandbox.stop());
  beforeEach(() => phone.post('/reset'));

  const gatewayOf = (at: Sandbox) =>
    airtimeGateway('airtime', http, { url: `${at.http}/charging`, key: 'sandbox-charging-key', digits: 0 });
  const books = async ({ reference }: Charge) => (await phone.books()).airtime[reference];
  const balanceApi = '/charging/tmf-api/prepayBalanceManagement/v4';
  async function reserveOnly({ reference, payerMsisdn, amount, currency }: Charge, at = sandbox) {
    const response = await fetch(`${at.http}${balanceApi}/reserveBalance`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-charging-key', 'content-type': 'application/json' },
      body: JSON.stringify({
        amount: { amount, units: currency },
        usageType: 'monetary',
        bucket: { id: payerMsisdn },
        partyAccount: { id: payerMsisdn },
        payment: { id: reference },
      }),
    });
    expect(await response.json()).toMatchObject({ status: 'completed' });
  }

  test('a payment is reserved and committed, and the enquiry proves it', async () => {
    const sent = charge();
    expect(await airtime.enquire(started(sent))).toEqual({ kind: 'notFound' });
    expect(await airtime.start(sent)).toMatchObject({ kind: 'await', isDecided: true });
    expect(await airtime.enquire(started(sent))).toMatchObject({ kind: 'paid', amount: 4_000, currency: 'MGA' });
    expect(await phone.line('390000020')).toMatchObject({ airtime: 6_000, reserved: 0 });
    expect(await books(sent)).toMatchObject({ taken: 4_000, givenBack: 0 });
  });

  test('PAY-5 in a currency with cents major units are sent, and the portal keeps counting cents', async () => {
    const dollars = await startSandbox({ currency: 'USD', currencyDigits: 2 });
    const there = new PhoneClient(dollars.http);
    const settings = { url: `${dollars.http}/charging`, key: 'sandbox-charging-key', digits: 2 };
    const gateway = airtimeGateway('airtime', http, settings);
    const sent = { ...charge('0390000020', 250), currency: 'USD' };
    expect(await gateway.start(sent)).toMatchObject({ kind: 'await', isDecided: true });
    expect(await gateway.enquire(started(sent))).toMatchObject({ kind: 'paid', amount: 250, currency: 'USD' });
    const headers = { authorization: 'Bearer sandbox-charging-key' };
    const history = await fetch(`${dollars.http}${balanceApi}/balanceActionHistory?payment.id=${sent.reference}`, {
      headers,
    });
    expect(await history.json()).toMatchObject([
      { amount: { amount: -2.5, units: 'USD' } },
      { amount: { amount: 2.5, units: 'USD' } },
    ]);
    const { entries } = (await chargingSystem(http, settings).balances('0390000020')) as { entries: unknown[] };
    expect(entries).toMatchObject([{ service: 'AIRTIME', amount: 9_750, units: 'USD' }]);
    expect(await gateway.refund(started(sent))).toEqual({ kind: 'refunded' });
    expect((await there.line('390000020')).airtime).toBe(10_000);
    await dollars.stop();
  });

  test('too little airtime is a refusal, also in the enquiry', async () => {
    const sent = charge('0390000004');
    expect(await airtime.start(sent)).toEqual({ kind: 'refused', reason: 'insufficientFunds' });
    expect(await airtime.enquire(started(sent))).toEqual({ kind: 'refused', reason: 'insufficientFunds' });
    expect(await airtime.start(charge('0390000002'))).toMatchObject({ kind: 'refused' });
    expect(await airtime.start(charge('0390000009'))).toMatchObject({ kind: 'refused' });
  });

  test('ten concurrent payments never spend more airtime than there is', async () => {
    const sent = Array.from({ length: 10 }, () => charge('0390000020', 3_000));
    const outcomes = await Promise.all(sent.map((one) => airtime.start(one)));
    expect(outcomes.filter(({ kind }) => kind === 'await')).toHaveLength(3);
    expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(7);
    expect(await phone.line('390000020')).toMatchObject({ airtime: 1_000, reserved: 0 });
    const enquiries = await Promise.all(sent.map((one) => airtime.enquire(started(one))));
    expect(enquiries.map(({ kind }) => kind === 'paid')).toEqual(outcomes.map(({ kind }) => kind === 'await'));
  });

  test('a reservation that was never committed is committed once by concurrent enquiries', async () => {
    const sent = charge();
    await reserveOnly(sent);
    expect(await phone.line('390000020')).toMatchObject({ airtime: 6_000, reserved: 4_000 });
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => airtime.enquire(started(sent))));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'paid', amount: 4_000 });
    expect(await books(sent)).toMatchObject({ taken: 4_000 });
    expect(await phone.line('390000020')).toMatchObject({ airtime: 6_000, reserved: 0 });
  });

  test('a reservation whose response was lost is found and committed', async () => {
    await phone.fault({ provider: 'charging', fault: 'loseAnswer', operation: 'reserve', times: 1 });
    const sent = charge();
    expect(await airtime.start(sent)).toMatchObject({ kind: 'unclear' });
    expect(await airtime.enquire(started(sent))).toMatchObject({ kind: 'paid', amount: 4_000 });
    expect(await books(sent)).toMatchObject({ taken: 4_000 });
  });

  test('a commit whose response was lost is found, and not sent again', async () => {
    await phone.fault({ provider: 'charging', fault: 'loseAnswer', operation: 'adjust', times: 1 });
    const sent = charge();
    expect(await airtime.start(sent)).toMatchObject({ kind: 'await', isDecided: true });
    expect(await airtime.enquire(started(sent))).toMatchObject({ kind: 'paid' });
    expect(await books(sent)).toMatchObject({ taken: 4_000 });
  });

  test('a refused commit ends in a refusal only after the reservation was released', async () => {
    await phone.fault({ provider: 'charging', fault: 'refuse', operation: 'adjust', times: 1 });
    const sent = charge();
    expect(await airtime.start(sent)).toMatchObject({ kind: 'await' });
    expect(await phone.line('390000020')).toMatchObject({ reserved: 4_000 });
    expect(await airtime.enquire(started(sent))).toEqual({ kind: 'refused', reason: 'refusedByProvider' });
    expect(await phone.line('390000020')).toMatchObject({ airtime: 10_000, reserved: 0 });
    expect(await books(sent)).toBeUndefined();
  });

  test('while the airtime is still reserved, a refused commit and a refused release prove nothing', async () => {
    await phone.fault({ provider: 'charging', fault: 'refuse', operation: 'adjust' });
    const sent = charge();
    await airtime.start(sent);
    expect(await airtime.enquire(started(sent))).toMatchObject({ kind: 'unclear' });
  });

  test('an expired reservation is released by itself, and nothing can be taken from it any more', async () => {
    const hasty = await startSandbox({ reservationLifeMs: 50 });
    try {
      const itsPhone = new PhoneClient(hasty.http);
      const sent = charge();
      await reserveOnly(sent, hasty);
      await expect.poll(() => itsPhone.line('390000020')).toMatchObject({ airtime: 10_000, reserved: 0 });
      expect(await gatewayOf(hasty).enquire(started(sent))).toEqual({ kind: 'refused', reason: 'expired' });
      expect((await itsPhone.books()).airtime).toEqual({});
    } finally {
      await hasty.stop();
    }
  });

  test('the money is refunded once, also if the first response was lost', async () => {
    const sent = charge('0390000012');
    await airtime.start(sent);
    expect(await books(sent)).toMatchObject({ taken: 4_000 });
    await phone.fault({ provider: 'charging', fault: 'loseAnswer', operation: 'adjust', times: 1 });
    expect(await airtime.refund(started(sent))).toMatchObject({ kind: 'unclear' });
    expect(await airtime.refund(started(sent))).toEqual({ kind: 'refunded' });
    expect(await airtime.refund(started(sent))).toEqual({ kind: 'refunded' });
    expect(await books(sent)).toMatchObject({ taken: 4_000, givenBack: 4_000 });
    expect((await phone.line('390000012')).airtime).toBe(10_000);
  });

  test('a payment that was never taken is not refunded', async () => {
    const sent = charge();
    expect(await airtime.refund(started(sent))).toMatchObject({ kind: 'unclear' });
    expect((await phone.line('390000020')).airtime).toBe(10_000);
  });

  test.each([
    ['timeout', { delayMs: 20 }],
    ['error500', {}],
  ])('an outage (%s) proves nothing', async (fault, more) => {
    await phone.fault({ provider: 'charging', fault, ...more });
    const sent = charge();
    expect(await airtime.start(sent)).toMatchObject({ kind: 'unclear' });
    expect(await airtime.enquire(started(sent))).toMatchObject({ kind: 'unclear' });
    expect(await airtime.refund(started(sent))).toMatchObject({ kind: 'unclear' });
  });

  test('there are no callbacks', () => {
    expect(airtime.parseCallback(Buffer.from('{"id":"x"}'), {}, '')).toEqual({ reference: null, signed: false });
  });
});

describe('against undocumented responses', () => {
  let server: Server;
  let airtime: PaymentGateway;
  let history: { status: number; body: string };
  let action: { status: number; body: string };
  let posted: Record<string, unknown>[] = [];

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      if (request.method === 'POST') posted.push(JSON.parse(Buffer.concat(chunks).toString()));
      const answer = request.method === 'POST' ? action : history;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    airtime = airtimeGateway('airtime', http, { url, key: 'any', digits: 0 });
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const sent = charge();
  const entry = (type: string, more: object) => ({
    id: 'a1',
    '@type': type,
    status: 'completed',
    amount: { amount: -4_000, units: 'MGA' },
    partyAccount: { id: sent.payerMsisdn },
    payment: { id: sent.reference },
    ...more,
  });
  const commit = (more = {}) => entry('AdjustBalance', { adjustType: 'commit', reserveBalance: { id: 'r1' }, ...more });
  const reservation = (more = {}) => entry('ReserveBalance', { id: 'r1', ...more });
  const release = (more = {}) =>
    entry('AdjustBalance', { adjustType: 'release', reserveBalance: { id: 'r1' }, ...more });

  const enquire = (entries: unknown, status = 200) => {
    history = { status, body: typeof entries === 'string' ? entries : JSON.stringify(entries) };
    action = { status: 500, body: '' };
    posted = [];
    return airtime.enquire(started(sent));
  };

  test.each([
    ['a reservation and its commit', [commit(), reservation()], 'paid'],
    ['a commit in positive figures', [commit({ amount: { amount: 4_000, units: 'MGA' } })], 'paid'],
    ['a plain debit', [commit({ adjustType: 'debit', reserveBalance: undefined })], 'paid'],
    ['a commit that was tried twice', [commit({ status: 'failed' }), commit(), reservation()], 'paid'],
    ['too little', [reservation({ status: 'failed', reason: 'insufficient balance' })], 'refused'],
    ['a barred line', [reservation({ status: 'failed', reason: 'barred' })], 'refused'],
    ['a reservation let go', [reservation({ status: 'cancelled' })], 'refused'],
    [
      'a refused commit, then let go',
      [release(), commit({ status: 'failed' }), reservation({ status: 'cancelled' })],
      'refused',
    ],
    ['nothing', [], 'notFound'],
    ['the entries of another payment', [commit({ payment: { id: 'another' } })], 'notFound'],
    ['only what was delivered for it', [entry('TopupBalance', {})], 'notFound'],
    ['a commit that is not done yet', [commit({ status: 'created' }), reservation()], 'unclear'],
    ['a status nobody listed', [commit({ status: 'Completed' })], 'unclear'],
    ['a commit of no amount', [commit({ amount: { amount: 0, units: 'MGA' } })], 'unclear'],
    ['a commit of half an ariary', [commit({ amount: { amount: -4_000.5, units: 'MGA' } })], 'unclear'],
    ['commits in two currencies', [commit(), commit({ amount: { amount: -1, units: 'USD' } })], 'unclear'],
    ['a commit on another line', [commit({ partyAccount: { id: '0390000099' } })], 'unclear'],
    ['a commit of nobody', [commit({ payment: undefined })], 'unclear'],
    ['an adjustment of no type', [commit({ adjustType: undefined }), reservation()], 'unclear'],
    ['a refused commit of no reservation', [commit({ status: 'failed' })], 'unclear'],
    ['two reservations', [reservation(), reservation({ id: 'r2' })], 'unclear'],
    ['an open reservation that cannot be committed', [reservation()], 'unclear'],
    ['an object', {}, 'unclear'],
    ['a page', '<html>', 'unclear'],
    ['half an answer', '[{"id":"a1"', 'unclear'],
  ])('a history of %s', async (_what, entries, kind) => {
    expect(await enquire(entries)).toMatchObject({ kind });
    expect(posted.filter(({ adjustType }) => adjustType === 'credit')).toEqual([]);
  });

  test('two debits are reported as their sum, so that the difference is noticed', async () => {
    expect(await enquire([commit(), commit({ id: 'a2' })])).toMatchObject({ kind: 'paid', amount: 8_000 });
  });

  test('any other HTTP status proves nothing', async () => {
    for (const status of [201, 206, 302, 400, 401, 404, 409, 500, 503])
      expect(await enquire([commit()], status), String(status)).toMatchObject({ kind: 'unclear' });
  });

  test.each([
    ['a word nobody listed', 201, { id: 'r1', status: 'accepted' }, 'unclear'],
    ['no id', 201, { status: 'completed' }, 'unclear'],
    ['our key refused', 401, { code: '1' }, 'unclear'],
    ['a conflict', 409, { code: '1' }, 'unclear'],
    ['an error', 500, { id: 'r1', status: 'completed' }, 'unclear'],
    ['no such line', 404, { code: '60' }, 'refused'],
    ['a refusal', 201, { id: 'r1', status: 'failed', reason: 'barred' }, 'refused'],
    ['done', 201, { id: 'r1', status: 'completed' }, 'await'],
  ])('a reservation answered with %s', async (_what, status, body, kind) => {
    action = { status, body: JSON.stringify(body) };
    expect(await airtime.start(sent)).toMatchObject({ kind });
  });

  test('500 generated histories are paid only by a completed debit of this payment and line', async () => {
    const like = fc.record(
      {
        id: mostly('a1', fc.jsonValue()),
        '@type': mostly('AdjustBalance', fc.constantFrom('TopupBalance', 'ReserveBalance', 'Other')),
        adjustType: mostly('commit', fc.constantFrom('debit', 'credit', 'release', 'other')),
        status: mostly('completed', fc.oneof(fc.constantFrom('failed', 'cancelled', 'created'), fc.jsonValue())),
        amount: mostly(
          { amount: -4_000, units: 'MGA' },
          fc.record({ amount: fc.oneof(fc.integer(), fc.double(), fc.string()), units: fc.constantFrom('MGA', '') }),
        ),
        partyAccount: mostly({ id: sent.payerMsisdn }, fc.constant({ id: '0390000002' })),
        payment: mostly({ id: sent.reference }, fc.oneof(fc.constant({ id: 'another' }), fc.jsonValue())),
      },
      { requiredKeys: ['id', '@type', 'status', 'amount', 'partyAccount', 'payment'] },
    );
    const bodies = fc.oneof(
      { weight: 4, arbitrary: fc.array(like, { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.jsonValue() },
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const outcome = await enquire(body);
        expect(posted.filter(({ adjustType }) => adjustType === 'credit')).toEqual([]);
        if (outcome.kind !== 'paid') return;
        expect(Number.isSafeInteger(outcome.amount)).toBe(true);
        expect(body).toContainEqual(
          expect.objectContaining({
            '@type': 'AdjustBalance',
            adjustType: expect.stringMatching(/^(commit|debit)$/),
            status: 'completed',
            partyAccount: { id: sent.payerMsisdn },
            payment: { id: sent.reference },
          }),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('500 generated responses are a refund only by a completed credit', async () => {
    history = { status: 200, body: JSON.stringify([commit(), reservation()]) };
    const like = fc.record(
      {
        id: fc.oneof(fc.string(), fc.integer(), fc.jsonValue()),
        status: fc.oneof(fc.constantFrom('completed', 'failed'), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(like, fc.jsonValue()), fc.constantFrom(200, 201, 400, 500), async (body, status) => {
        action = { status, body: JSON.stringify(body) };
        const outcome = await airtime.refund(started(sent));
        if (outcome.kind !== 'refunded') return;
        expect(status).toBeLessThan(300);
        expect(body).toMatchObject({ status: 'completed' });
      }),
      { numRuns: 500 },
    );
  });

  test('a refund of another amount than the payment is left to a person', async () => {
    const credit = (amount: number) =>
      entry('AdjustBalance', { adjustType: 'credit', amount: { amount, units: 'MGA' } });
    const refund = (entries: object[]) => {
      history = { status: 200, body: JSON.stringify(entries) };
      posted = [];
      return airtime.refund(started(sent));
    };
    expect(await refund([credit(4_000), commit()])).toEqual({ kind: 'refunded' });
    expect(await refund([credit(3_000), commit()])).toMatchObject({ kind: 'unclear', isLasting: true });
    expect(await refund([credit(4_000.5), commit()])).toMatchObject({ kind: 'unclear' });
    expect(await refund([commit({ amount: { amount: -3_999, units: 'MGA' } })])).toMatchObject({ kind: 'unclear' });
    expect(posted).toEqual([]);
  });
});
