import { type CallName, callPath, calls, servedPaths } from '@portal/contract/calls.ts';
import { failureEnvelope } from '@portal/contract/envelope.ts';
import type { FastifyInstance, InjectOptions, RouteOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { PhoneClient } from '../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts';
import { canaries, createCallProbe } from './testing/call-probe.ts';
import type { TestPortal } from './testing/portal.ts';

const routes = vi.hoisted(() => [] as RouteOptions[]);
vi.mock('fastify', async (original) => {
  const fastify = await original<typeof import('fastify')>();
  const recording = (options: object): FastifyInstance => {
    const app = fastify.default(options) as unknown as FastifyInstance;
    app.addHook('onRoute', (route) => void routes.push(route));
    return app;
  };
  return { ...fastify, default: Object.assign(recording, fastify.default) };
});

const slug = 'fanilo';
const path = (name: CallName) => callPath(name, { slug });

let sandbox: Sandbox;
let phone: PhoneClient;
let running: TestPortal;
let testPortal: typeof import('./testing/portal.ts').testPortal;

const metricsKey = 'a key for figures in tests';
beforeAll(async () => {
  sandbox = await startSandbox({ approveAfterMs: 50 });
  phone = new PhoneClient(sandbox.http);
  routes.length = 0;
  // Test files share modules: those loaded by an earlier file use the real Fastify.
  vi.resetModules();
  ({ testPortal } = await import('./testing/portal.ts'));
  running = await testPortal(sandbox, { rateLimitScale: 1_000, metricsKey });
});
afterAll(async () => {
  await running.stop();
  await sandbox.stop();
});
beforeEach(() => phone.post('/reset'));

const inject = (options: InjectOptions) => running.portal.http.inject(options);
const post = (name: CallName, payload: object, headers: Record<string, string> = {}) =>
  inject({ method: 'POST', url: path(name), payload, headers });
const get = (name: CallName, query: Record<string, string> = {}) => inject({ method: 'GET', url: path(name), query });

const order = {
  amount: 5_000,
  mobileNumber: '0390000001',
  paymentMobile: '0390000001',
  transactionType: 'PREPAID_RECHARGE',
  paymentMode: 'FANILO_MONEY',
  paymentGateway: 'FANILO_MONEY',
  currencyCode: 'MGA',
  countryCode: '261',
};

/** The response to a failure: its status and the envelope, nothing else. */
function expectFailure(answer: { statusCode: number; json(): unknown }, http: number, code: unknown, field?: string) {
  expect(answer.json()).toMatchObject({ statusCode: code, status: 'failure', result: null });
  expect(failureEnvelope.safeParse(answer.json()).success).toBe(true);
  expect(answer.statusCode).toBe(http);
  if (field !== undefined) expect(answer.json()).toMatchObject({ error: { field } });
}

describe('the envelope', () => {
  test('of a success', async () => {
    const answer = await post('lineType', { msisdn: '0390000001' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ statusCode: 200, status: 'success', message: 'OK', result: 'PREPAID' });
  });

  test('of a failure, at the path of the specification and at its alias', async () => {
    for (const url of servedPaths('lineType')) {
      const answer = await inject({ method: 'POST', url, payload: { msisdn: '0390000009' } });
      expectFailure(answer, 404, 'LINE_UNKNOWN', 'msisdn');
      expect(answer.json().message).toBe('Invalid Mobile No');
    }
  });

  test.each([
    ['lineType', {}, 'msisdn'],
    ['lineType', { msisdn: 390000001 }, 'msisdn'],
    ['lineType', { msisdn: '390000001' }, 'msisdn'],
    ['lineType', { msisdn: "0390000001' or 1=1" }, 'msisdn'],
    ['initiate', { ...order, amount: '12.5' }, 'amount'],
    ['initiate', { ...order, amount: -1 }, 'amount'],
    ['initiate', { ...order, amount: 1e15 }, 'amount'],
    ['initiate', { ...order, transactionType: 'GIFT' }, 'transactionType'],
    ['initiate', { ...order, mobileNumber: '' }, 'mobileNumber'],
    ['initiate', { ...order, emailId: 'nobody' }, 'emailId'],
    ['process', { transactionId: '' }, 'transactionId'],
    ['process', { transactionId: 'x', amPin: '1234' }, 'amPin'],
    ['paymentOptions', { amount: 5_000 }, 'transactionType'],
  ] as const)('%s with %j names the field %s', async (name, body, field) => {
    expectFailure(await post(name, body), 422, 'MALFORMED', field);
  });

  test.each([
    ['a text', '"hello"'],
    ['a list', '[]'],
    ['null', 'null'],
  ])('a body that is %s is refused', async (_what, payload) => {
    const answer = await inject({
      method: 'POST',
      url: path('lineType'),
      payload,
      headers: { 'content-type': 'application/json' },
    });
    expectFailure(answer, 422, 'MALFORMED');
  });

  test.each([
    ['nothing', ''],
    ['half a body', '{"msisdn":'],
    ['no JSON', 'msisdn=0390000001'],
    ['a poisoned prototype', '{"__proto__":{"msisdn":"0390000001"}}'],
  ])('D5 a body that is %s cannot be read: 400 in the envelope, of every call', async (_what, payload) => {
    const headers = { 'content-type': 'application/json', lang: 'fr' };
    for (const name of (Object.keys(calls) as CallName[]).filter((one) => calls[one].method === 'POST')) {
      const answer = await inject({ method: 'POST', url: path(name), payload, headers });
      expectFailure(answer, 400, 'UNREADABLE');
      expect(answer.json()).toMatchObject({ message: 'La demande n’a pas pu être lue.' });
    }
  });

  test('CMS-1 translation packages are served with the words of the brand filled in', async () => {
    for (const page of ['/translation', '/sw/translation', '/mg/translation']) {
      const words = (await get('activePackage', { opco: 'MG', pageUrl: page })).json() as { packageHtml: string };
      const texts = Object.values(JSON.parse(words.packageHtml) as Record<string, string>);
      expect(texts.filter((text) => text.includes('{brand}'))).toEqual([]);
      expect(texts.filter((text) => text.includes('Fanilo')).length).toBeGreaterThan(20);
    }
  });

  test('D22 another operator is refused by every content call', async () => {
    for (const name of (Object.keys(calls) as CallName[]).filter((one) => calls[one].service === 'cms')) {
      const probe = createCallProbe(name, slug);
      const fields = { ...(probe.query as object), ...(probe.payload as object) };
      const foreign = { ...fields, opco: 'NG' };
      const answer = await inject({ ...probe, ...(probe.payload ? { payload: foreign } : { query: foreign }) });
      expectFailure(answer, 404, 'NOT_FOUND', 'opco');
    }
  });

  test('a query that is malformed names its field', async () => {
    expectFailure(await get('transactionStatus'), 422, 'MALFORMED', 'tid');
    expectFailure(await get('transactionFetch', { txnId: '<script>' }), 422, 'MALFORMED', 'txnId');
  });

  test('an address or a method that is no call is told in the envelope too', async () => {
    for (const url of ['/orp/bfe/api/portal-service/nothing', '/api/portal-service/nothing', '/cms/nothing'])
      expectFailure(await inject({ method: 'GET', url }), 404, 'NOT_FOUND');
    expectFailure(await inject({ method: 'POST', url: path('config'), payload: {} }), 404, 'NOT_FOUND');
    expectFailure(await inject({ method: 'DELETE', url: path('lineType') }), 404, 'NOT_FOUND');
  });

  test('characters that the database cannot hold are a fault of the request', async () => {
    expectFailure(await post('initiate', { ...order, accountId: 'a\u0000b' }), 422, 'MALFORMED');
    expectFailure(await post('initiate', { ...order, accountId: '\u0000' }), 422, 'MALFORMED');
  });
});

describe('what is taken', () => {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'])(
    '%s is not JSON',
    async (type) => {
      const answer = await inject({
        method: 'POST',
        url: path('lineType'),
        payload: '{"msisdn":"0390000001"}',
        headers: { 'content-type': type },
      });
      expectFailure(answer, 415, 'UNSUPPORTED_TYPE');
    },
  );

  test('a body of more than 64 kB is too large', async () => {
    const huge = { msisdn: '0390000001', requestType: 'x'.repeat(70_000) };
    expectFailure(await post('lineType', huge), 413, 'TOO_LARGE');
  });

  describe('SEC-11 a write from elsewhere', () => {
    test.each([
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['a neighbour of the same site', { 'sec-fetch-site': 'same-site' }],
      ['another origin, by a browser that says no more', { origin: 'https://evil.example' }],
      ['an origin that is hidden', { origin: 'null' }],
      ['a look-alike', { origin: 'http://localhost:80.evil.example' }],
      ['another scheme', { origin: 'ftp://localhost:3000', host: 'localhost:3000' }],
      ['an extension named like us', { origin: 'chrome-extension://localhost:3000', host: 'localhost:3000' }],
      ['somebody at our host', { origin: 'http://user@localhost:3000', host: 'localhost:3000' }],
    ])('a write from %s is refused, and nothing is written', async (_who, headers) => {
      for (const name of Object.keys(calls) as CallName[]) {
        if (calls[name].method !== 'POST') continue;
        const probe = createCallProbe(name, slug);
        const answer = await inject({ ...probe, headers: { ...probe.headers, ...headers } });
        expectFailure(answer, 403, 'CROSS_SITE');
      }
      const answer = await post('initiate', order, { ...headers, 'idempotency-key': 'cross-site-attempt' });
      expectFailure(answer, 403, 'CROSS_SITE');
    });
  });

  test.each([
    ['the page itself', { 'sec-fetch-site': 'same-origin' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['the same origin', { origin: 'http://localhost:3000', host: 'localhost:3000' }],
    ['a program', {}],
  ])('a write from %s is taken', async (_who, headers) => {
    expect((await post('lineType', { msisdn: '0390000001' }, headers)).statusCode).toBe(200);
  });
});

describe('routes', () => {
  test('every call takes what its contract describes', async () => {
    for (const name of Object.keys(calls) as CallName[]) {
      const answer = await inject(createCallProbe(name, slug));
      expect(answer.statusCode, `${name} ${answer.body.slice(0, 200)}`).not.toBe(422);
    }
  });

  test('every route of ours declares its limit and its proof', () => {
    expect(routes.length).toBeGreaterThan(90);
    // The pages of the API reference come from a library and only show what is public.
    const ours = routes.filter(({ url }) => !url.startsWith('/docs/api'));
    const undeclared = ours.filter(({ config }) => !config?.access?.limit || !config.access.proof);
    expect(undeclared.map(({ method, url }) => `${method} ${url}`)).toEqual([]);
  });

  test('every call of the contract is a route, at every address it is served at', () => {
    const known = new Set(routes.map(({ method, url }) => `${method} ${url}`));
    for (const name of Object.keys(calls) as CallName[])
      for (const url of servedPaths(name, { slug })) expect(known, name).toContain(`${calls[name].method} ${url}`);
  });

  test('only what an operator asks for by itself goes without a limit', () => {
    const unlimited = routes.filter(({ config }) => config?.access?.limit === 'none').map(({ url }) => url);
    expect([...new Set(unlimited)].sort()).toEqual([
      '/.well-known/security.txt',
      '/api/portal-service/*',
      '/auth/bfe/api/portal-service/*',
      '/cms/*',
      '/healthz',
      '/metrics',
      '/openapi.json',
      '/orp/bfe/api/portal-service/*',
      '/readyz',
      '/sandbox',
      '/sandbox/*',
    ]);
  });
});

describe('a number, code, token, address or PIN sent through every route', () => {
  const forms = [
    canaries.number,
    canaries.number.slice(1),
    canaries.code,
    canaries.token,
    canaries.email,
    'CanaryPin',
    'Canary Zq',
    'canaryuser',
  ];
  const hits = (text: string) => forms.filter((form) => text.includes(form) || text.includes(encodeURIComponent(form)));

  test('SEC-14 comes out again in no log line and in no error', async () => {
    running.lines.length = 0;
    const send = async (options: InjectOptions) => {
      const answer = await inject(options);
      if (answer.statusCode >= 400) expect(hits(answer.body), `${options.method} ${String(options.url)}`).toEqual([]);
      expect(answer.statusCode, String(options.url)).not.toBe(500);
    };
    for (const name of Object.keys(calls) as CallName[]) {
      const probe = createCallProbe(name, slug);
      await send(probe);
      await send({ ...probe, query: { ...(probe.query as object), msisdn: canaries.number, pin: canaries.code } });
      if (calls[name].method === 'GET') continue;
      // Unknown fields, JSON that is cut off, and another content type.
      await send({ ...probe, payload: { msisdn: [canaries.number], pin: canaries.code, token: canaries.token } });
      const json = { ...probe.headers, 'content-type': 'application/json' };
      await send({ ...probe, headers: json, payload: `{"msisdn":"${canaries.number}","pin":"${canaries.code}` });
      await send({ ...probe, headers: { ...json, 'content-type': 'text/plain' }, payload: canaries.number });
    }
    await send({
      method: 'POST',
      url: '/callbacks/wallet',
      payload: { transaction: { id: canaries.token, msisdn: canaries.number } },
    });
    await send({ method: 'POST', url: `/callbacks/${canaries.token}`, payload: canaries.number });
    await send({ method: 'GET', url: `/nowhere/${canaries.number}/${canaries.token}?pin=${canaries.code}` });
    await send({
      method: 'GET',
      url: `${path('config')}/${canaries.number}`,
      headers: { authorization: `Basic canaryuser:${canaries.code}` },
    });
    await phone.fault({ provider: 'charging', fault: 'error500' });
    await send({ method: 'POST', url: path('lineType'), payload: { msisdn: '0397351469' } });

    expect(running.lines.length).toBeGreaterThan(150);
    expect(running.lines.filter((line) => hits(line).length > 0)).toEqual([]);
  });

  test('would be seen: the lines are there, and name the route as it was declared', () => {
    expect(running.lines.some((line) => line.includes('/transaction/v1/initiate'))).toBe(true);
    expect(running.lines.every((line) => !line.includes('?'))).toBe(true);
  });
});

describe('for whoever runs it', () => {
  test('alive, ready and measured', async () => {
    expect((await inject({ url: '/healthz' })).json()).toEqual({ alive: true });
    expect((await inject({ url: '/readyz' })).json()).toEqual({ ready: true });
    await post('lineType', { msisdn: '0390000001' });
    const metrics = await inject({ url: '/metrics', headers: { authorization: `Bearer ${metricsKey}` } });
    expect(metrics.headers['content-type']).toContain('text/plain');
    expect(metrics.body).toMatch(/portal_request_seconds_count\{[^}]*route="[^"]*line-type"[^}]*status="200"/);
    expect(metrics.body).not.toMatch(/="[^"\n]*0390000001/);
  });

  test('REL-4 told to stop, it sends the balancer elsewhere first and still answers who comes', async () => {
    const { portal, stop } = await testPortal(sandbox);
    const ask = (url: string) => portal.http.inject({ method: 'GET', url });
    expect((await ask('/healthz')).headers.connection).not.toBe('close');
    portal.turnAway();
    expect((await ask('/readyz')).statusCode).toBe(503);
    const answer = await ask('/healthz');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers.connection).toBe('close');
    await stop();
  });

  test('SEC-24 the figures are closed without their key, from this machine too, however their address is written', async () => {
    const spellings = ['/metrics', '/%6detrics', '/%6Detrics', '/metrics?key', '/metric%73', '/METRICS', '/metrics/'];
    const keys = [
      undefined,
      'Bearer null',
      'Bearer ',
      'Bearer undefined',
      `Bearer ${metricsKey}x`,
      metricsKey,
      'Basic x',
    ];
    for (const url of [...spellings, '//metrics', '/./metrics', '/metrics%2f', '/x/../metrics', '/metrics;x'])
      for (const remoteAddress of ['127.0.0.1', '::1', '203.0.113.9'])
        for (const authorization of keys) {
          const answer = await inject({ url, remoteAddress, headers: authorization ? { authorization } : {} });
          expect(answer.statusCode, url).toBeGreaterThanOrEqual(300);
          expect(answer.body, url).not.toContain('portal_');
        }
    const { portal, stop } = await testPortal(sandbox);
    for (const authorization of ['Bearer null', 'Bearer ', `Bearer ${metricsKey}`])
      expect((await portal.http.inject({ url: '/metrics', headers: { authorization } })).statusCode).toBe(404);
    await stop();
  });

  test('each answer has an id of its own, which a client cannot choose', async () => {
    const first = await inject({ url: '/healthz', headers: { 'x-request-id': 'chosen' } });
    const second = await inject({ url: '/healthz' });
    expect(first.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
  });

  test('the OpenAPI document describes every call once, and the event stream', async () => {
    const document = (await inject({ url: '/openapi.json' })).json();
    expect(document.openapi).toBe('3.1.0');
    const described = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>)
      .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
      .sort();
    expect(described).toEqual([...Object.keys(calls), 'transactionStream'].sort());
  });
});

