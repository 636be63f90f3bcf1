import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import type { ReactNode } from 'react';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { Rows } from '../ui/rows.tsx';

type Passkey = ConsoleResult<'passkeys'>[number];

interface Props {
  label: string;
  rows: Passkey[];
  action: (passkey: Passkey) => ReactNode;
}

export function PasskeyRows({ label, rows, action }: Props) {
  const { say } = useLanguage();
  const { time } = useFormat();
  return (
    <Rows
      label={label}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: 'passkeys.name', cell: ({ name }) => name },
        { title: 'col.started', cell: ({ addedAt }) => time(addedAt) },
        { title: 'passkeys.used', cell: ({ usedAt }) => (usedAt ? time(usedAt) : say('passkeys.never')) },
        { title: 'col.actions', cell: action },
      ]}
    />
  );
}
