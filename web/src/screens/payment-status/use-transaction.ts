import { statusPoll } from '@portal/domain/constants.ts';
import { useEffect, useRef, useState } from 'react';
import { useOnline } from '../../lib/hydrated.ts';
import { usePage } from '../../lib/page.tsx';
import type { addressOf, Known, Transaction } from './status-words.ts';

/** While registered: five times, a second apart. Then more slowly until the end, so that nobody has to reload. */
export function pollDelayMs(transaction: Transaction, polls: number): number | null {
  if (transaction.final) return null;
  if (transaction.status === 'REQUEST_REGISTERED' && polls < statusPoll.attempts) return statusPoll.everySeconds * 1000;
  return Math.max(transaction.nextPollSeconds ?? 10, 2) * 1000;
}

const retryMs = 5_000;

export function useTransaction(address: ReturnType<typeof addressOf>, first: Known): Known {
  const { api } = usePage();
  const online = useOnline();
  const [known, setKnown] = useState<Known>(first);
  const isFinal = known.state === 'known' && known.transaction.final;
  const query = JSON.stringify(address);
  // A final state is asked for once more in another language, because its reason is told in words.
  const askedBy = useRef(api);

  useEffect(() => {
    if ((isFinal && askedBy.current === api) || !online || query.includes('"txnId":""')) return;
    askedBy.current = api;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let polls = 0;
    async function ask() {
      const answer = await api('transactionFetch', { query: JSON.parse(query), signal: abort.signal });
      if (abort.signal.aborted) return;
      if (answer.ok) {
        setKnown({ state: 'known', transaction: answer.result });
        const delay = pollDelayMs(answer.result, ++polls);
        if (delay !== null) timer = setTimeout(ask, delay);
      } else if (answer.code === 'NOT_FOUND' || answer.code === 'MALFORMED') setKnown({ state: 'missing' });
      else {
        // What was known stays on the page; only a page that knows nothing says that it could not ask.
        setKnown((before) => (before.state === 'known' ? before : { state: 'failed' }));
        timer = setTimeout(ask, retryMs);
      }
    }
    timer = setTimeout(ask, first.state === 'known' ? statusPoll.everySeconds * 1000 : 0);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [api, query, isFinal, online, first.state]);

  return known;
}
