import * as errorCodes from '@portal/contract/error-codes.ts';
import { walletPin } from '@portal/domain/constants.ts';
import { type Failure, saidBy } from '../../lib/api.ts';
import type { PinChallenge } from '../../lib/pin-encryption.ts';
import { ownCodes } from './payment-failure.ts';

/** What the PIN dialog shows. The server counts; closing the dialog resets only this. */
export interface PinEntry {
  attemptsLeft: number;
  problem: 'wrongPin' | 'unreadable' | 'again' | null;
  /** Of the problem, where the server said something. */
  said?: string;
}

/** No PIN is taken any more. */
export interface Locked {
  at: 'locked';
  said?: string;
}

/** What a verified code gave: it goes with every further call. */
export interface WalletProof {
  uniqueCode: string;
  authorization: string;
}

export const firstEntry: PinEntry = { attemptsLeft: walletPin.attempts, problem: null };

/** The entry after a refusal; that it is locked or over is for the whole flow to say. */
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

/** A PIN encrypted for this would come too late. */
export function isStale({ expiresAt }: PinChallenge, now: number): boolean {
  return Date.parse(expiresAt) <= now;
}
