import { Fieldset, Input, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { SheetColumn, SheetProblem, SheetSection } from '@portal/contract/console/sheets.ts';
import { fromWall, toWall } from '@portal/domain/zoned-time.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { useCellWords, useChoiceWords } from '../lib/use-cell-words.ts';
import { useEntryName } from '../lib/use-entry-name.ts';
import { useMe } from '../lib/use-me.ts';
import { placeOf } from '../lib/zone-place.ts';
import type { TextKey } from '../texts/en.ts';
import { Disclosure } from '../ui/disclosure.tsx';
import { PlaceMap } from './place-map.tsx';
import { useColumnName, useProblemWords } from './sheet-changes.tsx';
import { type Sheet, SheetDialog, type SheetRow } from './sheet-dialog.tsx';
import { WaitingChanges } from './waiting-changes.tsx';

interface Props {
  sheet: Sheet;
  /** Null for a new entry. */
  row: SheetRow | null;
  close: () => void;
}

/** One entry as a form; each error is shown under its field. */
export function SheetForm({ sheet, row, close }: Props) {
  const { say } = useLanguage();
  const { timeZone } = useMe().operator;
  const nameOf = useColumnName();
  const words = useProblemWords();
  const { entryIn } = useEntryName();
  const { columns, hasTimes } = sheet;
  const wall = (iso: string | null | undefined) => (iso ? toWall(iso, timeZone) : '');
  const [cells, setCells] = useState<Record<string, string>>(() => row?.cells ?? firstCells(columns));
  const [from, setFrom] = useState(wall(row?.from));
  // An ended entry is restored without an end.
  const [until, setUntil] = useState(row?.isEnded ? '' : wall(row?.until));
  const change = (name: string, value: string) => setCells({ ...cells, [name]: value });
  const sections = [...Map.groupBy(columns, ({ section }) => section)];
  const isFixed = (column: SheetColumn) => row !== null && column === columns[0];
  const first = sections.flatMap(([, own]) => own).find((column) => isAsked(column) && !isFixed(column));
  const timedSection = columns.find(({ kind }) => kind === 'money')?.section ?? null;
  return (
    <SheetDialog
      title={
        row
          ? say(row.isEnded ? 'sheet.putBackTitle' : 'sheet.editTitle', { key: entryIn(row.key, row.cells, columns) })
          : say(`sheet.addTitle.${sheet.name}`)
      }
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
          <Stack>
            {row && <WaitingSame sheet={sheet} name={row.key} />}
            {sections.map(([section, own]) => (
              <Section
                key={section}
                section={section}
                columns={own}
                isFilled={own.some(({ name }) => cells[name])}
                isWrong={own.some(({ name }) => errorOf(name))}
              >
                {own.filter(isAsked).map((column) => (
                  <CellField
                    key={column.name}
                    column={column}
                    label={nameOf(column.name, columns)}
                    cells={cells}
                    error={errorOf(column.name)}
                    hint={hints[`${sheet.name}.${column.name}`]}
                    isFixed={isFixed(column)}
                    isFirst={column === first}
                    change={change}
                  />
                ))}
                {section === timedSection && hasTimes && (
                  <>
                    <TimeField which="start" value={from} change={setFrom} error={errorOf('from')} />
                    <TimeField which="end" value={until} change={setUntil} error={errorOf('until')} />
                  </>
                )}
              </Section>
            ))}
            {columns.some(({ name }) => name === 'latitude') && (
              <PlaceMap
                latitude={cells.latitude ?? ''}
                longitude={cells.longitude ?? ''}
                town={cells.town ?? ''}
                region={cells.region ?? ''}
                own={row && { sheet: sheet.name, key: row.key }}
                change={(point) => setCells({ ...cells, ...point })}
              />
            )}
          </Stack>
        );
      }}
    </SheetDialog>
  );
}

/** Warns before typing. */
function WaitingSame({ sheet: { name: sheet }, name: key }: { sheet: Sheet; name: string }) {
  const waiting = useQuery({
    queryKey: ['sheetWaiting', sheet, key],
    queryFn: () => call('sheetWaiting', { sheet, key }),
  });
  return <WaitingChanges waiting={waiting.data ?? []} text="sheet.sameWaits" />;
}

/** A field with only one possible value is hidden. */
const isAsked = ({ choices }: SheetColumn) => choices.length !== 1;

