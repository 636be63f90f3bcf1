import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Permission } from '@portal/contract/console/permissions.ts';
import { useState } from 'react';
import { useLanguage } from '../lib/language.tsx';
import { useMay } from '../lib/use-me.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { wrapped } from './wrapped.tsx';

interface Props {
  masked: string;
  permission: Permission;
  /** Names the draft of the typed reason. */
  draft: string;
  reveal: (reason: string) => Promise<{ value: string }>;
}

/** A masked value, revealed for a reason; masked again when the page is left. */
export function MaskedValue({ masked, permission, draft, reveal }: Props) {
  const { say } = useLanguage();
  const may = useMay();
  const [isOpen, dialog] = useDisclosure();
  const [value, setValue] = useState<string | null>(null);
  return (
    <Group gap="sm">
      <Text component="span">{wrapped(value ?? masked)}</Text>
      {value === null && may(permission) && (
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
          draft={`reveal ${draft}`}
          act={async (reason) => setValue((await reveal(reason)).value)}
        />
      )}
    </Group>
  );
}
