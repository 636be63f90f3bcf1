import { Anchor, Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { useMay } from '../lib/use-me.ts';
import { ReasonDialog } from '../ui/reason-dialog.tsx';

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

/** Ends the wait for the money of a lost request, and with it what keeps the request from being erased. */
export function MoneyBack({ lead: { id, version } }: { lead: Lead }) {
  const { say } = useLanguage();
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button variant="light" onClick={() => setAsked(true)}>
        {say('lead.moneyBack')}
      </Button>
      {isAsked && (
        <ReasonDialog
          title={say('lead.moneyBackTitle')}
          text={say('lead.moneyBackText')}
          action={say('lead.moneyBack')}
          close={() => setAsked(false)}
          draft={`money back ${id}`}
          act={async (reason) => {
            await call('leadMoneyBack', { id, version, reason });
            await queries.invalidateQueries({ queryKey: ['lead', id] });
            notifications.show({ message: say('people.done') });
          }}
        />
      )}
    </>
  );
}
