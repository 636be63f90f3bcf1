import type { ResultOf } from '@portal/contract/contract.ts';
import { useState } from 'react';
import { usePage } from '../../lib/page.tsx';
import { session } from '../../lib/session.ts';
import { usePolling } from '../../lib/use-call.ts';
import { useLive } from '../../lib/use-live.ts';

/** What became of a payment that was already begun for this order. */
export type EarlierTry =
  | { state: 'none' }
  | { state: 'asking' }
  /** It did not go through: the order is free again. */
  | { state: 'failed' }
  /** The payer has not decided yet. */
  | { state: 'open'; transactionId: string; transaction: ResultOf<'transactionStatus'> }
  /** Money moved, or nobody can say that it did not. */
  | { state: 'taken'; transactionId: string };

const askAgainSeconds = 3;

/**
 * Pages admit states: Back, or a reload in the middle, does not offer to pay once more what is being paid. While it is open
 * it is asked about again and again; `onDecided` when it is paid before our eyes.
 */
export function useEarlierTry(isOurs: boolean, onDecided: (transactionId: string) => void): [EarlierTry, () => void] {
  const { api } = usePage();
  // As it was when the page opened: what is begun on it afterwards is not an earlier try.
  const [submitted] = useState(session.submitted.read);
  const id = isOurs ? submitted : null;
  const [known, setKnown] = useState<EarlierTry | null>(null);
  const [isLeft, setLeft] = useState(false);
  const wasOpen = known?.state === 'open';

  const look = usePolling(
    isLeft ? null : id,
    async (signal) => {
      const transactionId = id ?? '';
      const answer = await api('transactionStatus', { query: { tid: transactionId }, signal });
      if (signal.aborted) return null;
      if (!answer.ok) {
        // What was known to be open is still so until somebody says otherwise.
        if (!wasOpen) setKnown({ state: 'taken', transactionId });
        return askAgainSeconds * 1000;
      }
      const { status, moneyState, nextPollSeconds } = answer.result;
      if (status === 'FAILED' && moneyState === 'notTaken') {
        session.submitted.clear();
        session.attempt.clear();
        setKnown({ state: 'failed' });
        return null;
      }
      if (moneyState !== 'awaitingApproval' && moneyState !== 'notTaken') {
        if (wasOpen) onDecided(transactionId);
        else setKnown({ state: 'taken', transactionId });
        return null;
      }
      setKnown({ state: 'open', transactionId, transaction: answer.result });
      return (nextPollSeconds ?? askAgainSeconds) * 1000;
    },
    0,
  );
  useLive(wasOpen && !isLeft ? id : null, look);

  function payOtherwise() {
    setLeft(true);
    session.submitted.clear();
    session.attempt.clear();
    setKnown({ state: 'none' });
  }
  return [known ?? (id ? { state: 'asking' } : { state: 'none' }), payOtherwise];
}
