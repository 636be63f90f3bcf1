import * as errorCodes from '@portal/contract/error-codes.ts';
import { walletPin } from '@portal/domain/constants.ts';
import { type Failure, saidBy } from '../../lib/api.ts';
import type { PinChallenge } from '../../lib/pin-encryption.ts';
import { ownCodes } from './payment-failure.ts';

/** State of the PIN dialog. The server counts attempts; closing the dialog resets only this. */
export interface PinEntry {
  attemptsLeft: number;
  problem: 'wrongPin' | 'unreadable' | 'again' | null;
  /** The server's message, if it gave one. */
  said?: string;
}

/** No further PIN is accepted. */
export interface Locked {
  at: 'locked';
  said?: string;
}

/** The result of a verified code: sent with every further call. */
export interface WalletProof {
  uniqueCode: string;
  authorization: string;
}

export const firstEntry: PinEntry = { attemptsLeft: walletPin.attempts, problem: null };

/** The state after a refusal; the flow handles lockout and other ends. */
export function afterRefusal(entry: PinEntry, failure: Failure): PinEntry | Locked | 'over' {
  switch (failure.code) {
    case errorCodes.walletLocked:
      return { at: 'locked', ...saidBy(failure) };
    case errorCodes.wrongPin:
    case errorCodes.wrongSmartCashPin: {
      const attemptsLeft = failure.attemptsLeft ?? entry.attemptsLeft - 1;
      return attemptsLeft > 0 ? { attemptsLeft, problem: 'wrongPin', ...saidBy(failure) } : { at: 'locked' };
    }
    case ownCodes.pinAgain:
      return { attemptsLeft: entry.attemptsLeft, problem: 'again' };
    case errorCodes.pinRefused:
      return { attemptsLeft: entry.attemptsLeft, problem: 'unreadable', ...saidBy(failure) };
    default:
      return 'over';
  }
}

/** The challenge has expired: a PIN encrypted for it would be refused. */
export function isStale({ expiresAt }: PinChallenge, now: number): boolean {
  return Date.parse(expiresAt) <= now;
}
