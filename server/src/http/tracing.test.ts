import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HttpClient } from '../connectors/http-client.ts';
import { startTracing, traceEvent, traceRequests } from './tracing.ts';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: unknown }[];
  events: { name: string }[];
}

const canary = '390000001';
const received: string[] = [];
let collector: Server;
let provider: Server;
const base = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function listening(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  collector = await listening(
    createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        received.push(`${request.url} ${body}`);
        response.setHeader('content-type', 'application/json').end('{}');
      });
    }),
  );
  provider = await listening(createServer((_request, response) => void response.end('{}')));
});

afterAll(() => {
  collector.close();
  provider.close();
});

test('SEC-14 a request, its call to a provider and what moved are one trace, and no number is in it', async () => {
  const stop = await startTracing({ url: base(collector), service: 'a portal' });
  const client = new HttpClient();
  const app = Fastify();
  traceRequests(app);
  app.get('/lines/:number', async () => {
    traceEvent('payment moved', { from: 'CREATED', to: 'SUBMITTING' });
    return client.call({ method: 'POST', url: `${base(provider)}/resource/${canary}`, body: canary });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const traceId = 'a'.repeat(32);
  const address = `${base(app.server)}/lines/${canary}?otp=${canary}`;
  const answer = await fetch(address, { headers: { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` } });
  expect(answer.status).toBe(200);
  await app.close();
  await client.close();
  await stop();

  expect(received[0]).toMatch(/^\/v1\/traces /);
  expect(received.join()).not.toContain(canary);
  const spans = received.flatMap((text): SentSpan[] =>
    JSON.parse(text.slice(text.indexOf(' '))).resourceSpans.flatMap(
      ({ scopeSpans }: { scopeSpans: { spans: SentSpan[] }[] }) => scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
  const [server, call] = [
    spans.find(({ name }) => name === 'GET /lines/:number'),
    spans.find(({ name }) => name.startsWith('POST ')),
  ];
  expect(server).toMatchObject({ traceId, parentSpanId: 'b'.repeat(16), events: [{ name: 'payment moved' }] });
  expect(call).toMatchObject({ traceId, parentSpanId: server?.spanId });
});
