import type { ResultOf } from '@portal/contract/contract.ts';
import { useState } from 'react';
import { usePage } from '../../lib/page.tsx';
import { session } from '../../lib/session.ts';
import { useLive } from '../../lib/use-live.ts';
import { usePolling } from '../../lib/use-polling.ts';

/** The outcome of a payment already begun for this order. */
export type EarlierTry =
  | { state: 'none' }
  | { state: 'asking' }
  /** It failed: the order may be paid again. */
  | { state: 'failed' }
  /** The payer has not decided yet. */
  | { state: 'open'; transactionId: string; transaction: ResultOf<'transactionStatus'> }
  /** No response says whether it is open or paid. */
  | { state: 'unknown'; transactionId: string }
  /** Money moved. */
  | { state: 'taken'; transactionId: string };

const askAgainSeconds = 3;

/**
 * Pages admit states: Back, or a reload in the middle, does not offer to pay again while a payment is open. An open
 * payment is polled; `onDecided` is called when it is paid meanwhile.
 */
export function useEarlierTry(isOurs: boolean, onDecided: (transactionId: string) => void) {
  const { api } = usePage();
  // Read once the session holds this order: before that it may name a payment of another one. A payment begun on this page
  // afterwards is no earlier one.
  const [submitted, setSubmitted] = useState<string | null | undefined>(undefined);
  if (isOurs && submitted === undefined) setSubmitted(session.submitted.read());
  const id = isOurs && submitted ? submitted : null;
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
        // A payment known to be open counts as open until a response says otherwise.
        if (!wasOpen) setKnown({ state: 'unknown', transactionId });
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

  /** Going back without changing the number is no new attempt: its phone is not asked twice. */
  function payOtherwise(isSameAttempt = false) {
    setLeft(true);
    session.submitted.clear();
    if (!isSameAttempt) session.attempt.clear();
    setKnown({ state: 'none' });
  }
  const earlier: EarlierTry = known ?? (id ? { state: 'asking' } : { state: 'none' });
  return [earlier, payOtherwise] as const;
}
