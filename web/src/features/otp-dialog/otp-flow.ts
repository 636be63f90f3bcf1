import * as errorCodes from '@portal/contract/error-codes.ts';
import { oneTimeCode } from '@portal/domain/constants.ts';
import { type Failure, saidBy } from '../../lib/api.ts';

/** A code was sent and can be entered. */
interface Sent {
  id: string;
  /** Attempts left as the server counts them; null until it has told us. */
  attemptsLeft: number | null;
  /** When another code may be requested, in milliseconds. */
  resendAt: number;
  /** How many codes were sent; each one restarts the countdown. */
  sends: number;
  isResending: boolean;
  problem: Problem | null;
}

export type Problem = { kind: 'wrongCode'; said?: string } | { text: string };

export type OtpFlow =
  /** No code was sent yet. */
  | { at: 'start' }
  | { at: 'sending' }
  | ({ at: 'entry' } & Sent)
  | ({ at: 'checking' } & Sent)
  /** No attempts left. */
  | { at: 'locked'; said?: string }
  /** No code can be sent to this number for now. */
  | { at: 'maxLimit'; said?: string }
  /** Shows the reason, then closes by itself. */
  | { at: 'closing'; code: number | string; message: string }
  /** The code was not sent and may be requested again. Null where the server gave no reason. */
  | { at: 'notSent'; message: string | null };

export type OtpEvent =
  | { type: 'send' }
  | { type: 'sent'; id: string; now: number }
  | { type: 'submit' }
  | { type: 'resend' }
  | { type: 'failed'; failure: Failure; now: number };

export const firstOtpFlow: OtpFlow = { at: 'start' };
export const closeAfterMs = oneTimeCode.errorCloseSeconds * 1000;

export function otpFlow(flow: OtpFlow, event: OtpEvent): OtpFlow {
  switch (event.type) {
    case 'send':
      return flow.at === 'start' || flow.at === 'notSent' ? { at: 'sending' } : flow;
    case 'sent':
      return sent(flow, event.id, event.now);
    case 'submit':
      return flow.at === 'entry' && !flow.isResending ? { ...flow, at: 'checking', problem: null } : flow;
    case 'resend':
      return flow.at === 'entry' && !flow.isResending ? { ...flow, isResending: true, problem: null } : flow;
    case 'failed':
      return failed(flow, event.failure, event.now);
  }
}

function sent(flow: OtpFlow, id: string, now: number): OtpFlow {
  const resendAt = now + oneTimeCode.resendSeconds * 1000;
  if (flow.at === 'sending')
    return { at: 'entry', id, attemptsLeft: null, resendAt, sends: 1, isResending: false, problem: null };
  if (flow.at === 'entry' && flow.isResending)
    return { ...flow, id, resendAt, sends: flow.sends + 1, isResending: false };
  return flow;
}

function failed(flow: OtpFlow, failure: Failure, now: number): OtpFlow {
  if (flow.at !== 'sending' && flow.at !== 'checking' && !(flow.at === 'entry' && flow.isResending)) return flow;
  switch (failure.code) {
    case errorCodes.attemptsExhausted:
      return { at: 'locked', ...saidBy(failure) };
    case errorCodes.maxLimit:
      return { at: 'maxLimit', ...saidBy(failure) };
    case errorCodes.invalidWalletUser:
      return { at: 'closing', code: failure.code, message: failure.message };
  }
  if (flow.at === 'sending')
    return failure.code === errorCodes.codeRefused
      ? { at: 'closing', code: failure.code, message: failure.message }
      : { at: 'notSent', message: failure.isSaid ? failure.message : null };
  const open = { ...flow, at: 'entry', isResending: false } as const;
  if (failure.code === errorCodes.wrongCode) {
    const attemptsLeft = failure.attemptsLeft ?? (flow.attemptsLeft ?? oneTimeCode.attempts) - 1;
    return attemptsLeft > 0
      ? { ...open, attemptsLeft, problem: { kind: 'wrongCode', ...saidBy(failure) } }
      : { at: 'locked' };
  }
  // Requested too early: the code that was sent is still valid.
  if (failure.retryAfterSeconds !== undefined && flow.isResending) {
    const resendAt = now + failure.retryAfterSeconds * 1000;
    return { ...open, resendAt, sends: flow.sends + 1, problem: { text: failure.message } };
  }
  if (failure.code === errorCodes.codeRefused) return { at: 'closing', code: failure.code, message: failure.message };
  return { ...open, problem: { text: failure.message } };
}
