import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { phone, portal, sandbox } from '../../../../sandbox/src/sandbox-tests.fixture.ts';
import { chargeIn, startedFrom } from '../charge.fixture.ts';
import { gatewayTests, http } from '../gateway-tests.fixture.ts';
import type { Charge } from '../ports.ts';
import { defaultHeaders, defaultPaths } from './client.ts';
import { smartcashGateway } from './index.ts';
import { defaultCodes } from './messages.ts';

const settings = {
  clientId: 'sandbox-smartcash-client',
  clientSecret: 'sandbox-smartcash-secret',
  oaepHash: 'sha1',
  country: 'MG',
  currency: 'MGA',
  paths: defaultPaths,
  headers: defaultHeaders,
  codes: defaultCodes,
};

let smartcash: ReturnType<typeof smartcashGateway>;

gatewayTests({ promptExpiryMs: 60 });
beforeAll(() => {
  smartcash = smartcashGateway('smartcash', http, { ...settings, url: `${sandbox.http}/smartcash` });
});

const charge = (payer: string, pin: string | undefined = '1234'): Charge =>
  chargeIn('MGA', { payerMsisdn: `0${payer}`, email: null, ...(pin === '' ? {} : { pin }) });

describe('a payment', () => {
  test('with the right PIN is decided at once, and the enquiry gives its amount', async () => {
    const asked = charge('390000001');
    expect(await smartcash.start(asked)).toEqual({ kind: 'await', isDecided: true });
    expect(await smartcash.enquire(startedFrom(asked))).toEqual({
      kind: 'paid',
      providerReference: expect.stringMatching(/^SC/),
      amount: 5_000,
      currency: 'MGA',
    });
    expect((await phone.books()).smartcash[asked.reference]).toMatchObject({ taken: 5_000, givenBack: 0 });
  });

  test.each([
    ['390000004', 'insufficientFunds'],
    ['390000006', 'walletLocked'],
    ['390000007', 'declined'],
    ['390000011', 'noWallet'],
  ])('of %s is refused: %s', async (payer, reason) => {
    const asked = charge(payer);
    expect(await smartcash.start(asked)).toEqual({ kind: 'refused', reason });
    expect((await phone.books()).smartcash[asked.reference]).toBeUndefined();
  });

  test('of a line that never answers expires', async () => {
    const asked = charge('390000008');
    expect(await smartcash.start(asked)).toEqual({ kind: 'await', isDecided: true });
    await expect.poll(() => smartcash.enquire(startedFrom(asked))).toEqual({ kind: 'refused', reason: 'expired' });
  });

  test('with a wrong PIN is refused and the fifth locks the wallet, for the right PIN too', async () => {
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const asked = charge('390000031', '9999');
      expect(await smartcash.start(asked)).toEqual({ kind: 'refused', reason: 'wrongPin' });
      expect(await smartcash.enquire(startedFrom(asked))).toEqual({ kind: 'refused', reason: 'wrongPin' });
    }
    for (const pin of ['9999', '1234'])
      expect(await smartcash.start(charge('390000031', pin))).toEqual({ kind: 'refused', reason: 'walletLocked' });
  });

  test('without a PIN is not sent, and not reported as refused', async () => {
    const asked = charge('390000001', '');
    expect(await smartcash.start(asked)).toEqual({ kind: 'unclear', detail: 'no PIN' });
    expect(await smartcash.enquire(startedFrom(asked))).toEqual({ kind: 'notFound' });
  });

  test('whose response is lost is unclear, and found by the enquiry', async () => {
    const asked = charge('390000013');
    expect(await smartcash.start(asked)).toMatchObject({ kind: 'unclear' });
    expect(await smartcash.enquire(startedFrom(asked))).toMatchObject({ kind: 'paid', amount: 5_000 });
  });

  test('sent twice under one reference is taken once', async () => {
    const asked = charge('390000001');
    await smartcash.start(asked);
    expect(await smartcash.start(asked)).toEqual({ kind: 'unclear', detail: 'code SC202' });
    expect((await phone.books()).smartcash[asked.reference]?.taken).toBe(5_000);
  });
});

describe('a refund', () => {
  test('refunds once, and says so when asked again', async () => {
    const asked = charge('390000001');
    await smartcash.start(asked);
    expect(await smartcash.refund(startedFrom(asked))).toEqual({ kind: 'refunded' });
    expect(await smartcash.refund(startedFrom(asked))).toEqual({ kind: 'refunded' });
    expect((await phone.books()).smartcash[asked.reference]).toMatchObject({ taken: 5_000, givenBack: 5_000 });
    expect(await smartcash.enquire(startedFrom(asked))).toEqual({ kind: 'refused', reason: 'refusedByProvider' });
  });

  test('whose response was lost is found when retried', async () => {
    const asked = charge('390000001');
    await smartcash.start(asked);
    await phone.fault({ provider: 'smartcash', fault: 'loseAnswer', operation: 'refund', times: 1 });
    expect(await smartcash.refund(startedFrom(asked))).toMatchObject({ kind: 'unclear' });
    expect(await smartcash.refund(startedFrom(asked))).toEqual({ kind: 'refunded' });
    expect((await phone.books()).smartcash[asked.reference]?.givenBack).toBe(5_000);
  });

  test('of another amount, of a refused payment or of none is not requested', async () => {
    const asked = charge('390000001');
    await smartcash.start(asked);
    expect(await smartcash.refund({ ...startedFrom(asked), amount: 1 })).toMatchObject({
      kind: 'unclear',
      isLasting: true,
    });
    const refused = charge('390000004');
    await smartcash.start(refused);
    for (const one of [refused, charge('390000001')])
      expect(await smartcash.refund(startedFrom(one))).toMatchObject({ kind: 'unclear' });
    expect((await phone.books()).smartcash[asked.reference]?.givenBack).toBe(0);
  });
});

