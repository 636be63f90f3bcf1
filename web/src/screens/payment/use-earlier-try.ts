import { useEffect, useState } from 'react';
import { usePage } from '../../lib/page.tsx';
import { session } from '../../lib/session.ts';

/** What became of a payment that was already begun for this order. */
export type EarlierTry =
  | { state: 'none' }
  | { state: 'asking' }
  /** It did not go through: the order is free again. */
  | { state: 'failed' }
  /** `open`: the payer has not decided yet. `taken`: money moved, or nobody can say that it did not. */
  | { state: 'open' | 'taken'; transactionId: string };

/** Pages admit states: Back, or a reload in the middle, does not offer to pay once more what is being paid. */
export function useEarlierTry(isOurs: boolean): [EarlierTry, () => void] {
  const { api } = usePage();
  // As it was when the page opened: what is begun on it afterwards is not an earlier try.
  const [submitted] = useState(session.submitted.read);
  const id = isOurs ? submitted : null;
  const [known, setKnown] = useState<EarlierTry | null>(null);

  useEffect(() => {
    if (!id) return;
    const abort = new AbortController();
    api('transactionStatus', { query: { tid: id }, signal: abort.signal }).then((answer) => {
      if (abort.signal.aborted) return;
      if (!answer.ok) return setKnown({ state: 'taken', transactionId: id });
      const { status, moneyState } = answer.result;
      if (status === 'FAILED' && moneyState === 'notTaken') {
        session.submitted.clear();
        session.attempt.clear();
        return setKnown({ state: 'failed' });
      }
      const isOpen = moneyState === 'awaitingApproval' || moneyState === 'notTaken';
      setKnown({ state: isOpen ? 'open' : 'taken', transactionId: id });
    });
    return () => abort.abort();
  }, [api, id]);

  function payOtherwise() {
    session.submitted.clear();
    session.attempt.clear();
    setKnown({ state: 'none' });
  }
  return [known ?? (id ? { state: 'asking' } : { state: 'none' }), payOtherwise];
}
