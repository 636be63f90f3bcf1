import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { useLanguage } from './language.tsx';
import { useFormat } from './use-format.ts';

type Side = ConsoleResult<'payment'>['provider'];

/** One system's record of a payment as text, with amount and time. */
export function useSideWords(): (side: Side) => string {
  const { say, sayOr } = useLanguage();
  const { time, money } = useFormat();
  return ({ said, amount, currency, at }) =>
    said === null
      ? say('payment.notAsked')
      : [sayOr(`side.${said}`), amount !== null && currency ? money(amount, currency) : '', at ? time(at) : '']
          .filter(Boolean)
          .join(' · ');
}
