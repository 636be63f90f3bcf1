import { Text } from '@mantine/core';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import type { ListedPayment } from '../pages/payment-rows.ts';

/** The amount of a payment; both amounts where the provider took another one than requested. */
export function PaymentAmount({
  of: { amount, currency, taken },
}: {
  of: Pick<ListedPayment, 'amount' | 'currency' | 'taken'>;
}) {
  const { say } = useLanguage();
  const { money } = useFormat();
  if (!taken) return money(amount, currency);
  return (
    <span>
      <Text style={{ whiteSpace: 'nowrap' }} span inherit display="block">
        {say('sum.asked', { amount: money(amount, currency) })}
      </Text>
      <Text style={{ whiteSpace: 'nowrap' }} span inherit display="block" fw={700}>
        {say('sum.taken', { amount: money(taken.amount, taken.currency) })}
      </Text>
    </span>
  );
}
