import { Alert, Anchor, List, Stack, Text } from '@mantine/core';
import type { Permission } from '@portal/contract/console/permissions.ts';
import type { Held, UnderWay } from '@portal/contract/console/persons.ts';
import { Link } from 'wouter';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { useMay } from '../lib/use-me.ts';
import { useStateWords } from '../lib/use-state-words.ts';
import { Rows } from '../ui/rows.tsx';

interface Props {
  held: readonly Held[];
  underWay: readonly UnderWay[];
}

/** What is held about a person, and what becomes of it: whoever proposes an erasure and whoever approves it read the same. */
export function HeldRows({ held, underWay }: Props) {
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
          { title: 'col.oldest', cell: ({ oldest }) => (oldest ? time(oldest) : '') },
          { title: 'col.ending', cell: ({ ending }) => say(`erase.${ending}`) },
          { title: 'col.open', cell: (row) => row.open, isNumber: true },
        ]}
      />
      {open > 0 && (
        <Alert color="yellow" variant="light">
          <Text size="sm">{say('erase.open', { count: open })}</Text>
          {underWay.length > 0 && (
            <List size="sm" mt="xs" aria-label={say('col.open')}>
              {underWay.map((one) => (
                <List.Item key={`${one.kind} ${one.id}`}>
                  <Named thing={one} />
                </List.Item>
              ))}
            </List>
          )}
        </Alert>
      )}
    </Stack>
  );
}

const whereIs: Partial<Record<UnderWay['kind'], { path: string; permission: Permission }>> = {
  payment: { path: 'payments', permission: 'payments.find' },
  ticket: { path: 'tickets', permission: 'tickets.read' },
  proposal: { path: 'approvals', permission: 'approvals.list' },
  lead: { path: 'leads', permission: 'leads.read' },
};

/** Linked for who may open it; others can name it to a colleague. */
function Named({ thing: { kind, id, name, state, type } }: { thing: UnderWay }) {
  const { say, sayOr } = useLanguage();
  const stateWords = useStateWords();
  const may = useMay();
  const states = {
    payment: () => stateWords(state, type),
    ticket: () => sayOr(`ticketState.${state}`),
    proposal: () => sayOr(`approvals.kind.${state}`),
    lead: () => sayOr(`leadStage.${state}`),
    wallet: () => '',
  };
  const words = [`${say(`underWay.${kind}`)} ${name}`.trim(), states[kind]()].filter(Boolean).join(' · ');
  const place = whereIs[kind];
  if (!place || !may(place.permission)) return words;
  return (
    <Anchor component={Link} href={`/${place.path}/${id}`} size="sm">
      {words}
    </Anchor>
  );
}
