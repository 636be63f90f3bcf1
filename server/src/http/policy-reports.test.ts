import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMetrics, type Metrics } from './metrics.ts';
import { directivesIn, registerPolicyReports, reportsPath } from './policy-reports.ts';

let app: FastifyInstance;
let metrics: Metrics;
let wait: number | null;

beforeEach(async () => {
  app = Fastify();
  metrics = createMetrics();
  wait = null;
  await registerPolicyReports(app, {
    limits: { take: async () => wait, giveBack() {}, async settle() {} },
    metrics,
  });
});
afterEach(() => app.close());

const send = (type: string, payload: string) =>
  app.inject({ method: 'POST', url: reportsPath, headers: { 'content-type': type }, payload });
const counted = async () =>
  [...(await metrics.text()).matchAll(/^portal_policy_violations_total\{directive="([^"]+)"\} (\d+)/gm)].map(
    ([, directive, count]) => `${directive} ${count}`,
  );

test('SEC-29 a violation is counted by its directive, in the older and the newer report format', async () => {
  const older = {
    'csp-report': { 'document-uri': 'https://portal.example/', 'violated-directive': 'script-src-elem' },
  };
  expect((await send('application/csp-report', JSON.stringify(older))).statusCode).toBe(204);
  const newer = ['img-src', 'script-src-elem'].map((effectiveDirective) => ({
    type: 'csp-violation',
    body: { effectiveDirective, blockedURL: 'inline' },
  }));
  expect((await send('application/reports+json', JSON.stringify(newer))).statusCode).toBe(204);
  expect(await counted()).toEqual(['script-src-elem 2', 'img-src 1']);
});

test('SEC-29 made-up reports are counted as "other" and create no labels', async () => {
  const made = Array.from({ length: 50 }, (_, index) => ({ body: { effectiveDirective: `made-up-${index}` } }));
  expect((await send('application/reports+json', JSON.stringify(made))).statusCode).toBe(204);
  for (const text of ['', 'null', '7', '[null]', '{"csp-report":null}', '{"csp-report":{"violated-directive":7}}', '{'])
    expect(directivesIn(text), text).toEqual([]);
  expect(await counted()).toEqual(['other 20']);
});

test('SEC-29 reports are limited in size, type and rate', async () => {
  expect((await send('application/csp-report', 'x'.repeat(17 * 1024))).statusCode).toBe(413);
  expect((await send('application/json', '{}')).statusCode).toBe(415);
  wait = 30;
  await send('application/csp-report', '{"csp-report":{"violated-directive":"img-src"}}');
  expect(await counted()).toEqual([]);
});
