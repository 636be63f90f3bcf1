import { toastSeconds } from '@portal/domain/constants.ts';
import { useEffect, useState } from 'react';
import { sessionCache } from '../../lib/cache.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { usePage } from '../../lib/page.tsx';
import type { QueryData } from '../../lib/session.ts';
import { useCall } from '../../lib/use-call.ts';
import { showToast } from '../../ui/toast-store.ts';
import { type Converted, fetchConversion } from './payment-order.ts';

type Known = Converted | 'failed' | null;

/** Shorter than the validity of the server's quote, so that what is shown can still be paid. */
const keepSeconds = 600;

/** Rendered by the server, cached a moment ago, or requested now; a failure shows a toast once. */
export function useConversion(order: QueryData, loaded: Converted | null): { converted: Known; renew: () => void } {
  const { t, api, operator } = usePage();
  const hydrated = useHydrated();
  const key = `exchange:${operator.secondCurrency?.code}:${order.amount}`;
  const [isRenewed, setRenewed] = useState(false);
  const cached = hydrated && !isRenewed ? sessionCache.read<Converted>(key) : null;
  const known = isRenewed ? null : (cached ?? loaded);
  const call = useCall<Converted>(
    known === null && operator.secondCurrency ? key : null,
    async (signal) => {
      const answer = await fetchConversion(api, order, operator, signal);
      if (!answer) throw new Error('there is one currency');
      if (answer.ok) sessionCache.write(key, answer.result, keepSeconds);
      return answer;
    },
    {
      onFailed: () =>
        showToast({
          kind: 'error',
          heading: t('common.error'),
          message: t('payment.conversionFailed'),
          seconds: toastSeconds.short,
        }),
    },
  );

  // The quote that came with the page is used on the next page too: the same quote makes the same payment.
  useEffect(() => {
    if (loaded && !sessionCache.read(key)) sessionCache.write(key, loaded, keepSeconds);
  }, [loaded, key]);

  /** A refused quote is dropped; one that failed to load is requested once more. */
  function renew() {
    setRenewed(true);
    call.retry();
  }
  const requested = call.state === 'loaded' ? call.result : call.state === 'failed' ? 'failed' : null;
  return { converted: known ?? requested, renew };
}
