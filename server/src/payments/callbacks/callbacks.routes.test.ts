import fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { beforeEach, expect, test } from 'vitest';
import { registerCallbacks } from './callbacks.routes.ts';
import type { ReceivedCallback } from './callbacks.service.ts';

let app: FastifyInstance;
let received: ReceivedCallback[];
let takenBy: string[];
let wait: number | null;
let routes: RouteOptions[];

beforeEach(async () => {
  app = fastify();
  received = [];
  takenBy = [];
  routes = [];
  wait = null;
  app.addHook('onRoute', (route) => void routes.push(route));
  const limits = {
    take: async (limit: string, ip: string) => {
      takenBy.push(`${limit} ${ip}`);
      return wait;
    },
  };
  const payments = { receiveCallback: async (callback: ReceivedCallback) => void received.push(callback) };
  await registerCallbacks(app, { payments: payments as never, limits: limits as never });
});

test.each([
  ['POST', '/callbacks/wallet', ''],
  ['PUT', '/callbacks/wallet', ''],
  ['POST', '/callbacks/wallet/a/mark', 'a/mark'],
] as const)('%s %s: its raw bytes, path and headers are passed on', async (method, url, path) => {
  for (const type of ['application/json', 'text/plain', 'image/png']) {
    received = [];
    const headers = { 'content-type': type, 'x-signature': 'a signature' };
    const response = await app.inject({ method, url, headers, body: ' {"id" :\n1' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ ResultCode: 0, ResultDesc: 'Success' });
    expect(received).toEqual([
      { provider: 'wallet', path, body: Buffer.from(' {"id" :\n1'), headers: expect.objectContaining(headers) },
    ]);
  }
});

test('one without a body has an empty one, and one that is too long is refused', async () => {
  expect((await app.inject({ method: 'POST', url: '/callbacks/wallet' })).statusCode).toBe(200);
  expect(received.map(({ body }) => body)).toEqual([Buffer.alloc(0)]);
  const send = (length: number) =>
    app.inject({
      method: 'POST',
      url: '/callbacks/wallet',
      headers: { 'content-type': 'x/y' },
      body: 'x'.repeat(length),
    });
  expect((await send(4_096)).statusCode).toBe(200);
  expect((await send(4_097)).statusCode).toBe(413);
  expect(received).toHaveLength(2);
});

test('one address sends so many and no more', async () => {
  let refused: unknown;
  app.addHook('onError', async (_request, _reply, error) => {
    refused = error;
  });
  await app.inject({ method: 'POST', url: '/callbacks/wallet', remoteAddress: '203.0.113.9' });
  wait = 60;
  await app.inject({ method: 'POST', url: '/callbacks/wallet', remoteAddress: '203.0.113.9' });
  expect(takenBy).toEqual(['callback 203.0.113.9', 'callback 203.0.113.9']);
  expect(received).toHaveLength(1);
  expect(refused).toMatchObject({ refusal: 'tooManyCallbacks' });
});

test('the routes say what they ask for, and are not in the API document', () => {
  expect(routes.length).toBeGreaterThan(0);
  for (const { config, schema } of routes)
    expect({ config, schema }).toMatchObject({
      config: { access: { limit: 'callback', proof: 'none' } },
      schema: { hide: true },
    });
});
