import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import type { SheetColumn } from '@portal/contract/console/sheets.ts';
import { fromWall, toWall } from '@portal/domain/zoned-time.ts';
import { useState } from 'react';
import { useLanguage } from '../lib/language.tsx';
import { useMe } from '../lib/use-me.ts';
import { PlaceMap } from './place-map.tsx';
import { useColumnName, useProblemWords } from './sheet-changes.tsx';
import { type Sheet, SheetDialog, type SheetRow } from './sheet-dialog.tsx';

interface Props {
  sheet: Sheet;
  /** Null: something new. */
  row: SheetRow | null;
  close: () => void;
}

/** One entry in fields; what is wrong stands under the field. */
export function SheetForm({ sheet, row, close }: Props) {
  const { say } = useLanguage();
  const { timeZone } = useMe().operator;
  const nameOf = useColumnName();
  const words = useProblemWords();
  const { columns, hasTimes } = sheet;
  const wall = (iso: string | null | undefined) => (iso ? toWall(iso, timeZone) : '');
  const [cells, setCells] = useState<Record<string, string>>(() => row?.cells ?? firstCells(columns));
  const [from, setFrom] = useState(wall(row?.from));
  const [until, setUntil] = useState(wall(row?.until));
  const change = (name: string, value: string) => setCells({ ...cells, [name]: value });
  return (
    <SheetDialog
      title={row ? say('sheet.editTitle', { key: row.key }) : say('sheet.addTitle')}
      sheet={sheet}
      asked={[cells, from, until]}
      source={() => ({
        kind: 'entry',
        revision: row?.revision ?? 0,
        line: { cells, from: fromWall(from, timeZone), until: fromWall(until, timeZone) },
      })}
      close={close}
    >
      {(problems) => {
        const errorOf = (name: string) => {
          const found = problems.find(({ column }) => column === name);
          return found ? words(found) : undefined;
        };
        return (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {hasTimes && (
              <>
                <TimeField which="start" value={from} change={setFrom} error={errorOf('from')} />
                <TimeField which="end" value={until} change={setUntil} error={errorOf('until')} />
              </>
            )}
            {columns.map((column, at) => (
              <CellField
                key={column.name}
                column={column}
                label={nameOf(column.name, columns)}
                value={cells[column.name] ?? ''}
                error={errorOf(column.name)}
                isFixed={row !== null && at === 0}
                change={change}
              />
            ))}
            {columns.some(({ name }) => name === 'latitude') && (
              <PlaceMap
                latitude={cells.latitude ?? ''}
                longitude={cells.longitude ?? ''}
                change={(point) => setCells({ ...cells, ...point })}
              />
            )}
          </SimpleGrid>
        );
      }}
    </SheetDialog>
  );
}

function CellField({
  column: { name, kind, choices, isRequired, language },
  isFixed,
  change,
  ...shown
}: {
  column: SheetColumn;
  label: string;
  value: string;
  error: string | undefined;
  /** What names an entry is not changed. */
  isFixed: boolean;
  change: (name: string, value: string) => void;
}) {
  if (kind === 'choice')
    return (
      <NativeSelect
        {...shown}
        data={choices}
        withAsterisk={isRequired}
        onChange={(event) => change(name, event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...shown}
      lang={language ?? undefined}
      readOnly={isFixed}
      withAsterisk={isRequired}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      onChange={(event) => change(name, event.currentTarget.value)}
    />
  );
}

/** A moment in the operator's time zone; empty for at once, or for never. */
export function TimeField({
  which,
  value,
  change,
  error,
}: {
  which: 'start' | 'end';
  value: string;
  change: (value: string) => void;
  error?: string | undefined;
}) {
  const { say } = useLanguage();
  const { timeZone } = useMe().operator;
  return (
    <TextInput
      type="datetime-local"
      label={say(`sheet.${which}Label`)}
      description={say(`sheet.${which}Hint`, { zone: timeZone })}
      value={value}
      error={error}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

/** Ends an entry, now or at a time. */
export function SheetEnd({ sheet, row, close }: Props & { row: SheetRow }) {
  const { say } = useLanguage();
  const { timeZone } = useMe().operator;
  const [from, setFrom] = useState('');
  const { key, revision } = row;
  return (
    <SheetDialog
      title={say('sheet.endTitle', { key })}
      text={say('sheet.endText')}
      sheet={sheet}
      asked={[from]}
      source={() => ({ kind: 'end', key, revision, from: fromWall(from, timeZone) })}
      close={close}
    >
      {() => sheet.hasTimes && <TimeField which="start" value={from} change={setFrom} />}
    </SheetDialog>
  );
}

/** What a choice shows is what it says. */
const firstCells = (columns: readonly SheetColumn[]): Record<string, string> =>
  Object.fromEntries(columns.map(({ name, choices }) => [name, choices[0] ?? '']));