describe('configuration', () => {
  test('CFG-1 config has every key of the specification, productConfig brand, features and flags', async () => {
    const config = (await get('config', { code: 'ORP' })).json().result.configData;
    expect(config).toEqual({
      leadConnectionFee: '20000',
      preMinAmnt: 500,
      preMaxAmnt: 500_000,
      postMinAmnt: 1_000,
      postMaxAmnt: 5_000_000,
      beta: { amountToHigherValueFeature: true },
      postpaidHybridCheck: true,
      enableAmPin: false,
      customerCareNumber: '300',
      pinResetDial: '*436*7#',
      paymentMaxTry: 10,
      payStackConfig: '{"key":""}',
      encryptionKeyDetails: { key: expect.any(String), keyId: expect.any(String), expiresAt: expect.any(String) },
    });
    expect((await get('productConfig')).json().result).toMatchObject({
      brand: { name: 'Fanilo', slug: 'fanilo' },
      operator: 'MG',
      countryCode: '261',
      currency: 'MGA',
      currencyDigits: 0,
      nationalLength: 9,
      languages: [
        { code: 'EN', locale: 'en-GB', prefix: '' },
        { code: 'FR', locale: 'fr-FR', prefix: '/sw' },
        { code: 'MG', locale: 'mg-MG', prefix: '/mg' },
      ],
      flags: { showPostpaidBundles: false, kpi: false },
    });
  });

  test('there is no configuration under another code', async () => {
    expectFailure(await get('config', { code: 'XYZ' }), 404, 'NOT_FOUND');
  });
});

