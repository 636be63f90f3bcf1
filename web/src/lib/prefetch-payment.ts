import { paths } from '@portal/domain/paths.ts';
import { useEffect, useEffectEvent } from 'react';
import { usePage } from './page.tsx';

/** Prefetches the payment page while the person still looks at the form. */
export function usePrefetchedPayment(isLikely: boolean): void {
  const { prepare } = usePage();
  const ahead = useEffectEvent(() => prepare(paths.paymentStart));
  useEffect(() => {
    if (isLikely) ahead();
  }, [isLikely]);
}
