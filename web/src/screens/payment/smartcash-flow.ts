import type { Failure } from '../../lib/api.ts';
import type { PinChallenge } from '../../lib/pin-encryption.ts';
import { afterRefusal, firstEntry, isStale, type Locked, type PinEntry, type WalletProof } from './pin-entry.ts';

/** SmartCash: the number is sealed, a code proves it, the payment is registered, and only then is the PIN asked for. */
export type SmartCashFlow =
  | { at: 'form'; failure: Failure | null }
  | { at: 'sealing' }
  | { at: 'code'; sealed: string }
  /** Before the first PIN, and again after a wrong or late one. */
  | ({ at: 'registering' } & Signed)
  | ({ at: 'pin'; challenge: PinChallenge } & Signed)
  | ({ at: 'sending'; challenge: PinChallenge } & Signed)
  | Locked;

interface Signed {
  sealed: string;
  proof: WalletProof;
  entry: PinEntry;
  /** The dialog is open from the first challenge on. */
  isAsking: boolean;
}

export type SmartCashEvent =
  | { type: 'proceed' }
  | { type: 'sealed'; sealed: string }
  | { type: 'verified'; proof: WalletProof }
  | { type: 'registered'; challenge: PinChallenge }
  | { type: 'submit'; now: number }
  | { type: 'refused'; failure: Failure }
  | { type: 'close' };

export const firstSmartCashFlow: SmartCashFlow = { at: 'form', failure: null };

export function smartCashFlow(flow: SmartCashFlow, event: SmartCashEvent): SmartCashFlow {
  switch (event.type) {
    case 'proceed':
      return flow.at === 'form' ? { at: 'sealing' } : flow;
    case 'sealed':
      return flow.at === 'sealing' ? { at: 'code', sealed: event.sealed } : flow;
    case 'verified':
      return flow.at === 'code'
        ? { at: 'registering', sealed: flow.sealed, proof: event.proof, entry: firstEntry, isAsking: false }
        : flow;
    case 'registered':
      return flow.at === 'registering' ? { ...flow, at: 'pin', challenge: event.challenge, isAsking: true } : flow;
    case 'submit': {
      if (flow.at !== 'pin' || flow.entry.attemptsLeft <= 0) return flow;
      const entry = { ...flow.entry, problem: null };
      return { ...flow, entry, at: isStale(flow.challenge, event.now) ? 'registering' : 'sending' };
    }
    case 'refused':
      return refused(flow, event.failure);
    case 'close':
      return firstSmartCashFlow;
  }
}

function refused(flow: SmartCashFlow, failure: Failure): SmartCashFlow {
  if (flow.at === 'sealing') return { at: 'form', failure };
  if (flow.at !== 'registering' && flow.at !== 'sending') return flow;
  const { sealed, proof, isAsking } = flow;
  const entry = afterRefusal(flow.entry, failure);
  if (entry !== 'over' && 'at' in entry) return entry;
  if (entry === 'over' || flow.at === 'registering') return { at: 'form', failure };
  return { at: 'registering', sealed, proof, entry, isAsking };
}
