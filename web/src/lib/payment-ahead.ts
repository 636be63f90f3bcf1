import { useEffect } from 'react';
import { usePage } from './page.tsx';
import { paths } from './paths.ts';

/** Somebody is about to pay: what the payment page needs comes while they still look at the form. */
export function usePaymentAhead(isLikely: boolean): void {
  const { prepare } = usePage();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it has become likely
  useEffect(() => {
    if (isLikely) prepare(paths.paymentStart);
  }, [isLikely]);
}