describe('a line', () => {
  test.each([
    ['0390000001', 'PREPAID'],
    ['0390000002', 'POSTPAID'],
    ['0390000003', 'HYBRID'],
  ])('%s is %s', async (msisdn, lineType) => {
    expect((await post('lineType', { msisdn })).json().result).toBe(lineType);
  });

  test('a router is broadband, another line is not', async () => {
    expect((await post('lineType', { msisdn: '0390000005', checkIfBroadband: true })).statusCode).toBe(200);
    expectFailure(await post('lineType', { msisdn: '0390000001', checkIfBroadband: true }), 409, 'LINE_NOT_ELIGIBLE');
  });

  test("a number of another operator is not the brand's", async () => {
    expectFailure(await post('validateBrandNumber', { msisdn: '0340000001' }), 404, 'LINE_UNKNOWN');
    expect((await post('validateBrandNumber', { msisdn: '0390000001' })).json().result).toEqual({
      lineType: 'PREPAID',
    });
  });

  test.each([
    ['timeout', { delayMs: 20 }],
    ['error500', {}],
  ])('a charging system that is silent (%s) does not make a number invalid', async (fault, more) => {
    await phone.fault({ provider: 'charging', fault, ...more });
    const answer = await post('lineType', { msisdn: fault === 'timeout' ? '0391111111' : '0392222222' });
    expectFailure(answer, 504, 'UPSTREAM_TIMEOUT');
    expect(answer.json().message).not.toContain('Invalid Mobile No');
  });
});

