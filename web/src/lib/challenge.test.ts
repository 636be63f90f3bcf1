import type { TransportRequest } from '@portal/contract/render-page.ts';
import { isWorkDone } from '@portal/domain/challenge/proof-of-work.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { describe, expect, test } from 'vitest';
import { createApi, fallbackWords } from './api.ts';
import { challengeShare, onChallenge, solveChallenge } from './challenge.ts';

const challenge = {
  token: 'token',
  salt: 'ab'.repeat(16),
  bits: 15,
  question: { left: 2, right: 2 },
  waitSeconds: 10,
};
const context = { operator: pack, language: 'EN', words: fallbackWords({}) };
const needed = { statusCode: 'CHALLENGE_NEEDED', status: 'failure', message: 'first', error: { challenge } };
const success = { statusCode: 200, status: 'success', message: 'OK', result: { refId: 'id' } };
const body = { data: { msisdn: '0390000001' } };

/** Responds with these in order; the last one is repeated. */
function answering(...answers: object[]) {
  const sent: TransportRequest[] = [];
  const transport = async (request: TransportRequest) => {
    sent.push(request);
    return { status: 200, body: answers[Math.min(sent.length, answers.length) - 1] };
  };
  return { sent, transport };
}
const shown = (sent: TransportRequest[]) => sent.map(({ headers }) => headers?.['x-challenge']);

describe('SEC-19 a call that requires a proof of work', () => {
  test('is retried with the solution, transparently to the caller', async () => {
    const { sent, transport } = answering(needed, success);
    const api = createApi(transport, { ...context, solve: async ({ token }) => `${token} solved` });
    expect(await api('sendCode', { body, headers: { own: 'kept' } })).toMatchObject({
      ok: true,
      result: { refId: 'id' },
    });
    expect(shown(sent)).toEqual([undefined, 'token solved']);
    expect(sent[1]).toMatchObject({ body, headers: { own: 'kept' } });
  });

  test('is retried three times at most, and not without a solver, after an abort, or without a challenge', async () => {
    const tries = async (solve?: () => Promise<string | null>) => {
      const { sent, transport } = answering(needed);
      const answer = await createApi(transport, { ...context, ...(solve ? { solve } : {}) })('sendCode', { body });
      expect(answer).toMatchObject({ ok: false, code: 'CHALLENGE_NEEDED', challenge });
      return sent.length;
    };
    expect(await tries(async () => 'solved')).toBe(4);
    expect(await tries()).toBe(1);
    expect(await tries(async () => null)).toBe(1);
    expect(await tries(() => Promise.reject(new Error('the script did not come')))).toBe(1);
  });
});

describe('SEC-19 the solver', () => {
  test('works in slices that keep the page responsive, and reports progress', async () => {
    const shares: (number | null)[] = [];
    const stop = onChallenge(() => shares.push(challengeShare()));
    let ticks = 0;
    const clock = setInterval(() => {
      ticks += 1;
    });
    const solved = await solveChallenge({ ...challenge, bits: 18 });
    clearInterval(clock);
    stop();
    const [token, by, numbers = ''] = solved?.split('.') ?? [];
    expect([token, by]).toEqual(['token', 'work']);
    expect(isWorkDone(challenge.salt, 18, numbers)).toBe(true);
    expect(ticks).toBeGreaterThan(0);
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBeNull();
    const told = shares.slice(0, -1) as number[];
    expect(told).toEqual([...told].sort((one, other) => one - other));
    expect(challengeShare()).toBeNull();
  });

  test('stops when it is aborted', async () => {
    const control = new AbortController();
    const working = solveChallenge({ ...challenge, bits: 34 }, control.signal);
    setTimeout(() => control.abort(), 30);
    expect(await working).toBeNull();
    expect(challengeShare()).toBeNull();
  });
});
