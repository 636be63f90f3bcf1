import { Anchor, Stack, Text } from '@mantine/core';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { Link } from 'wouter';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { useMay } from '../lib/use-me.ts';

export type Lead = ConsoleResult<'lead'>;

/** What becomes of the money of a request that is lost. */
export function LostMoney({ lead: { money, amount, currency, paymentId } }: { lead: Lead }) {
  const { say } = useLanguage();
  const format = useFormat();
  const may = useMay();
  if (money === 'underWay') return <Text>{say('lead.money.underWay')}</Text>;
  if (money !== 'paid') return null;
  return (
    <Stack gap="xs">
      <Text>{say('lead.money.paid', { amount: format.money(amount, currency) })}</Text>
      <Text>{say('lead.money.paidNext')}</Text>
      {may('payments.find') && (
        <Anchor component={Link} href={`/payments/${paymentId}`}>
          {say('lead.toPayment')}
        </Anchor>
      )}
    </Stack>
  );
}
