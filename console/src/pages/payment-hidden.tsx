import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ConsoleInput } from '@portal/contract/console/contract.ts';
import { useState } from 'react';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useMay } from '../lib/use-me.ts';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import type { Story } from './payment-rows.ts';

interface Props {
  payment: Story;
  field: ConsoleInput<'reveal'>['field'];
  masked: string;
}

/** Masked, until somebody says why they have to see it; gone again with the page. */
export function Hidden({ payment, field, masked }: Props) {
  const { say } = useLanguage();
  const may = useMay();
  const [isOpen, dialog] = useDisclosure();
  const [value, setValue] = useState<string | null>(null);
  return (
    <Group gap="sm">
      <Text component="span">{value ?? masked}</Text>
      {value === null && may('payments.reveal') && (
        <Button size="compact-xs" variant="default" onClick={dialog.open}>
          {say('payment.reveal')}
        </Button>
      )}
      {isOpen && (
        <ReasonDialog
          title={say('payment.revealTitle')}
          text={say('payment.revealText')}
          action={say('payment.reveal')}
          close={dialog.close}
          draft={`reveal ${payment.id}`}
          act={async (reason) => setValue((await call('reveal', { id: payment.id, field, reason })).value)}
        />
      )}
    </Group>
  );
}
