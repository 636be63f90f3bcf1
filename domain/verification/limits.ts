import { oneTimeCode, walletPin } from '../constants.ts';

const minute = 60;
const day = 24 * 60 * minute;

/** How long a code can be entered, and how long what it proved is worth something. */
export const codeLifeSeconds = 5 * minute;
export const proofLifeSeconds = 10 * minute;
export const tokenLifeSeconds = 15 * minute;

/** A PIN is encrypted for one transaction and is useless after this. */
export const pinLifeSeconds = 2 * minute;
export const pinKeyLifeSeconds = day;
export const walletLockSeconds = day;
/** How long a PIN that the wallet did not answer counts as if it were wrong. */
export const unansweredPinSeconds = 60 * minute;

/** Ten thousand numbers share it: who makes an SMS centre send to thousands of numbers takes them from one block. */
export function numberBlock(msisdn: string): string {
  return msisdn.slice(0, -4);
}

export function triesLeft(tries: number): number {
  return Math.max(oneTimeCode.attempts - tries, 0);
}

export function pinTriesLeft(wrong: number): number {
  return Math.max(walletPin.attempts - wrong, 0);
}

/** Seconds until another code may be asked for; null when it may be asked for now. */
export function resendWait(secondsSinceSent: number): number | null {
  const wait = Math.ceil(oneTimeCode.resendSeconds - secondsSinceSent);
  return wait > 0 ? wait : null;
}
