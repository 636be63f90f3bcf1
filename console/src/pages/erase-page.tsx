import { Anchor, Button, Card, Code, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { csvRow } from '@portal/domain/printable.ts';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { call, save } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useFormat } from '../lib/use-format.ts';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import { Rows } from '../ui/rows.tsx';
import { HeldRows } from './held-rows.tsx';

type Found = ConsoleResult<'searchPerson'>;
type Exported = ConsoleResult<'exportPerson'>;
type Asked = 'search' | 'shown' | 'json' | 'csv' | 'erase';

/** All data about a person: search, view, export, and erase with approval. The search text is in no URL. */
export function ErasePage() {
  const { say } = useLanguage();
  const [text, setText] = useState('');
  const [searched, setSearched] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const [shown, setShown] = useState<Exported | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    setAsked('search');
  }

  async function act(reason: string): Promise<void> {
    if (asked === 'search') {
      setFound(await call('searchPerson', { text, reason }));
      setSearched(text);
      setShown(null);
    } else if (asked === 'erase') {
      const { proposal } = await call('proposeErasure', { text: searched, reason });
      setFound(found && { ...found, proposal });
      notifications.show({ message: say('propose.done') });
    } else if (asked) {
      const exported = await call('exportPerson', { text: searched, reason, as: asked });
      if (asked === 'shown') setShown(exported);
      else download(exported, asked);
    }
  }

  return (
    <Stack>
      <Title order={1}>{say('erase.title')}</Title>
      <Text>{say('erase.text')}</Text>
      <form onSubmit={submit}>
        <Group align="end">
          <TextInput
            label={say('erase.label')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            minLength={3}
            maxLength={254}
            autoComplete="off"
            required
            miw={260}
          />
          <Button type="submit">{say('erase.search')}</Button>
        </Group>
      </form>
      {found && <HeldAbout found={found} ask={setAsked} />}
      {shown && <InFull exported={shown} />}
      {asked && (
        <ReasonDialog
          title={say(`erase.${asked}Title`)}
          text={say(asked === 'erase' ? 'erase.eraseText' : 'payment.revealText')}
          action={say(`erase.${asked}`)}
          close={() => setAsked(null)}
          draft={`person ${asked}`}
          act={act}
        />
      )}
    </Stack>
  );
}

function HeldAbout({ found, ask }: { found: Found; ask: (what: Asked) => void }) {
  const { masked, held, underWay, erasable, proposal } = found;
  const { say } = useLanguage();
  if (held.length === 0) return <Text role="status">{say('erase.none', { person: masked })}</Text>;
  return (
    <Card withBorder component="section" aria-label={say('erase.held')}>
      <Title order={2} size="h4" mb="xs">
        {say('erase.held')} · {masked}
      </Title>
      <Stack>
        <HeldRows held={held} underWay={underWay} />
        <Group>
          {(['shown', 'json', 'csv'] as const).map((as) => (
            <Button key={as} variant="default" onClick={() => ask(as)}>
              {say(`erase.${as}`)}
            </Button>
          ))}
          {proposal ? (
            <Anchor component={Link} href={`/approvals/${proposal}`}>
              {say('erase.proposed')}
            </Anchor>
          ) : (
            erasable > 0 && <Button onClick={() => ask('erase')}>{say('erase.erase')}</Button>
          )}
        </Group>
        {erasable === 0 && !proposal && <Text>{say('problem.nothingToErase')}</Text>}
      </Stack>
    </Card>
  );
}

function InFull({ exported }: { exported: Exported }) {
  const { say, sayOr } = useLanguage();
  const { time } = useFormat();
  const rows = exported.rows.map((row, index) => ({ ...row, index }));
  return (
    <Card withBorder component="section" aria-label={say('erase.full')}>
      <Title order={2} size="h4" mb="xs">
        {say('erase.full')}
      </Title>
      <Rows
        label={say('erase.full')}
        rows={rows}
        keyOf={({ index }) => String(index)}
        columns={[
          { title: 'col.kind', cell: ({ table }) => sayOr(`known.held.${table}`) },
          { title: 'col.when', cell: ({ at }) => time(at) },
          {
            title: 'col.says',
            cell: ({ values }) => (
              <Code style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {Object.entries(values)
                  .map(([name, value]) => `${name}: ${value}`)
                  .join('\n')}
              </Code>
            ),
          },
        ]}
      />
    </Card>
  );
}

function download({ rows }: Exported, as: 'json' | 'csv') {
  const lines = rows.flatMap(({ table, at, values }) =>
    Object.entries(values).map(([name, value]) => csvRow([table, at, name, value])),
  );
  const body =
    as === 'json' ? JSON.stringify(rows, null, 2) : [csvRow(['table', 'at', 'field', 'value']), ...lines].join('\r\n');
  save(new Blob([body], { type: as === 'json' ? 'application/json' : 'text/csv' }), `person.${as}`);
}
