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

  test('OTP-3 502 is the limit, 4001 and 400 are shown, and the dialog closes after 11 s', () => {
    expect(closeAfterMs).toBe(11_000);
    expect(run({ type: 'send' }, failure(502))).toEqual({ at: 'maxLimit' });
    for (const code of [4001, 400] as const)
      expect(run({ type: 'send' }, failure(code))).toEqual({ at: 'closing', code, message: 'said by the server' });
  });

  test('a code that could not be sent can be requested again', () => {
    const flow = run({ type: 'send' }, failure('OFFLINE'));
    expect(flow).toEqual({ at: 'notSent', message: null });
    expect(otpFlow(flow, { type: 'send' })).toEqual({ at: 'sending' });
  });
});

describe('entering', () => {
  test('OTP-2 a wrong code shows the server’s count, and the dialog stays open', () => {
    expect(tried(failure(2003, { attemptsLeft: 3 }))).toMatchObject({
      at: 'entry',
      attemptsLeft: 3,
      problem: { kind: 'wrongCode' },
    });
  });

  test('OTP-2 without the server’s count the tries are decremented; none left locks, and so does 2002', () => {
    expect(tried(failure(2003))).toMatchObject({ at: 'entry', attemptsLeft: 4 });
    expect(tried(failure(2003, { attemptsLeft: 0 }))).toEqual({ at: 'locked' });
    expect(tried(failure(2002, { attemptsLeft: 0 }))).toEqual({ at: 'locked' });
  });

  test('D15 a wrong code, no tries left and the limit show the server’s message where there is one', () => {
    const isSaid = { isSaid: true } as const;
    const said = 'said by the server';
    expect(tried(failure(2003, { attemptsLeft: 3, ...isSaid }))).toMatchObject({
      problem: { kind: 'wrongCode', said },
    });
    expect(tried(failure(2002, isSaid))).toEqual({ at: 'locked', said });
    expect(run({ type: 'send' }, failure(502, isSaid))).toEqual({ at: 'maxLimit', said });
    // The server's message for the last attempt does not say that there is none left.
    expect(tried(failure(2003, { attemptsLeft: 0, ...isSaid }))).toEqual({ at: 'locked' });
  });

  test('OTP-2 a locked flow stays locked', () => {
    const locked = tried(failure(2002));
    for (const event of [...sent, { type: 'submit' }, { type: 'resend' }, failure(2003)] as OtpEvent[])
      expect(otpFlow(locked, event)).toBe(locked);
  });

  test('OTP-3 4001 and 400 on verifying are shown, and the dialog closes', () => {
    expect(tried(failure(4001))).toMatchObject({ at: 'closing', code: 4001 });
    expect(tried(failure(400))).toMatchObject({ at: 'closing', message: 'said by the server' });
  });

  test('D15 a code that could not be sent shows the server’s message', () => {
    expect(run({ type: 'send' }, failure('UNAVAILABLE', { isSaid: true }))).toEqual({
      at: 'notSent',
      message: 'said by the server',
    });
  });

  test('a code whose verification got no response can be tried again', () => {
    expect(tried(failure('TIMEOUT'))).toMatchObject({
      at: 'entry',
      id: 'ref',
      problem: { text: 'said by the server' },
      attemptsLeft: null,
    });
  });

  test('a second code is not submitted while the first is being verified', () => {
    const checking = run(...sent, { type: 'submit' });
    expect(otpFlow(checking, { type: 'submit' })).toBe(checking);
    expect(otpFlow(checking, { type: 'resend' })).toBe(checking);
  });
});

describe('sending again', () => {
  const resending = run(...sent, { type: 'resend' });

  test('OTP-2 a resent code restarts the countdown and keeps the tries', () => {
    expect(otpFlow(resending, { type: 'sent', id: 'newer', now: now + 70_000 })).toMatchObject({
      at: 'entry',
      id: 'newer',
      resendAt: now + 130_000,
      sends: 2,
      isResending: false,
    });
  });

  test('a resend that is too early keeps the code valid, and the countdown is the server’s', () => {
    expect(otpFlow(resending, failure(400, { retryAfterSeconds: 12 }))).toMatchObject({
      at: 'entry',
      id: 'ref',
      resendAt: now + 12_000,
      isResending: false,
    });
  });

  test('OTP-3 a resend that is refused or over the limit is reported', () => {
    expect(otpFlow(resending, failure(400))).toMatchObject({ at: 'closing' });
    expect(otpFlow(resending, failure(502))).toEqual({ at: 'maxLimit' });
  });
});
