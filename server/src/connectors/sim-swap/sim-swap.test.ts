import { describe, expect, test, vi } from 'vitest';
import { phone, sandbox } from '../../../../sandbox/src/sandbox-tests.fixture.ts';
import { gatewayTests, http } from '../gateway-tests.fixture.ts';
import type { HttpAnswer, HttpCall } from '../http-client.ts';
import { simSwapCheck } from './index.ts';
import { readCheck, readToken } from './messages.ts';

const answer = (json: unknown, status = 200): HttpAnswer => ({ kind: 'answer', status, json });
const settings = {
  url: 'https://network.example/sim-swap/v1',
  tokenUrl: 'https://network.example/token',
  clientId: 'a client',
  clientSecret: 'a:secret',
  limitMs: 800,
  international: (msisdn: string) => `+261${msisdn.slice(1)}`,
};

test('SEC-28 follows CAMARA: a token by client credentials, cached until it expires, then number and hours', async () => {
  const call = vi.fn<(call: HttpCall) => Promise<HttpAnswer>>(async ({ url }) =>
    url.endsWith('/token') ? answer({ access_token: 'a-token', expires_in: 600 }) : answer({ swapped: true }),
  );
  const port = simSwapCheck({ call }, settings);
  expect(await port.check('0390000015', 72)).toEqual({ kind: 'swapped' });
  await port.check('0390000001', 24);
  const [token, first, second, ...others] = call.mock.calls.map(([sent]) => sent);
  expect(others).toEqual([]);
  expect(token).toEqual({
    method: 'POST',
    url: settings.tokenUrl,
    headers: {
      authorization: `Basic ${Buffer.from('a%20client:a%3Asecret').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials&scope=sim-swap%3Acheck',
    withinMs: 800,
  });
  expect(first).toEqual({
    method: 'POST',
    url: 'https://network.example/sim-swap/v1/check',
    headers: { authorization: 'Bearer a-token', 'content-type': 'application/json' },
    body: '{"phoneNumber":"+261390000015","maxAge":72}',
    withinMs: 800,
  });
  expect(second?.body).toBe('{"phoneNumber":"+261390000001","maxAge":24}');
});

test('SEC-28 the check returns in time, whatever the service does', async () => {
  vi.useFakeTimers();
  try {
    const port = simSwapCheck({ call: () => new Promise<HttpAnswer>(() => {}) }, settings);
    const asked = port.check('0390000015', 72);
    await vi.advanceTimersByTimeAsync(800);
    expect(await asked).toEqual({ kind: 'unclear', detail: 'no answer in time' });
  } finally {
    vi.useRealTimers();
  }
});

describe('a response is read as', () => {
  test.each<[string, string, HttpAnswer]>([
    ['swapped', 'yes', answer({ swapped: true })],
    ['notSwapped', 'no', answer({ swapped: false, more: 1 })],
    ['unclear', 'a word', answer({ swapped: 'true' })],
    ['unclear', 'a number', answer({ swapped: 1 })],
    ['unclear', 'nothing', answer({})],
    ['unclear', 'a list', answer([{ swapped: true }])],
    ['unclear', 'another status', answer({ swapped: false }, 201)],
    ['unclear', 'a number it does not know', answer({ status: 404, code: 'IDENTIFIER_NOT_FOUND' }, 404)],
    ['unclear', 'a number it may not speak about', answer({ status: 422, code: 'SERVICE_NOT_APPLICABLE' }, 422)],
    ['unclear', 'a failure', answer(null, 500)],
    ['unclear', 'silence', { kind: 'silence', detail: 'TimeoutError' }],
  ])('%s: %s', (kind, _what, given) => {
    expect(readCheck(given).kind).toBe(kind);
  });

  test('a token is one printable line, and is valid for a minute if no lifetime is stated', () => {
    expect(readToken(answer({ access_token: 'abc', expires_in: 300 }))).toEqual({ value: 'abc', lifeSeconds: 300 });
    expect(readToken(answer({ access_token: 'abc' }))).toEqual({ value: 'abc', lifeSeconds: 60 });
    for (const given of [
      answer({ access_token: 'a b' }),
      answer({ access_token: 'a\nb' }),
      answer({ access_token: '' }),
      answer({ token: 'abc' }),
      answer({ access_token: 'abc' }, 201),
      { kind: 'silence', detail: 'x' } as const,
    ])
      expect(readToken(given)).toBeNull();
  });
});

describe('against the sandbox', () => {
  gatewayTests();
  const port = (more: Partial<typeof settings> = {}) =>
    simSwapCheck(http, {
      ...settings,
      url: `${sandbox.http}/sim-swap/v1`,
      tokenUrl: `${sandbox.http}/sim-swap/token`,
      clientId: 'sandbox-sim-swap-client',
      clientSecret: 'sandbox-sim-swap-secret',
      // Only ends a request that hangs.
      limitMs: 600_000,
      ...more,
    });
  const setSim = (body: object) =>
    fetch(`${sandbox.http}/sandbox/sim`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('SEC-28 the line whose SIM was changed yesterday says so, and the others that theirs was not', async () => {
    expect(await port().check('0390000015', 72)).toEqual({ kind: 'swapped' });
    expect(await port().check('0390000015', 12)).toEqual({ kind: 'notSwapped' });
    expect(await port().check('0390000001', 2_400)).toEqual({ kind: 'notSwapped' });
    expect((await setSim({ number: '390000001', swappedHoursAgo: 1 })).status).toBe(204);
    expect(await port().check('0390000001', 72)).toEqual({ kind: 'swapped' });
    expect((await setSim({ number: '390000009', swappedHoursAgo: 1 })).status).toBe(422);
    expect((await setSim({ number: '390000001' })).status).toBe(422);
  });

  test('SEC-28 an unknown number, a wrong secret, hours out of range and every fault are unclear', async () => {
    expect((await port().check('0390000009', 72)).kind).toBe('unclear');
    expect((await port({ clientSecret: 'other' }).check('0390000015', 72)).kind).toBe('unclear');
    expect((await port().check('0390000015', 2_401)).kind).toBe('unclear');
    expect((await port({ international: (msisdn) => msisdn }).check('0390000015', 72)).kind).toBe('unclear');
    for (const fault of ['error500', 'loseAnswer', 'refuse', 'unlistedCode']) {
      await phone.fault({ provider: 'simSwap', operation: 'check', fault, times: 1 });
      expect((await port().check('0390000015', 72)).kind, fault).toBe('unclear');
    }
    expect((await port().check('0390000015', 72)).kind).toBe('swapped');
  });
});
