import { Alert, Stack } from '@mantine/core';
import type { Held } from '@portal/contract/console/persons.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { Rows } from '../ui/rows.tsx';

/** What is held about a person, and what becomes of it: whoever proposes an erasure and whoever approves it read the same. */
export function HeldRows({ held }: { held: readonly Held[] }) {
  const { say, sayOr } = useLanguage();
  const { time } = useFormat();
  const open = held.reduce((sum, one) => sum + one.open, 0);
  return (
    <Stack>
      <Rows
        label={say('erase.held')}
        rows={held}
        keyOf={({ table }) => table}
        columns={[
          { title: 'col.kind', cell: ({ table }) => sayOr(`known.held.${table}`) },
          { title: 'col.count', cell: ({ count }) => count, isNumber: true },
          { title: 'col.oldest', cell: ({ oldest }) => time(oldest) },
          { title: 'col.ending', cell: ({ ending }) => say(`erase.${ending}`) },
          { title: 'col.open', cell: (row) => row.open, isNumber: true },
        ]}
      />
      {open > 0 && (
        <Alert color="yellow" variant="light">
          {say('erase.open', { count: open })}
        </Alert>
      )}
    </Stack>
  );
}
