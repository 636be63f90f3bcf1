import { failureEnvelope } from '@portal/contract/envelope.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts';
import { type TestPortal, testPortal } from '../testing/portal.ts';
import { type RawAnswer, rawGet, rawRequest } from '../testing/raw-request.ts';
import { strangeAddresses } from '../testing/strange-addresses.ts';

let sandbox: Sandbox;
let running: TestPortal;
let origin: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  running = await testPortal(sandbox, { rateLimitScale: 1_000_000, production: true });
  const { http } = running.portal;
  // Responses that fail while they are sent.
  http.get('/test/bad-header', (_request, reply) => reply.header('x-bad', 'a\r\nb: c').send('secret inside'));
  http.get('/test/bad-location', (_request, reply) => reply.redirect('/€\r\nset-cookie: a=b'));
  http.get('/test/thrown', () => {
    throw new Error('secret inside');
  });
  http.get('/test/thrown-text', () => Promise.reject('secret inside'));
  http.get('/test/bad-body', (_request, reply) => reply.send({ value: 1n }));
  origin = await http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await running.stop();
  await sandbox.stop();
});

const internals = /FST_|ERR_|HPE_|secret inside|Bad Request|Internal Server Error|Client Error|node:|\.ts:|\bat \w+ \(/;

function expectOurs(answer: RawAnswer | null, what: string): asserts answer is RawAnswer {
  expect(answer, what).not.toBeNull();
  const { status, headers, body } = answer as RawAnswer;
  expect(
    {
      policy: /default-src 'none'.*frame-ancestors 'none'/.test(headers['content-security-policy'] ?? ''),
      ...headers,
    },
    what,
  ).toMatchObject({
    policy: true,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  });
  expect(body, what).not.toMatch(internals);
  if (status >= 400) expect(headers['cache-control'], what).toBe('no-store');
}

const lines = (...text: string[]) => [...text, '', ''].join('\r\n');
const malformed: [what: string, status: number, text: string][] = [
  ['no host', 400, lines('GET /healthz HTTP/1.1', 'connection: close')],
  ['no HTTP', 400, lines('hello')],
  ['an unknown method', 400, lines('FOO / HTTP/1.1', 'host: a')],
  ['an unknown version', 400, lines('GET / HTTP/9.9', 'host: a')],
  ['HTTP/2', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a broken header', 400, lines('GET / HTTP/1.1', 'host: a', 'bro ken')],
  ['a folded header', 400, lines('GET / HTTP/1.1', 'host: a', 'x: a', ' b')],
  ['a zero byte in a header', 400, lines('GET / HTTP/1.1', 'host: a', 'x: a\0b')],
  ['two lengths', 400, `${lines('POST / HTTP/1.1', 'host: a', 'content-length: 1', 'content-length: 2')}x`],
  [
    'a length and chunks',
    400,
    `${lines('POST / HTTP/1.1', 'host: a', 'content-length: 3', 'transfer-encoding: chunked')}0\r\n\r\n`,
  ],
  ['headers that are too large', 431, lines('GET / HTTP/1.1', 'host: a', `x: ${'a'.repeat(20_000)}`)],
  ['an address that is too long', 431, lines(`GET /${'a'.repeat(20_000)} HTTP/1.1`, 'host: a')],
  ['a raw byte in the address', 400, lines('GET /\xe9 HTTP/1.1', 'host: a')],
  ['the address of a proxy', 400, lines('GET http://evil.example/ HTTP/1.1', 'host: a', 'connection: close')],
  ['the server as a whole', 400, lines('OPTIONS * HTTP/1.1', 'host: a', 'connection: close')],
];

describe('SEC-20 every response has the security headers and exposes no internals', () => {
  test.each(malformed)('%s', async (what, status, text) => {
    const answer = await rawRequest(origin, text);
    expectOurs(answer, what);
    expect(answer.status).toBe(status);
    expect(answer.headers.location).toBeUndefined();
  });

  test('a broken chunk after the request was accepted', async () => {
    const start = lines(
      'POST /cms/x HTTP/1.1',
      'host: a',
      'content-type: application/json',
      'transfer-encoding: chunked',
    );
    expectOurs(await rawRequest(origin, `${start}zz\r\n\r\n`), 'a broken chunk');
  });

  test('an unknown expectation is ignored', async () => {
    const answer = await rawGet(origin, '/healthz', { headers: ['expect: nothing'] });
    expectOurs(answer, 'expect');
    expect(answer.status).toBe(200);
  });

  test('HTTP/1.0 without a host, as load balancers send it, is answered', async () => {
    const answer = await rawRequest(origin, lines('GET /healthz HTTP/1.0'));
    expectOurs(answer, 'HTTP/1.0');
    expect(answer.status).toBe(200);
  });

  test.each(['HEAD', 'OPTIONS', 'TRACE', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'SEARCH', 'QUERY', 'LINK', 'POST'])(
    '%s wherever it is sent',
    async (method) => {
      for (const path of ['/', '/about', '/cms/x', '/healthz', '/openapi.json', '/docs/api/x', '/callbacks/none']) {
        const answer = await rawGet(origin, path, { method, headers: ['content-length: 0'] });
        expectOurs(answer, `${method} ${path}`);
        expect(answer.status, `${method} ${path}`).toBeLessThan(500);
      }
    },
  );

  test.each(['/test/bad-header', '/test/bad-location', '/test/thrown', '/test/thrown-text', '/test/bad-body'])(
    'a failure while responding: %s',
    async (path) => {
      for (const accept of ['*/*', 'text/html']) {
        const answer = await rawGet(origin, path, { headers: [`accept: ${accept}`] });
        expectOurs(answer, path);
        expect(answer.status).toBe(path === '/test/bad-location' ? 404 : 500);
        expect(answer.headers).not.toHaveProperty('set-cookie');
      }
    },
  );

  test('a body that is too large, of another type or not JSON', async () => {
    const post = (type: string, length: number, body: string) =>
      rawGet(origin, '/cms/x', {
        method: 'POST',
        headers: [`content-type: ${type}`, `content-length: ${length}`, '', body],
      });
    const answers = [
      await post('application/json', 100_000, '{'),
      await post('text/plain', 1, 'x'),
      await post('application/json', 1, '{'),
    ];
    for (const answer of answers) expectOurs(answer, 'a bad body');
  });

  test('a URL that cannot be decoded: a page for a browser, the envelope for a call', async () => {
    const read = await rawGet(origin, '/%ff', { headers: ['accept: text/html'] });
    expectOurs(read, 'page');
    expect([read.status, read.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(read.body).toContain('There is nothing at this address.');
    const nonce = /nonce="([\w-]{22})"/.exec(read.body)?.[1];
    expect(read.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    const called = await rawGet(origin, '/cms/%ff', { headers: ['accept: text/html'] });
    expectOurs(called, 'call');
    expect(called.status).toBe(404);
    expect(failureEnvelope.safeParse(JSON.parse(called.body)).success).toBe(true);
  });

  test('strange URLs, with every method', async () => {
    const prefixes = ['', '/cms', '/docs/api', '/sandbox', '/receipts', '/callbacks'];
    for (const address of strangeAddresses(prefixes)) {
      const method = (['GET', 'HEAD', 'POST'] as const)[address.length % 3] as string;
      const answer = await rawGet(origin, `${address}?lang=EN`, { method, headers: ['content-length: 0'] });
      expectOurs(answer, `${method} ${address}`);
      expect(answer.status, address).toBeLessThan(500);
      expect(answer.headers.location, address).toBeUndefined();
    }
  });
});
