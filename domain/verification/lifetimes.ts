import { oneTimeCode, walletPin } from '../constants.ts';

const minute = 60;
const day = 24 * 60 * minute;

/** Lifetime of a code, and of the proof it gives. */
export const codeLifeSeconds = 5 * minute;
export const proofLifeSeconds = 10 * minute;
export const tokenLifeSeconds = 15 * minute;

/** A PIN is encrypted for one transaction and expires after this. */
export const pinLifeSeconds = 2 * minute;
export const pinKeyLifeSeconds = day;
export const walletLockSeconds = day;
/** How long a PIN attempt without a response counts like a wrong one. */
export const unansweredPinSeconds = 60 * minute;

/** Ten thousand numbers share a block: an attacker who sends SMS to thousands of numbers takes them from one. */
export function numberBlock(msisdn: string): string {
  return msisdn.slice(0, -4);
}

export function triesLeft(tries: number): number {
  return Math.max(oneTimeCode.attempts - tries, 0);
}

export function pinTriesLeft(wrong: number): number {
  return Math.max(walletPin.attempts - wrong, 0);
}

/** Seconds until another code may be requested; null if now. */
export function resendWait(secondsSinceSent: number): number | null {
  const wait = Math.ceil(oneTimeCode.resendSeconds - secondsSinceSent);
  return wait > 0 ? wait : null;
}
