import { type CallName, calls } from '@portal/contract/calls.ts';
import { contract } from '@portal/contract/contract.ts';
import type { CallDefinition } from '@portal/contract/define-call.ts';
import { failureEnvelope } from '@portal/contract/envelope.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts';
import { createCallProbe } from './testing/call-probe.ts';
import { type TestPortal, testPortal } from './testing/portal.ts';

let sandbox: Sandbox;
let running: TestPortal;

beforeAll(async () => {
  sandbox = await startSandbox();
  running = await testPortal(sandbox, { rateLimitScale: 1_000_000 });
});
afterAll(async () => {
  await running.stop();
  await sandbox.stop();
});

const nasty = fc.constantFrom(
  null,
  '',
  '\u0000',
  '\ud800',
  "';--",
  '<script>',
  -1,
  1e308,
  12.5,
  [],
  {},
  true,
  'x'.repeat(5_000),
  '0390000001\n',
  { $gt: '' },
);

/** A valid body with one value replaced, at any depth, or any JSON value at all. */
function spoilt(good: unknown): fc.Arbitrary<unknown> {
  const keys = (value: unknown, path: string[] = []): string[][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...keys(inner, [...path, key])])
      : [];
  const places = keys(good);
  const replaced = fc.tuple(fc.constantFrom(...(places.length > 0 ? places : [['x']])), nasty).map(([path, value]) => {
    const copy = structuredClone(good ?? {}) as Record<string, unknown>;
    let holder = copy;
    for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
    holder[path.at(-1) as string] = value;
    return copy as unknown;
  });
  return fc.oneof({ weight: 3, arbitrary: replaced }, { weight: 1, arbitrary: fc.jsonValue() });
}

const posts = (Object.keys(calls) as CallName[]).filter((name) => calls[name].method === 'POST');

describe('REL-7 500 malformed bodies', () => {
  test.each(posts)('%s: each is refused in the envelope with a 4xx', async (name) => {
    const definition = contract[name] as CallDefinition;
    const probe = createCallProbe(name, 'fanilo');
    await fc.assert(
      fc.asyncProperty(spoilt(probe.payload), async (payload) => {
        // A replaced value may happen to be valid.
        fc.pre(!definition.body?.safeParse(payload).success);
        const text = JSON.stringify(payload);
        const headers = { ...probe.headers, 'content-type': 'application/json' };
        const answer = await running.portal.http.inject({ ...probe, headers, payload: text });
        expect(answer.statusCode, text.slice(0, 200)).toBeGreaterThanOrEqual(400);
        expect(answer.statusCode, text.slice(0, 200)).toBeLessThan(500);
        expect(failureEnvelope.safeParse(answer.json()).success).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
