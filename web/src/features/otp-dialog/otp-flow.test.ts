import { describe, expect, test } from 'vitest';
import type { Failure, FailureCode } from '../../lib/api.ts';
import { closeAfterMs, firstOtpFlow, type OtpEvent, type OtpFlow, otpFlow } from './otp-flow.ts';

const now = 1_000_000;
const failure = (code: FailureCode, more: Partial<Failure> = {}): OtpEvent => ({
  type: 'failed',
  failure: { ok: false, code, message: 'said by the server', ...more },
  now,
});
const run = (...events: OtpEvent[]): OtpFlow => events.reduce(otpFlow, firstOtpFlow);
const sent: OtpEvent[] = [{ type: 'send' }, { type: 'sent', id: 'ref', now }];
const tried = (event: OtpEvent) => run(...sent, { type: 'submit' }, event);

describe('sending', () => {
  test('OTP-2 a sent code can be entered, and another asked for after 60 s', () => {
    expect(run({ type: 'send' })).toEqual({ at: 'sending' });
    expect(run(...sent)).toMatchObject({ at: 'entry', id: 'ref', resendAt: now + 60_000, attemptsLeft: null });
  });

  test('OTP-3 502 is the limit, 4001 and 400 are told and close after 11 s', () => {
    expect(closeAfterMs).toBe(11_000);
    expect(run({ type: 'send' }, failure(502))).toEqual({ at: 'maxLimit' });
    for (const code of [4001, 400] as const)
      expect(run({ type: 'send' }, failure(code))).toEqual({ at: 'closing', code, message: 'said by the server' });
  });

  test('a code that never left may be asked for again', () => {
    const flow = run({ type: 'send' }, failure('OFFLINE'));
    expect(flow).toEqual({ at: 'notSent', message: null });
    expect(otpFlow(flow, { type: 'send' })).toEqual({ at: 'sending' });
  });
});

describe('entering', () => {
  test('OTP-2 a wrong code shows what the server counted, and stays open', () => {
    expect(tried(failure(2003, { attemptsLeft: 3 }))).toMatchObject({
      at: 'entry',
      attemptsLeft: 3,
      problem: { kind: 'wrongCode' },
    });
  });

  test('OTP-2 without the server’s count one is taken off; none left locks, and so does 2002', () => {
    expect(tried(failure(2003))).toMatchObject({ at: 'entry', attemptsLeft: 4 });
    expect(tried(failure(2003, { attemptsLeft: 0 }))).toEqual({ at: 'locked' });
    expect(tried(failure(2002, { attemptsLeft: 0 }))).toEqual({ at: 'locked' });
  });

  test('D15 a wrong code, no tries left and the limit are told in the server’s words where it said any', () => {
    const isSaid = { isSaid: true } as const;
    const said = 'said by the server';
    expect(tried(failure(2003, { attemptsLeft: 3, ...isSaid }))).toMatchObject({
      problem: { kind: 'wrongCode', said },
    });
    expect(tried(failure(2002, isSaid))).toEqual({ at: 'locked', said });
    expect(run({ type: 'send' }, failure(502, isSaid))).toEqual({ at: 'maxLimit', said });
    // The last try is over, and what was said of it does not say so.
    expect(tried(failure(2003, { attemptsLeft: 0, ...isSaid }))).toEqual({ at: 'locked' });
  });

  test('OTP-2 nothing unlocks', () => {
    const locked = tried(failure(2002));
    for (const event of [...sent, { type: 'submit' }, { type: 'resend' }, failure(2003)] as OtpEvent[])
      expect(otpFlow(locked, event)).toBe(locked);
  });

  test('OTP-3 4001 and 400 on verifying are told and close', () => {
    expect(tried(failure(4001))).toMatchObject({ at: 'closing', code: 4001 });
    expect(tried(failure(400))).toMatchObject({ at: 'closing', message: 'said by the server' });
  });

  test('D15 why a code never left is told in the words of the server', () => {
    expect(run({ type: 'send' }, failure('UNAVAILABLE', { isSaid: true }))).toEqual({
      at: 'notSent',
      message: 'said by the server',
    });
  });

  test('an answer that did not come leaves the code to be tried again', () => {
    expect(tried(failure('TIMEOUT'))).toMatchObject({
      at: 'entry',
      id: 'ref',
      problem: { text: 'said by the server' },
      attemptsLeft: null,
    });
  });

  test('a second code is not sent off while the first is being checked', () => {
    const checking = run(...sent, { type: 'submit' });
    expect(otpFlow(checking, { type: 'submit' })).toBe(checking);
    expect(otpFlow(checking, { type: 'resend' })).toBe(checking);
  });
});

describe('sending again', () => {
  const resending = run(...sent, { type: 'resend' });

  test('OTP-2 a newer code starts a countdown of its own and keeps the tries', () => {
    expect(otpFlow(resending, { type: 'sent', id: 'newer', now: now + 70_000 })).toMatchObject({
      at: 'entry',
      id: 'newer',
      resendAt: now + 130_000,
      sends: 2,
      isResending: false,
    });
  });

  test('asked for too early, the code that was sent stays good and the wait is the server’s', () => {
    expect(otpFlow(resending, failure(400, { retryAfterSeconds: 12 }))).toMatchObject({
      at: 'entry',
      id: 'ref',
      resendAt: now + 12_000,
      isResending: false,
    });
  });

  test('OTP-3 refused or over the limit, it is told', () => {
    expect(otpFlow(resending, failure(400))).toMatchObject({ at: 'closing' });
    expect(otpFlow(resending, failure(502))).toEqual({ at: 'maxLimit' });
  });
});
