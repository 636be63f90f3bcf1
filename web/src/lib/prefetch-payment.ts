import { paths } from '@portal/domain/paths.ts';
import { useEffect, useEffectEvent } from 'react';
import { usePage } from './page.tsx';

/** Somebody is about to pay: what the payment page needs comes while they still look at the form. */
export function usePrefetchedPayment(isLikely: boolean): void {
  const { prepare } = usePage();
  const ahead = useEffectEvent(() => prepare(paths.paymentStart));
  useEffect(() => {
    if (isLikely) ahead();
  }, [isLikely]);
}
