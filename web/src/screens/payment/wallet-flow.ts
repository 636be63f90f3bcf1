import type { Failure } from '../../lib/api.ts';
import { afterRefusal, firstEntry, type Locked, type PinEntry, type WalletProof } from './pin-entry.ts';

/** The brand's wallet with a PIN: code, PIN, then the payment is registered and processed in one go. */
export type WalletFlow =
  | { at: 'form'; failure: Failure | null }
  | { at: 'code' }
  | { at: 'pin'; proof: WalletProof; entry: PinEntry }
  | { at: 'sending'; proof: WalletProof; entry: PinEntry }
  | Locked;

export type WalletEvent =
  | { type: 'proceed' }
  | { type: 'verified'; proof: WalletProof }
  | { type: 'submit' }
  | { type: 'refused'; failure: Failure }
  /** Another question comes first; the PIN is entered again after it. */
  | { type: 'interrupted' }
  | { type: 'close' };

export const firstWalletFlow: WalletFlow = { at: 'form', failure: null };

export function walletFlow(flow: WalletFlow, event: WalletEvent): WalletFlow {
  switch (event.type) {
    case 'proceed':
      return flow.at === 'form' ? { at: 'code' } : flow;
    case 'verified':
      return flow.at === 'code' ? { at: 'pin', proof: event.proof, entry: firstEntry } : flow;
    case 'submit':
      return flow.at === 'pin' && flow.entry.attemptsLeft > 0
        ? { ...flow, at: 'sending', entry: { ...flow.entry, problem: null } }
        : flow;
    case 'interrupted':
      return flow.at === 'sending' ? { ...flow, at: 'pin' } : flow;
    case 'refused': {
      if (flow.at !== 'sending') return flow;
      const entry = afterRefusal(flow.entry, event.failure);
      if (entry !== 'over' && 'at' in entry) return entry;
      return entry === 'over' ? { at: 'form', failure: event.failure } : { ...flow, at: 'pin', entry };
    }
    case 'close':
      return firstWalletFlow;
  }
}
