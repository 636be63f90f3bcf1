import { useEffect, useEffectEvent } from 'react';
import { usePage } from './page.tsx';
import { paths } from './paths.ts';

/** Somebody is about to pay: what the payment page needs comes while they still look at the form. */
export function usePrefetchedPayment(isLikely: boolean): void {
  const { prepare } = usePage();
  const ahead = useEffectEvent(() => prepare(paths.paymentStart));
  useEffect(() => {
    if (isLikely) ahead();
  }, [isLikely]);
}