test('a number has a wallet, has none, or it is unclear', async () => {
  expect(await smartcash.hasWallet('0390000001')).toBe('yes');
  expect(await smartcash.hasWallet('0390000011')).toBe('no');
  await phone.fault({ provider: 'smartcash', fault: 'error500' });
  expect(await smartcash.hasWallet('0390000001')).toBe('unclear');
});

describe('when the provider fails', () => {
  test.each([
    ['timeout', { delayMs: 20 }],
    ['error500', {}],
    ['loseAnswer', {}],
    ['unlistedCode', {}],
  ])('by %s nothing is concluded from it', async (fault, more) => {
    const asked = charge('390000001');
    await smartcash.start(asked);
    await phone.fault({ provider: 'smartcash', fault, operation: '*', ...more });
    expect(await smartcash.start(charge('390000001'))).toMatchObject({ kind: 'unclear' });
    expect(await smartcash.enquire(startedFrom(asked))).toMatchObject({ kind: 'unclear' });
    expect(await smartcash.refund(startedFrom(asked))).toMatchObject({ kind: 'unclear' });
  });

  test('by another amount or a late debit, what really happened is reported', async () => {
    await phone.fault({ provider: 'smartcash', fault: 'wrongAmount', times: 1 });
    const more = charge('390000001');
    await smartcash.start(more);
    expect(await smartcash.enquire(startedFrom(more))).toMatchObject({ kind: 'paid', amount: 5_001 });

    await phone.fault({ provider: 'smartcash', fault: 'lateDebit', times: 1, delayMs: 1 });
    const late = charge('390000001');
    expect(await smartcash.start(late)).toEqual({ kind: 'refused', reason: 'declined' });
    await expect.poll(() => smartcash.enquire(startedFrom(late))).toMatchObject({ kind: 'paid', amount: 5_000 });
  });

  test('by an HTML page with 200, being unreachable, or refusing our credentials: nothing was sent, and an enquiry concludes nothing', async () => {
    const html = createServer((request, response) => {
      const isToken = request.url?.includes('oauth');
      response.writeHead(200).end(isToken ? '{"access_token":"t","expires_in":180}' : '<html>Welcome</html>');
    });
    await new Promise<void>((resolve) => html.listen(0, '127.0.0.1', resolve));
    const at = (url: string, more: object = {}) => smartcashGateway('smartcash', http, { ...settings, url, ...more });
    const gateways = [
      at(`http://127.0.0.1:${(html.address() as AddressInfo).port}`),
      at('http://127.0.0.1:9'),
      at(`${sandbox.http}/smartcash`, { clientSecret: 'wrong' }),
    ];
    for (const gateway of gateways) {
      const asked = charge('390000001');
      expect(await gateway.start(asked)).toEqual({ kind: 'refused', reason: 'notReached' });
      expect(await gateway.enquire(startedFrom(asked))).toMatchObject({ kind: 'unclear' });
      expect(await gateway.refund(startedFrom(asked))).toMatchObject({ kind: 'unclear' });
    }
    html.close();
  });

  test('the provider refuses a PIN with a padding it cannot decrypt, so the PIN is really encrypted', async () => {
    const other = smartcashGateway('smartcash', http, {
      ...settings,
      oaepHash: 'sha256',
      url: `${sandbox.http}/smartcash`,
    });
    expect(await other.start(charge('390000001'))).toEqual({ kind: 'refused', reason: 'refusedByProvider' });
  });
});

test('paths, headers and codes can be changed by settings', async () => {
  const seen: { url: string; headers: Record<string, unknown>; body: string }[] = [];
  const other = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ url: request.url ?? '', headers: request.headers, body });
    const isToken = request.url === '/auth';
    response.end(isToken ? '{"access_token":"t1","expires_in":180}' : '{"code":"404"}');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const gateway = smartcashGateway('smartcash', http, {
    ...settings,
    url: `http://127.0.0.1:${(other.address() as AddressInfo).port}`,
    paths: { ...defaultPaths, token: '/auth', status: '/tx?ref={reference}' },
    headers: { 'x-session': '{token}', 'x-market': '{country}-{currency}' },
    codes: { '404': 'notFound' },
  });
  const asked = charge('390000001');
  expect(await gateway.enquire(startedFrom(asked))).toEqual({ kind: 'notFound' });
  other.close();
  expect(seen[1]?.url).toBe(`/tx?ref=${asked.reference}`);
  expect(seen[1]?.headers).toMatchObject({ 'x-session': 't1', 'x-market': 'MG-MGA' });
  expect(seen[1]?.headers).not.toHaveProperty('authorization');
});

describe('a callback', () => {
  test('SEC-13 names its payment and only triggers an enquiry', async () => {
    const asked = charge('390000001');
    await smartcash.start(asked);
    await expect.poll(() => portal.received.length).toBe(1);
    const { path, body } = portal.received[0] ?? { path: '', body: '' };
    expect(path).toBe('/callbacks/smartcash');
    expect(smartcash.parseCallback(Buffer.from(body), {}, '')).toEqual({ reference: asked.reference, signed: false });
  });

  test('that is malformed names no payment and does not throw', () => {
    for (const body of [
      '',
      '{',
      '<html>',
      'null',
      '[]',
      '5',
      '{"reference":5}',
      '{"reference":"a b"}',
      '{"reference":""}',
    ])
      expect(smartcash.parseCallback(Buffer.from(body), {}, 'junk/%00')).toEqual({ reference: null, signed: false });
  });
});
