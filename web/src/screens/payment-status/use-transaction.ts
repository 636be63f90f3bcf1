import { statusPoll } from '@portal/domain/constants.ts';
import { useState } from 'react';
import { useOnline } from '../../lib/hydrated.ts';
import { usePage } from '../../lib/page.tsx';
import { useLive } from '../../lib/use-live.ts';
import { usePolling } from '../../lib/use-polling.ts';
import type { addressOf, Known, Transaction } from './status-words.ts';

const liveSeconds = 30;

/**
 * While registered: five polls, a second apart; then slower until the payment is final, so that nobody has to reload.
 * With an open event stream it polls rarely.
 */
export function pollDelayMs(transaction: Transaction, polls: number, isLive = false): number | null {
  if (transaction.final) return null;
  if (transaction.status === 'REQUEST_REGISTERED' && polls < statusPoll.attempts) return statusPoll.everySeconds * 1000;
  return Math.max(transaction.nextPollSeconds ?? 10, isLive ? liveSeconds : 2) * 1000;
}

const retryMs = 5_000;

export function useTransaction(address: ReturnType<typeof addressOf>, first: Known): Known {
  const { api, language } = usePage();
  const online = useOnline();
  const [known, setKnown] = useState<Known>(first);
  const [toldIn, setToldIn] = useState(language.code);
  const isFinal = known.state === 'known' && known.transaction.final;
  // A final state is requested once more in another language, because the server translates its reason.
  const isOver = (isFinal && toldIn === language.code) || !online || address.txnId === '';

  const look = usePolling(
    isOver ? null : JSON.stringify([language.code, address]),
    async (signal, polls) => {
      const answer = await api('transactionFetch', { query: address, signal });
      if (signal.aborted) return null;
      if (answer.ok) {
        setKnown({ state: 'known', transaction: answer.result });
        setToldIn(language.code);
        return pollDelayMs(answer.result, polls + 1, isLive.current);
      }
      if (answer.code === 'NOT_FOUND' || answer.code === 'MALFORMED') {
        setKnown({ state: 'missing' });
        return null;
      }
      // Loaded data stays on the page; the failure is shown only where there is none.
      setKnown((before) => (before.state === 'known' ? before : { state: 'failed' }));
      return retryMs;
    },
    first.state === 'known' ? statusPoll.everySeconds * 1000 : 0,
  );
  const isLive = useLive(isOver || known.state !== 'known' ? null : known.transaction.transactionId, look);
  return known;
}
