import { toastSeconds } from '@portal/domain/constants.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { sessionCache } from '../../lib/cache.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { usePage } from '../../lib/page.tsx';
import type { QueryData } from '../../lib/session.ts';
import { showToast } from '../../ui/toast-store.ts';
import { type Converted, fetchConversion } from './payment-order.ts';

type Known = Converted | 'failed' | null;

/** Shorter than the server keeps its promise, so that what is shown can still be paid. */
const keepSeconds = 600;

/** From the server with the page, from a moment ago, or asked for now; a failure is told once, in passing. */
export function useConversion(order: QueryData, loaded: Converted | null): { converted: Known; renew: () => void } {
  const { t, api, operator } = usePage();
  const hydrated = useHydrated();
  const key = `exchange:${operator.secondCurrency?.code}:${order.amount}`;
  const [fetched, setFetched] = useState<Known>(null);
  const [isRenewed, setRenewed] = useState(false);
  const [round, setRound] = useState(0);
  const kept = hydrated && !isRenewed ? sessionCache.read<Converted>(key) : null;
  const converted = fetched ?? (isRenewed ? null : (kept ?? loaded));
  const isMissing = converted === null && operator.secondCurrency !== undefined;

  // What came with the page goes on with the next one: the same promise, and so the same payment.
  useEffect(() => {
    if (loaded && !sessionCache.read(key)) sessionCache.write(key, loaded, keepSeconds);
  }, [loaded, key]);

  const tell = useEffectEvent(() =>
    showToast({
      kind: 'error',
      heading: t('common.error'),
      message: t('payment.conversionFailed'),
      seconds: toastSeconds.short,
    }),
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the order, `round` asks again
  useEffect(() => {
    if (!isMissing) return;
    const abort = new AbortController();
    fetchConversion(api, order, operator, abort.signal)?.then((answer) => {
      if (abort.signal.aborted) return;
      if (answer.ok) sessionCache.write(key, answer.result, keepSeconds);
      else tell();
      setFetched(answer.ok ? answer.result : 'failed');
    });
    return () => abort.abort();
  }, [api, key, isMissing, round]);

  /** A promise that was not kept is forgotten; one that never came is asked for once more. */
  function renew() {
    setRenewed(true);
    setFetched(null);
    setRound(round + 1);
  }
  return { converted, renew };
}
