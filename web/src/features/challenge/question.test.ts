import { expect, test } from 'vitest';
import type { Failure } from '../../lib/api.ts';
import { answerHeaders, answerIn, questionAfter } from './question.ts';

const challenge = {
  token: 'token',
  salt: '00'.repeat(16),
  bits: 16,
  question: { left: 3, right: 9 },
  waitSeconds: 7,
};
const failure: Failure = { ok: false, code: 'CHALLENGE_NEEDED', message: '', challenge };

test('SEC-19 an answer in a posted form is sent as the call’s header, and no answer sends none', () => {
  const answered = answerIn({ challenge: 'token', answer: ' 1 2' });
  expect(answered).toBe('token.answer.12');
  expect(answerHeaders(answered)).toEqual({ 'x-challenge': 'token.answer.12' });
  for (const form of [{}, { challenge: 'token' }, { answer: '12' }, { challenge: 'token', answer: 'twelve' }] as Record<
    string,
    string
  >[])
    expect(answerHeaders(answerIn(form))).toEqual({});
});

test('SEC-19 a question after a refused answer says why: too early repeats the question, otherwise the sum was wrong', () => {
  const asked = { challenge: 'token', left: 3, right: 9, waitSeconds: 7 };
  expect(questionAfter(failure, undefined)).toEqual({ ...asked, problem: null });
  expect(questionAfter(failure, 'token.answer.12')).toEqual({
    ...asked,
    problem: { key: 'challenge.early', params: { seconds: 7 } },
  });
  expect(questionAfter(failure, 'another.answer.13')).toEqual({ ...asked, problem: { key: 'challenge.wrong' } });
  expect(questionAfter({ ok: false, code: 502, message: '' }, undefined)).toBeNull();
});