interface SectionProps {
  section: SheetSection | null;
  columns: readonly SheetColumn[];
  /** Whether rarely needed fields are open from the start. */
  isFilled: boolean;
  isWrong: boolean;
  children: ReactNode;
}

/** Related fields together; translated texts have a column per language. */
function Section({ section, columns, isFilled, isWrong, children }: SectionProps) {
  const { say } = useLanguage();
  const languages = new Set(columns.flatMap(({ language }) => language ?? [])).size;
  const fields = <SimpleGrid cols={{ base: 1, sm: languages > 1 ? languages : 2 }}>{children}</SimpleGrid>;
  if (section === null) return fields;
  const title = say(`section.${section}`);
  if (section === 'shown')
    return (
      <Disclosure key={String(isWrong)} label={title} isOpenFirst={isFilled || isWrong}>
        {() => fields}
      </Disclosure>
    );
  return <Fieldset legend={title}>{fields}</Fieldset>;
}

/** What is not clear from a field's name. */
const hints: Readonly<Record<string, TextKey | undefined>> = {
  'towns.served': 'column.servedHint',
  'shops.id': 'column.shopIdHint',
  'shops.title': 'column.shopTitleHint',
  'shops.name': 'column.shopNameHint',
};

function CellField({
  column,
  label,
  cells,
  error,
  hint,
  isFixed,
  isFirst,
  change,
}: {
  column: SheetColumn;
  label: string;
  cells: Readonly<Record<string, string>>;
  error: string | undefined;
  hint: TextKey | undefined;
  /** The key of an entry cannot be changed: it is shown as text. */
  isFixed: boolean;
  /** It has the focus when the form opens. */
  isFirst: boolean;
  change: (name: string, value: string) => void;
}) {
  const { say } = useLanguage();
  const choiceWords = useChoiceWords();
  const words = useCellWords();
  const { name, kind, choices, isRequired, language } = column;
  const shown = { label, error, value: cells[name] ?? '', 'data-autofocus': isFirst || undefined };
  // Values that differ only in spelling are offered once, as they are stored.
  const offered = choices.filter(
    (one) =>
      one === shown.value ||
      ![shown.value, ...choices.slice(0, choices.indexOf(one))].some(
        (other) => choiceWords(other) === choiceWords(one),
      ),
  );
  if (isFixed)
    return (
      <Input.Wrapper label={label} labelElement="div" error={error}>
        <Text>{shown.value}</Text>
      </Input.Wrapper>
    );
  if (kind === 'choice')
    return (
      <NativeSelect
        {...shown}
        description={hint && say(hint)}
        data={offered.map((value) => ({ value, label: choiceWords(value) || say('choice.none') }))}
        withAsterisk={isRequired}
        onChange={(event) => change(name, event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...shown}
      lang={language ?? undefined}
      withAsterisk={isRequired}
      inputMode={kind === 'number' || kind === 'money' ? 'decimal' : undefined}
      description={kind === 'money' ? words(column, cells) || cells.currency : hint && say(hint)}
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
      description={say(`sheet.${which}Hint`, { zone: placeOf(timeZone) })}
      value={value}
      error={error}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

/** What is wrong with the start of the whole change, which its own field shows. */
export function useStartFault() {
  const words = useProblemWords();
  return (problems: readonly SheetProblem[]): string | undefined => {
    const found = problems.find(({ row, column }) => row === null && column === 'from');
    return found && words(found);
  };
}

/** Ends an entry, now or at a given time. */
export function SheetEnd({ sheet, row, close }: Props & { row: SheetRow }) {
  const { say } = useLanguage();
  const { timeZone } = useMe().operator;
  const [from, setFrom] = useState('');
  const { key, revision } = row;
  const { entryIn } = useEntryName();
  const startFault = useStartFault();
  return (
    <SheetDialog
      title={say('sheet.endTitle', { key: entryIn(key, row.cells, sheet.columns) })}
      text={say('sheet.endText')}
      sheet={sheet}
      asked={[from]}
      source={() => ({ kind: 'end', key, revision, from: fromWall(from, timeZone) })}
      close={close}
    >
      {(problems) => (
        <Stack>
          <WaitingSame sheet={sheet} name={key} />
          {sheet.hasTimes && <TimeField which="start" value={from} change={setFrom} error={startFault(problems)} />}
        </Stack>
      )}
    </SheetDialog>
  );
}

/** The text of an option. */
const firstCells = (columns: readonly SheetColumn[]): Record<string, string> =>
  Object.fromEntries(columns.map(({ name, choices }) => [name, choices[0] ?? '']));
