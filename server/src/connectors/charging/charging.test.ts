import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PhoneClient } from '../../../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../../../sandbox/src/sandbox.ts';
import { newPaymentId } from '../../payments/payment-id.ts';
import { HttpClient } from '../http-client.ts';
import type { Charging } from '../ports.ts';
import { chargingSystem } from './index.ts';

let http: HttpClient;
beforeAll(() => {
  http = new HttpClient();
});
afterAll(() => http.close());

const delivery = (msisdn = '0390000001') => ({ reference: newPaymentId(), msisdn, amount: 5_000, currency: 'MGA' });

describe('against the emulated charging system', () => {
  let sandbox: Sandbox;
  let phone: PhoneClient;
  let charging: Charging;

  beforeAll(async () => {
    sandbox = await startSandbox();
    phone = new PhoneClient(sandbox.http);
    charging = chargingSystem(http, { url: `${sandbox.http}/charging`, key: 'sandbox-charging-key' });
  });
  afterAll(() => sandbox.stop());
  beforeEach(() => phone.post('/reset'));

  test('a top-up arrives, and is found by our reference', async () => {
    const sent = delivery();
    expect(await charging.findTopUp(sent)).toEqual({ kind: 'notFound' });
    const done = await charging.topUp(sent);
    expect(done.kind).toBe('delivered');
    expect((await phone.line('390000001')).airtime).toBe(55_000);
    expect(await charging.findTopUp(sent)).toEqual(done);
    expect(await charging.findTopUp(delivery())).toEqual({ kind: 'notFound' });
  });

  test('a top-up that is refused is refused, and a look finds nothing delivered', async () => {
    const sent = delivery('0390000012');
    expect(await charging.topUp(sent)).toMatchObject({ kind: 'refused' });
    expect(await charging.findTopUp(sent)).toEqual({ kind: 'notFound' });
  });

  test('a top-up whose answer is lost is unclear, and found by a look', async () => {
    await phone.fault({ provider: 'charging', fault: 'loseAnswer', times: 1 });
    const sent = delivery();
    expect(await charging.topUp(sent)).toMatchObject({ kind: 'unclear' });
    expect(await charging.findTopUp(sent)).toMatchObject({ kind: 'delivered' });
    expect((await phone.books()).charging[sent.reference]).toMatchObject({ count: 1 });
  });

  test.each([
    ['timeout', { delayMs: 20 }],
    ['error500', {}],
  ])('an outage (%s) proves nothing about a top-up or a line', async (fault, more) => {
    await phone.fault({ provider: 'charging', fault, ...more });
    expect(await charging.topUp(delivery())).toMatchObject({ kind: 'unclear' });
    expect(await charging.findTopUp(delivery())).toMatchObject({ kind: 'unclear' });
    expect(await charging.findLine('0390000001')).toMatchObject({ kind: 'unclear' });
  });

  test.each([
    ['0390000001', { kind: 'line', lineType: 'PREPAID', broadband: false }],
    ['0390000002', { kind: 'line', lineType: 'POSTPAID', broadband: false }],
    ['0390000003', { kind: 'line', lineType: 'HYBRID', broadband: false }],
    ['0390000005', { kind: 'line', lineType: 'PREPAID', broadband: true }],
    ['0390000009', { kind: 'none' }],
    ['0340000001', { kind: 'none' }],
  ])('the line %s', async (msisdn, expected) => {
    expect(await charging.findLine(msisdn)).toEqual(expected);
  });

  test('a wrong key of ours is no refusal of the customer: nothing is delivered and nothing given back', async () => {
    const stranger = chargingSystem(http, { url: `${sandbox.http}/charging`, key: 'wrong' });
    expect(await stranger.topUp(delivery())).toMatchObject({ kind: 'unclear' });
    expect(await stranger.findLine('0390000001')).toMatchObject({ kind: 'unclear' });
  });
});

describe('against answers nobody promised', () => {
  let server: Server;
  let charging: Charging;
  let answer = { status: 200, body: '' };

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    charging = chargingSystem(http, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'any' });
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const topUpGives = (status: number, body: unknown) => {
    answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
    return charging.topUp(delivery());
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

  test('500 made-up bodies deliver only with an id and "completed"', async () => {
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

  test('a look that is not understood is not "not found"', async () => {
    for (const body of ['', '{}', 'null', '<html>', '[{"id":"1"}]', '[{']) {
      answer = { status: 200, body };
      expect(await charging.findTopUp(delivery()), body).toMatchObject({ kind: 'unclear' });
    }
    answer = { status: 404, body: '[]' };
    expect(await charging.findTopUp(delivery())).toMatchObject({ kind: 'unclear' });
  });

  test('a look believes only an entry with our reference, and only a top-up that was completed', async () => {
    const sent = delivery();
    const entry = (more: object) => ({
      id: 't1',
      '@type': 'TopupBalance',
      status: 'completed',
      payment: { id: sent.reference },
      ...more,
    });
    const look = (...entries: object[]) => {
      answer = { status: 200, body: JSON.stringify(entries) };
      return charging.findTopUp(sent);
    };
    expect(await look(entry({}))).toEqual({ kind: 'delivered', providerReference: 't1' });
    expect(await look(entry({ payment: { id: 'another' } }))).toEqual({ kind: 'notFound' });
    expect(await look(entry({ payment: undefined }))).toEqual({ kind: 'notFound' });
    expect(await look(entry({ status: 'failed' }))).toEqual({ kind: 'notFound' });
    expect(await look(entry({ '@type': 'ReserveBalance' }))).toEqual({ kind: 'notFound' });
    expect(await look(entry({ status: 'failed' }), entry({ id: 't2' }))).toEqual({
      kind: 'delivered',
      providerReference: 't2',
    });
  });

  test('a line whose kind nobody knows is no answer, rather than no line', async () => {
    answer = {
      status: 200,
      body: JSON.stringify([
        { value: '0390000001', resourceCharacteristic: [{ name: 'lineType', value: 'SATELLITE' }] },
      ]),
    };
    expect((await charging.findLine('0390000001')).kind).not.toBe('line');
  });
});
