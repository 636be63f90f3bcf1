import { Anchor, Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { call, save } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { personCsv, personJson, type ReadableRow, readableRows } from '../lib/person-export.ts';
import { useFormat } from '../lib/use-format.ts';
import { useStateWords } from '../lib/use-state-words.ts';
import { Disclosure } from '../ui/disclosure.tsx';
import { ReasonDialog } from '../ui/reason-dialog.tsx';
import { Rows } from '../ui/rows.tsx';
import { wrapped } from '../ui/wrapped.tsx';
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

  const readable = useReadable();
  const fileOf = (exported: Exported) => {
    const head = ['col.kind', 'col.when', 'col.field', 'col.value'] as const;
    return [readable(exported), head.map((key) => say(key)), say('erase.technical')] as const;
  };

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
      else download(asked === 'json' ? personJson(...fileOf(exported)) : personCsv(...fileOf(exported)), asked);
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

/** The export as it is handed over, in the reader's language. */
function useReadable(): (exported: Exported) => ReadableRow[] {
  const { sayOr } = useLanguage();
  const { time, money } = useFormat();
  const stateWords = useStateWords();
  return ({ rows }) => readableRows(rows, { sayOr, time, money, stateWords });
}

function InFull({ exported }: { exported: Exported }) {
  const { say } = useLanguage();
  const rows = useReadable()(exported).map((row, index) => ({ ...row, index }));
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
          { title: 'col.kind', cell: ({ kind }) => kind },
          { title: 'col.when', cell: ({ at }) => at },
          { title: 'col.says', cell: (row) => <Fields row={row} /> },
        ]}
      />
    </Card>
  );
}

function Fields({ row: { fields, technical } }: { row: ReadableRow }) {
  const { say } = useLanguage();
  const lines = (pairs: ReadableRow['fields']) =>
    pairs.map(([label, value]) => (
      <Text key={label} size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {say('app.named', { name: label })} {wrapped(value)}
      </Text>
    ));
  return (
    <Stack gap={2}>
      {lines(fields)}
      {technical.length > 0 && (
        <Disclosure label={say('erase.technical')}>{() => <Stack gap={2}>{lines(technical)}</Stack>}</Disclosure>
      )}
    </Stack>
  );
}

function download(body: string, as: 'json' | 'csv') {
  save(new Blob([body], { type: as === 'json' ? 'application/json' : 'text/csv' }), `person.${as}`);
}