describe('limits', () => {
  const limited = async (config: Parameters<typeof testPortal>[1], run: (portal: TestPortal) => Promise<void>) => {
    // The clock is stopped, because at the turn of a minute the count would start again.
    const portal = await testPortal(
      sandbox,
      { rateLimitScale: 0.02, ...config },
      () => new Date('2026-03-02T09:00:10Z'),
    );
    await run(portal);
    await portal.stop();
  };
  const ask = (portal: TestPortal, headers: Record<string, string>, remoteAddress = '198.51.100.7') =>
    portal.portal.http.inject({
      method: 'POST',
      url: path('lineType'),
      payload: { msisdn: '0390000001' },
      headers,
      remoteAddress,
    });
  const forged = (round: number): Record<string, string> => ({
    'x-forwarded-for': `203.0.113.${round}`,
    'x-real-ip': `203.0.113.${round}`,
    forwarded: `for=203.0.113.${round}`,
    'x-client-ip': `203.0.113.${round}`,
    'cf-connecting-ip': `203.0.113.${round}`,
    'true-client-ip': `203.0.113.${round}`,
  });

  test('SEC-4 a forged forwarded-for header resets no limit', async () => {
    await limited({}, async (portal) => {
      const statuses: number[] = [];
      for (let round = 1; round <= 8; round += 1) statuses.push((await ask(portal, forged(round))).statusCode);
      expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429, 429]);
      const refused = await ask(portal, forged(9));
      expectFailure(refused, 429, 'RATE_LIMITED');
      const wait = Number(refused.headers['retry-after']);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
      expect(refused.json().error.retryAfterSeconds).toBe(wait);
      expect((await ask(portal, {}, '198.51.100.8')).statusCode).toBe(200);
    });
    await limited({ trustedProxies: ['10.0.0.1'] }, async (portal) => {
      const throughProxy = (round: number, client: string) =>
        ask(portal, { ...forged(round), 'x-forwarded-for': `203.0.113.${round}, ${client}` }, '10.0.0.1');
      const statuses: number[] = [];
      for (let round = 1; round <= 6; round += 1) statuses.push((await throughProxy(round, '198.51.100.7')).statusCode);
      expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
      expect((await throughProxy(1, '198.51.100.9')).statusCode).toBe(200);
      const past = Array.from({ length: 6 }, (_, round) => ask(portal, forged(round), '198.51.100.20'));
      expect(
        (await Promise.all(past)).map(({ statusCode }) => statusCode).filter((status) => status === 429),
      ).toHaveLength(2);
    });
  });
});
