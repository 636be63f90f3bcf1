import { Badge, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { SheetColumn, SheetName } from '@portal/contract/console/sheets.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { call, save as saveFile } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useAct } from '../lib/use-act.ts';
import { useCellWords } from '../lib/use-cell-words.ts';
import { useFormat } from '../lib/use-format.ts';
import { useMay } from '../lib/use-me.ts';
import { ProblemBox } from '../ui/problem-box.tsx';
import { type Column, Rows } from '../ui/rows.tsx';
import type { Sheet, SheetRow } from './sheet-dialog.tsx';
import { SheetEnd, SheetForm } from './sheet-form.tsx';
import { SheetImport } from './sheet-import.tsx';
import { WaitingProposals } from './waiting-proposals.tsx';

type Open = { act: 'import' } | { act: 'form' | 'end'; row: SheetRow | null };
const listings = ['planned', 'ended'] as const;

/** The current and scheduled rows of a table, with search and the actions to change it. */
export function SheetView({ name }: { name: SheetName }) {
  const { say } = useLanguage();
  const may = useMay();
  const [search, setSearch] = useSearchParams();
  const text = search.get('text') ?? '';
  const only = listings.find((one) => one === search.get('only'));
  const [typed, setTyped] = useState(text);
  const [open, setOpen] = useState<Open | null>(null);
  const listed = useInfiniteQuery({
    queryKey: ['sheet', name, text, only],
    queryFn: ({ pageParam }) => call('sheet', { sheet: name, text, only, after: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const [first] = listed.data?.pages ?? [];
  const sheet = first && { name, columns: first.columns, hasTimes: first.hasTimes };
  const rows = listed.data?.pages.flatMap((page) => page.rows) ?? [];
  const mayPropose = may('sheets.propose');

  function submit(event: FormEvent) {
    event.preventDefault();
    setSearch((before) => ({ ...Object.fromEntries(before), text: typed.trim() }));
  }
  const choose = (listing: string) => setSearch((before) => ({ ...Object.fromEntries(before), only: listing }));

  return (
    <Stack>
      <form onSubmit={submit}>
        <Group align="end">
          <TextInput
            type="search"
            label={say('sheet.search')}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            maxLength={100}
          />
          <Button type="submit" variant="default">
            {say('sheet.search')}
          </Button>
          <NativeSelect
            label={say('sheet.show')}
            value={only ?? ''}
            data={[
              { value: '', label: say('sheet.showNow') },
              ...(sheet?.hasTimes ? [{ value: 'planned', label: say('sheet.showPlanned') }] : []),
              { value: 'ended', label: say('sheet.showEnded') },
            ]}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        </Group>
      </form>
      <Group>
        {mayPropose && sheet && (
          <>
            <Button onClick={() => setOpen({ act: 'import' })}>{say('sheet.file')}</Button>
            <Button variant="default" onClick={() => setOpen({ act: 'form', row: null })}>
              {say('sheet.add')}
            </Button>
          </>
        )}
        <ExportButtons name={name} />
      </Group>
      <WaitingProposals kind={name === 'catalogue' ? 'catalogue' : 'places'} />
      {listed.error && <ProblemBox problem={listed.error} retry={() => void listed.refetch()} />}
      {listed.isPending && <Text role="status">{say('app.loading')}</Text>}
      {sheet && rows.length === 0 && <Text role="status">{say('sheet.none')}</Text>}
      {sheet && rows.length > 0 && <SheetRows sheet={sheet} rows={rows} open={mayPropose ? setOpen : null} />}
      {listed.hasNextPage && (
        <Button variant="default" onClick={() => listed.fetchNextPage()} loading={listed.isFetchingNextPage}>
          {say('app.more')}
        </Button>
      )}
      {sheet && open?.act === 'import' && <SheetImport sheet={sheet} close={() => setOpen(null)} />}
      {sheet && open?.act === 'form' && <SheetForm sheet={sheet} row={open.row} close={() => setOpen(null)} />}
      {sheet && open?.act === 'end' && open.row && (
        <SheetEnd sheet={sheet} row={open.row} close={() => setOpen(null)} />
      )}
    </Stack>
  );
}

function SheetRows({
  sheet,
  rows,
  open,
}: {
  sheet: Sheet;
  rows: readonly SheetRow[];
  /** Null for readers. */
  open: ((act: Open) => void) | null;
}) {
  const { code, say } = useLanguage();
  const { time } = useFormat();
  const words = useCellWords();
  /** A name in the reader's language, if the operator has it. */
  const readable = (column: SheetColumn) =>
    sheet.columns.find(({ label, language }) => language === code && label === column.label) ?? column;
  const listed = sheet.columns.filter(({ isListed }) => isListed).map((one) => (one.language ? readable(one) : one));
  const columns: Column<SheetRow>[] = [
    { title: 'col.code', cell: ({ key }) => key },
    ...listed.map(
      (column): Column<SheetRow> => ({
        title: `column.${column.label}` as Column<SheetRow>['title'],
        cell: ({ cells }) => words(column, cells),
        isNumber: column.kind === 'number' || column.kind === 'money',
      }),
    ),
  ];
  if (sheet.hasTimes)
    columns.push({
      title: 'col.when',
      cell: ({ from, until, isPlanned, isEnded }) => (
        <Group gap="xs">
          <Badge variant="light" color={isEnded ? 'gray' : isPlanned ? 'yellow' : 'teal'} tt="none" miw="max-content">
            {say(isEnded ? 'sheet.isEnded' : isPlanned ? 'sheet.planned' : 'sheet.now')}
          </Badge>
          {[from && say('sheet.from', { time: time(from) }), until && say('sheet.until', { time: time(until) })]
            .filter(Boolean)
            .join(' ')}
        </Group>
      ),
    });
  if (open)
    columns.push({
      title: 'col.actions',
      cell: (row) => (
        <Group gap="xs">
          {(row.isEnded ? (['form'] as const) : (['form', 'end'] as const)).map((act) => {
            const words = say(row.isEnded ? 'sheet.putBack' : act === 'form' ? 'sheet.edit' : 'sheet.end');
            return (
              <Button
                key={act}
                size="compact-sm"
                variant="default"
                aria-label={[`${words}: ${row.key}`, row.from && say('sheet.from', { time: time(row.from) })]
                  .filter(Boolean)
                  .join(', ')}
                onClick={() => open({ act, row })}
              >
                {words}
              </Button>
            );
          })}
        </Group>
      ),
    });
  return (
    <Rows
      label={say(`sheet.${sheet.name}`)}
      rows={rows}
      keyOf={({ key, from }) => `${key} ${from}`}
      columns={columns}
    />
  );
}

function ExportButtons({ name }: { name: SheetName }) {
  const { say } = useLanguage();
  const save = useAct({
    mutationFn: (separator: ',' | ';') => call('sheetFile', { sheet: name, separator }),
    onSuccess: (file) => saveFile(new Blob([file.text], { type: 'text/csv' }), file.name),
  });
  return (
    <>
      <Button variant="default" onClick={() => save.mutate(',')}>
        {say('sheet.export')}
      </Button>
      <Button variant="default" onClick={() => save.mutate(';')}>
        {say('sheet.exportExcel')}
      </Button>
      {save.error && <ProblemBox problem={save.error} />}
    </>
  );
}
