import { expect, test, vi } from 'vitest';
import { processToGateway } from './gateway-address.ts';

type Processed = Awaited<ReturnType<Parameters<typeof processToGateway>[0]>>;

const slow: Processed = { ok: true, result: { transactionId: 'id', status: 'REQUEST_REGISTERED', next: 'await' } };
const led: Processed = {
  ok: true,
  result: { ...slow.result, status: 'ALREADY_PROCESSED', next: 'redirect', redirectUrl: 'https://pay.example/1' },
};
const over: Processed = { ok: true, result: { ...slow.result, status: 'FAILED', next: 'done' } };
const lost: Processed = { ok: false, code: 'TIMEOUT', message: '' };

const wait = async () => {};
const answering = (...answers: Processed[]) => vi.fn(async () => answers.shift() ?? slow);

test('CRD-3 a slow gateway is polled until it gives its URL', async () => {
  const process = answering(slow, slow, led);
  expect(await processToGateway(process, wait)).toBe(led);
  expect(process).toHaveBeenCalledTimes(3);
});

test('CRD-3 a final state, a failure and a URL end the polling', async () => {
  for (const answer of [led, over, lost]) {
    const process = answering(answer);
    expect(await processToGateway(process, wait)).toBe(answer);
    expect(process).toHaveBeenCalledTimes(1);
  }
});

test('CRD-3 after ten polls the status page follows', async () => {
  const process = answering();
  expect(await processToGateway(process, wait)).toBe(slow);
  expect(process).toHaveBeenCalledTimes(10);
});
