import { describe, expect, test, vi } from 'vitest';
import type { HttpAnswer, HttpCall } from '../http-client.ts';
import { exchangeRates } from './index.ts';

const start = Date.parse('2026-03-02T08:00:00Z');
const ok = (json: unknown): HttpAnswer => ({ kind: 'answer', status: 200, json });

/** A response as the service documents it. */
const answerOf = (rate: unknown, more: object = {}) =>
  ok({
    disclaimer: 'Usage subject to terms: https://openexchangerates.org/terms',
    license: 'https://openexchangerates.org/license',
    timestamp: start / 1000 - 3_600,
    base: 'USD',
    rates: { CDF: rate },
    ...more,
  });

function connect(answer: HttpAnswer) {
  let time = start;
  const call = vi.fn<(call: HttpCall) => Promise<HttpAnswer>>(async () => answer);
  const settings = {
    url: 'https://rates.example/api',
    key: 'secret-key',
    maxAgeHours: 24,
    plausible: { least: 1_000, most: 9_000 },
  };
  const rates = exchangeRates({ call }, settings, () => time);
  function pass(ms: number) {
    time += ms;
  }
  return { ask: () => rates.rate('USD', 'CDF'), call, pass };
}

test('PAY-5 requests one rate, with the key in a header and never in the URL, within four seconds', async () => {
  const { ask, call } = connect(answerOf(2_813.37));
  expect(await ask()).toEqual({
    kind: 'rate',
    rate: { from: 'USD', to: 'CDF', value: '2813.37', at: '2026-03-02T07:00:00.000Z' },
  });
  expect(call).toHaveBeenCalledWith({
    method: 'GET',
    url: 'https://rates.example/api/latest.json?base=USD&symbols=CDF',
    headers: { authorization: 'Token secret-key' },
    withinMs: 4_000,
  });
});

describe('PAY-5 a response that is not a valid current rate is never used', () => {
  test.each<[string, HttpAnswer]>([
    ['nothing', answerOf(0)],
    ['less than nothing', answerOf(-2_800)],
    ['no number', answerOf(Number.NaN)],
    ['null, as JSON writes it', answerOf(null)],
    ['words', answerOf('about 2800')],
    ['a hundred times too little', answerOf(28)],
    ['a hundred times too much', answerOf(280_000)],
    ['another currency', answerOf(2_800, { base: 'EUR' })],
    ['a rate that is missing', answerOf(2_800, { rates: {} })],
    ['a rate under the name of something else', answerOf(2_800, { rates: { XAF: 600 } })],
    ['a rate of the day before yesterday', answerOf(2_800, { timestamp: start / 1000 - 48 * 3_600 })],
    ['a rate of tomorrow', answerOf(2_800, { timestamp: start / 1000 + 24 * 3_600 })],
    ['a rate of no time', answerOf(2_800, { timestamp: undefined })],
    ['milliseconds for seconds', answerOf(2_800, { timestamp: start })],
    ['a page of HTML', { kind: 'silence', detail: 'HTTP 200 with a body that is not JSON' }],
    ['silence', { kind: 'silence', detail: 'TimeoutError' }],
    ['a refusal', { kind: 'answer', status: 401, json: { error: true, status: 401, message: 'invalid_app_id' } }],
    ['a failure', { kind: 'answer', status: 500, json: null }],
    ['a text', ok('2800')],
    ['a poisoned name', ok({ timestamp: start / 1000, base: 'USD', rates: JSON.parse('{"__proto__":{"CDF":2800}}') })],
  ])('%s', async (_what, answer) => {
    expect(await connect(answer).ask()).toMatchObject({ kind: 'unclear' });
  });

  test('for any response, a rate is a plain number within bounds', async () => {
    const values = [null, 0, -1, 1e308, 'x', '', [], {}, true, '2800', 2_800.5, 3e-7, start / 1000];
    const whole = { timestamp: start / 1000, base: 'USD', rates: { CDF: 2_800, XAF: 600 } };
    for (let seed = 1; seed < 500; seed += 1) {
      let state = seed;
      const mutated = JSON.parse(JSON.stringify(whole), (_key, value) => {
        state = (state * 48_271) % 2_147_483_647;
        return state % 4 === 0 ? values[state % values.length] : value;
      });
      const outcome = await connect(ok(mutated)).ask();
      if (outcome.kind !== 'rate') continue;
      expect(outcome.rate.value).toMatch(/^\d+(\.\d+)?$/);
      expect(Number(outcome.rate.value)).toBeGreaterThanOrEqual(1_000);
      expect(Number(outcome.rate.value)).toBeLessThanOrEqual(9_000);
    }
  });
});

test('PAY-5 a rate is cached for a minute, a failure is not cached', async () => {
  const kept = connect(answerOf(2_800));
  await Promise.all([kept.ask(), kept.ask(), kept.ask()]);
  kept.pass(59_000);
  await kept.ask();
  expect(kept.call).toHaveBeenCalledTimes(1);
  kept.pass(2_000);
  await kept.ask();
  expect(kept.call).toHaveBeenCalledTimes(2);
  const silent = connect({ kind: 'silence', detail: 'x' });
  await silent.ask();
  await silent.ask();
  expect(silent.call).toHaveBeenCalledTimes(2);
});
