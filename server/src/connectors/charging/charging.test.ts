import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PhoneClient } from '../../../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../../../sandbox/src/sandbox.ts';
import { newPaymentId } from '../../payments/core/payment-id.ts';
import { HttpClient } from '../http-client.ts';
import type { Charging, DeliveredItem, Delivery } from '../ports.ts';
import { chargingSystem } from './index.ts';
import { readLine } from './messages.ts';

let http: HttpClient;
beforeAll(() => {
  http = new HttpClient();
});
afterAll(() => http.close());

const airtime: DeliveredItem = { kind: 'airtime' };
const week: DeliveredItem = {
  kind: 'bundle',
  productCode: 'DATA-WEEK-2GB',
  description: 'Week 2 GB',
  usageType: 'data',
  content: { amount: 2, units: 'GB' },
  isUnlimited: false,
  validityDays: 7,
};
const delivery = (msisdn: Delivery['msisdn'] = '0390000001', item: DeliveredItem = airtime): Delivery => ({
  reference: newPaymentId(),
  msisdn,
  amount: 5_000,
  currency: 'MGA',
  item,
});

/** Almost valid responses find more faults than random ones. */
const mostly = <T>(right: T, other: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant<unknown>(right) }, { weight: 1, arbitrary: other });

describe('against the emulated charging system', () => {
  let sandbox: Sandbox;
  let phone: PhoneClient;
  let charging: Charging;

  beforeAll(async () => {
    sandbox = await startSandbox();
    phone = new PhoneClient(sandbox.http);
    charging = chargingSystem(http, { url: `${sandbox.http}/charging`, key: 'sandbox-charging-key', digits: 0 });
  });
  afterAll(() => sandbox.stop());
  beforeEach(() => phone.post('/reset'));

  test('a top-up arrives, and is found by our reference', async () => {
    const sent = delivery();
    expect(await charging.findDelivery(sent)).toEqual({ kind: 'notFound' });
    const done = await charging.deliver(sent);
    expect(done.kind).toBe('delivered');
    expect((await phone.line('390000001')).airtime).toBe(55_000);
    expect(await charging.findDelivery(sent)).toEqual(done);
    expect(await charging.findDelivery(delivery())).toEqual({ kind: 'notFound' });
  });

  test('a refused top-up is reported as refused, and a lookup finds nothing delivered', async () => {
    const sent = delivery('0390000012');
    expect(await charging.deliver(sent)).toMatchObject({ kind: 'refused' });
    expect(await charging.findDelivery(sent)).toEqual({ kind: 'notFound' });
  });

  test('a top-up whose response is lost is unclear, and found by a lookup', async () => {
    await phone.fault({ provider: 'charging', fault: 'loseAnswer', times: 1 });
    const sent = delivery();
    expect(await charging.deliver(sent)).toMatchObject({ kind: 'unclear' });
    expect(await charging.findDelivery(sent)).toMatchObject({ kind: 'delivered' });
    expect((await phone.books()).charging[sent.reference]).toMatchObject({ count: 1 });
  });

  test('a bundle arrives with its content and expiry, and is found like airtime', async () => {
    const sent = delivery('0390000020', week);
    expect(await charging.findDelivery(sent)).toEqual({ kind: 'notFound' });
    const done = await charging.deliver(sent);
    expect(done.kind).toBe('delivered');
    expect(await charging.findDelivery(sent)).toEqual(done);
    const { airtime, bundles } = await phone.line('390000020');
    expect(airtime).toBe(10_000);
    expect(bundles).toMatchObject([{ description: 'Week 2 GB', category: 'DATA', amount: 2, unit: 'GB' }]);
    const days = (Date.parse(bundles[0]?.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
    expect((await phone.books()).charging[sent.reference]).toMatchObject({ delivered: 5_000, count: 1 });
  });

  test('an unlimited bundle that never expires is reported so', async () => {
    const nights = { ...week, description: 'Nights', content: null, isUnlimited: true, validityDays: null };
    expect(await charging.deliver(delivery('0390000020', nights))).toMatchObject({ kind: 'delivered' });
    const found = await charging.balances('0390000020');
    expect(found).toMatchObject({
      entries: [
        { service: 'AIRTIME', amount: 10_000, units: 'MGA' },
        { service: 'DATA', description: 'Nights', isUnlimited: true, amount: 0, expiresAt: null },
      ],
    });
  });

  test('a bundle for the line that refuses every delivery is refused; a bill is not accepted by this system', async () => {
    expect(await charging.deliver(delivery('0390000012', week))).toMatchObject({ kind: 'refused' });
    const bill: DeliveredItem = { kind: 'bill', accountNo: '1000000002', billNo: null };
    expect(await charging.deliver(delivery('0390000002', bill))).toMatchObject({ kind: 'refused' });
    expect((await phone.books()).charging).toEqual({});
  });

  test('BRB-3 the balances of the home router: airtime apart, data left, unlimited, and expiries', async () => {
    const found = await charging.balances('0390000005');
    if (found.kind !== 'balances') throw new Error(found.detail);
    expect(found.entries).toMatchObject([
      { service: 'AIRTIME', amount: 1_500, units: 'MGA', isUnlimited: false, expiresAt: null },
      { service: 'DATA', description: 'Home data', amount: 3.2, units: 'GB', isUnlimited: false },
      { service: 'DATA', description: 'Unlimited nights', isUnlimited: true },
    ]);
    expect(found.entries[1]?.expiresAt?.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
  });

  test('a line without a prepaid balance has no airtime entry, which differs from a balance of zero', async () => {
    expect(await charging.balances('0390000002')).toEqual({ kind: 'balances', entries: [] });
    expect(await charging.balances('0390000004')).toMatchObject({ entries: [{ service: 'AIRTIME', amount: 0 }] });
    expect(await charging.balances('0390000009')).toMatchObject({ kind: 'unclear' });
  });

  test.each([
    ['timeout', { delayMs: 20 }],
    ['error500', {}],
  ])('an outage (%s) proves nothing about a top-up or a line', async (fault, more) => {
    await phone.fault({ provider: 'charging', fault, ...more });
    expect(await charging.deliver(delivery())).toMatchObject({ kind: 'unclear' });
    expect(await charging.findDelivery(delivery())).toMatchObject({ kind: 'unclear' });
    expect(await charging.findLine('0390000001')).toMatchObject({ kind: 'unclear' });
    expect(await charging.balances('0390000001')).toMatchObject({ kind: 'unclear' });
  });

  const longAgo = new Date('2015-01-01T00:00:00Z');
  test.each([
    ['0390000001', { kind: 'line', lineType: 'PREPAID', broadband: false, codeRecipient: null, since: longAgo }],
    ['0390000002', { kind: 'line', lineType: 'POSTPAID', broadband: false, codeRecipient: null, since: longAgo }],
    ['0390000003', { kind: 'line', lineType: 'HYBRID', broadband: false, codeRecipient: null, since: longAgo }],
    ['0390000005', { kind: 'line', lineType: 'PREPAID', broadband: true, codeRecipient: '0390000001', since: longAgo }],
    ['0390000009', { kind: 'none' }],
    ['0340000001', { kind: 'none' }],
  ] as const)('the line %s', async (msisdn, expected) => {
    expect(await charging.findLine(msisdn)).toEqual(expected);
  });

  test('SEC-28 a line states since when it is active; an invalid date is unknown', async () => {
    const read = (startOperatingDate: unknown) =>
      readLine(
        {
          kind: 'answer',
          status: 200,
          json: [
            {
              value: '0390000001',
              startOperatingDate,
              resourceCharacteristic: [{ name: 'lineType', value: 'PREPAID' }],
            },
          ],
        },
        '0390000001',
      );
    expect(read('2026-03-01T10:00:00+03:00')).toMatchObject({ since: new Date('2026-03-01T07:00:00Z') });
    for (const odd of [undefined, null, '', 'yesterday', 5, {}])
      expect(read(odd)).toMatchObject({ kind: 'line', since: null });
  });

  test('an invalid API key of ours is not a refusal: nothing is delivered and nothing refunded', async () => {
    const stranger = chargingSystem(http, { url: `${sandbox.http}/charging`, key: 'wrong', digits: 0 });
    expect(await stranger.deliver(delivery())).toMatchObject({ kind: 'unclear' });
    expect(await stranger.findLine('0390000001')).toMatchObject({ kind: 'unclear' });
  });
});

describe('against undocumented responses', () => {
  let server: Server;
  let charging: Charging;
  let answer = { status: 200, body: '' };

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    charging = chargingSystem(http, {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      key: 'any',
      digits: 0,
    });
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const topUpGives = (status: number, body: unknown) => {
    answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
    return charging.deliver(delivery());
  };

  test.each([
    ['done', 201, { id: 't1', status: 'completed' }, 'delivered'],
    ['done, with a number for an id', 200, { id: 17, status: 'completed' }, 'delivered'],
    ['failed', 201, { id: 't1', status: 'failed', reason: 'barred' }, 'refused'],
    ['cancelled', 201, { id: 't1', status: 'cancelled' }, 'refused'],
    ['an amount they do not take', 400, { code: '20', reason: 'invalid request' }, 'refused'],
    ['no such line', 404, { code: '60', reason: 'not found' }, 'refused'],
    ['only created', 201, { id: 't1', status: 'created' }, 'unclear'],
    ['a word nobody listed', 201, { id: 't1', status: 'accepted' }, 'unclear'],
    ['done without an id', 201, { status: 'completed' }, 'unclear'],
    ['done, with a server error', 500, { id: 't1', status: 'completed' }, 'unclear'],
    ['a redirect', 302, { id: 't1', status: 'completed' }, 'unclear'],
    ['not allowed', 401, { code: '1' }, 'unclear'],
    ['forbidden', 403, { code: '1' }, 'unclear'],
    ['a conflict, which may mean that it was done before', 409, { code: '1' }, 'unclear'],
    ['too slow', 408, {}, 'unclear'],
    ['too many', 429, {}, 'unclear'],
    ['a page', 200, '<html>Service unavailable</html>', 'unclear'],
    ['a page for a refusal', 400, '<html>Bad request</html>', 'unclear'],
    ['nothing', 200, '', 'unclear'],
    ['half an answer', 201, '{"id":"t1","status":"compl', 'unclear'],
    ['a list', 200, [], 'unclear'],
  ])('a top-up answered with %s', async (_what, status, body, kind) => {
    expect(await topUpGives(status, body)).toMatchObject({ kind });
  });

  test('500 generated bodies are a delivery only with an id and "completed"', async () => {
    const like = fc.record(
      {
        id: fc.oneof(fc.string(), fc.integer(), fc.jsonValue()),
        status: fc.oneof(fc.constantFrom('completed', 'failed', 'created'), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(like, fc.jsonValue()), fc.constantFrom(200, 201, 400, 500), async (body, status) => {
        const outcome = await topUpGives(status, body);
        if (outcome.kind !== 'delivered') return;
        expect(body).toMatchObject({ status: 'completed' });
        expect(status).toBeLessThan(300);
        expect(['string', 'number']).toContain(typeof (body as { id: unknown }).id);
      }),
      { numRuns: 500 },
    );
  });

  test('a lookup that is not understood is not "not found"', async () => {
    for (const body of ['', '{}', 'null', '<html>', '[{"id":"1"}]', '[{']) {
      answer = { status: 200, body };
      expect(await charging.findDelivery(delivery()), body).toMatchObject({ kind: 'unclear' });
    }
    answer = { status: 404, body: '[]' };
    expect(await charging.findDelivery(delivery())).toMatchObject({ kind: 'unclear' });
  });

  test('a lookup accepts only a completed top-up of ours, and reports nothing as missing in doubt', async () => {
    const sent = delivery();
    const entry = (more: object) => ({
      id: 't1',
      '@type': 'TopupBalance',
      status: 'completed',
      amount: { amount: sent.amount, units: sent.currency },
      partyAccount: { id: sent.msisdn },
      payment: { id: sent.reference },
      ...more,
    });
    const look = (...entries: object[]) => {
      answer = { status: 200, body: JSON.stringify(entries) };
      return charging.findDelivery(sent);
    };
    expect(await look(entry({}))).toEqual({ kind: 'delivered', providerReference: 't1' });
    expect(await look(entry({ payment: { id: 'another' } }))).toEqual({ kind: 'notFound' });
    expect(await look(entry({ status: 'failed' }))).toEqual({ kind: 'notFound' });
    expect(await look(entry({ '@type': 'ReserveBalance' }), entry({ '@type': 'AdjustBalance' }))).toEqual({
      kind: 'notFound',
    });
    expect(await look(entry({ status: 'failed' }), entry({ id: 't2' }))).toEqual({
      kind: 'delivered',
      providerReference: 't2',
    });
    for (const doubtful of [
      { payment: undefined },
      { '@type': undefined },
      { '@type': 'TransferBalance' },
      { status: 'created' },
      { status: 'accepted' },
      { amount: { amount: 4_999, units: 'MGA' } },
      { amount: { amount: sent.amount, units: 'USD' } },
      { partyAccount: { id: '0390000099' } },
    ])
      expect(await look(entry(doubtful)), JSON.stringify(doubtful)).toMatchObject({ kind: 'unclear' });
  });

  test('500 generated histories are a delivery only with a completed top-up of this payment, line and price', async () => {
    const sent = delivery();
    const like = fc.record({
      id: mostly('t1', fc.jsonValue()),
      '@type': mostly('TopupBalance', fc.constantFrom('ReserveBalance', 'AdjustBalance', 'Other')),
      status: mostly('completed', fc.oneof(fc.constantFrom('failed', 'created'), fc.jsonValue())),
      amount: mostly(
        { amount: 5_000, units: 'MGA' },
        fc.record({ amount: fc.constantFrom(4_999, '5000'), units: fc.constantFrom('MGA', 'USD') }),
      ),
      partyAccount: mostly({ id: sent.msisdn }, fc.constant({ id: '0390000002' })),
      payment: mostly({ id: sent.reference }, fc.oneof(fc.constant({ id: 'another' }), fc.jsonValue())),
    });
    const bodies = fc.oneof(fc.tuple(like), fc.tuple(like, like), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(bodies, fc.constantFrom(200, 200, 200, 201, 500), async (body, status) => {
        answer = { status, body: JSON.stringify(body) };
        const outcome = await charging.findDelivery(sent);
        if (outcome.kind === 'delivered')
          expect(body).toContainEqual(
            expect.objectContaining({
              '@type': 'TopupBalance',
              status: 'completed',
              amount: { amount: 5_000, units: 'MGA' },
              partyAccount: { id: sent.msisdn },
              payment: { id: sent.reference },
            }),
          );
        if (outcome.kind !== 'unclear') expect(status).toBe(200);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    [
      'a total that is no whole number',
      [{ partyAccount: { id: '0390000001' }, totalBalance: { amount: 1.5, units: 'MGA' } }],
    ],
    ['a total in words', [{ partyAccount: { id: '0390000001' }, totalBalance: { amount: '5000', units: 'MGA' } }]],
    ['no unit', [{ partyAccount: { id: '0390000001' }, totalBalance: { amount: 5_000 } }]],
    [
      'the balance of another line',
      [{ partyAccount: { id: '0390000002' }, totalBalance: { amount: 1, units: 'MGA' } }],
    ],
    ['an object', {}],
    ['nothing', null],
  ])('balances with %s are unclear', async (_what, body) => {
    answer = { status: 200, body: JSON.stringify(body) };
    expect(await charging.balances('0390000001')).toMatchObject({ kind: 'unclear' });
  });

  test('a line of an unknown kind is unclear, rather than not found', async () => {
    answer = {
      status: 200,
      body: JSON.stringify([
        { value: '0390000001', resourceCharacteristic: [{ name: 'lineType', value: 'SATELLITE' }] },
      ]),
    };
    expect(await charging.findLine('0390000001')).toMatchObject({ kind: 'unclear' });
  });
});
