import { randomUUID } from 'node:crypto';
import { callPath } from '@portal/contract/calls.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts';
import { type TestPortal, testPortal } from '../testing/portal.ts';

let sandbox: Sandbox;
let running: TestPortal;

beforeAll(async () => {
  sandbox = await startSandbox({});
  running = await testPortal(sandbox, { rateLimitScale: 100_000 });
});
afterAll(async () => {
  await running.stop();
  await sandbox.stop();
});

/**
 * The number of round trips to the database for one request: the minimum of many runs, because background jobs add
 * some.
 */
async function roundTrips(request: () => Promise<{ statusCode: number }>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const counts: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const before = query.mock.calls.length;
    expect((await request()).statusCode).toBe(200);
    counts.push(query.mock.calls.length - before);
  }
  query.mockRestore();
  return Math.min(...counts);
}

test('PRF-3 (what its rate is made of; the rate by npm run test:long) a payment is initiated in one round trip to the database, and a status is looked up in one', async () => {
  const { http } = running.portal;
  let line = 0;
  let transactionId = '';
  const initiate = async () => {
    line += 1;
    const number = `039${String(1_000_000 + line)}`;
    const answer = await http.inject({
      method: 'POST',
      url: callPath('initiate'),
      headers: { 'idempotency-key': randomUUID() },
      payload: {
        amount: 1_000,
        mobileNumber: number,
        paymentMobile: number,
        transactionType: 'PREPAID_RECHARGE',
        paymentMode: 'FANILO_MONEY',
      },
    });
    transactionId = answer.json().result.transactionId;
    return answer;
  };
  expect(await roundTrips(initiate)).toBe(1);
  const status = () =>
    http.inject({ method: 'GET', url: callPath('transactionStatus'), query: { tid: transactionId } });
  expect(await roundTrips(status)).toBe(1);
});
