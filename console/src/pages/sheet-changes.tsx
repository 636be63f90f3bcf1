import { Badge, Stack, Text } from '@mantine/core';
import type { SheetChange, SheetColumn, SheetLine, SheetProblem } from '@portal/contract/console/sheets.ts';
import { useLanguage } from '../lib/language.tsx';
import { isAlike, isMereEnd } from '../lib/only-ends.ts';
import { useCellWords } from '../lib/use-cell-words.ts';
import { useEntryName } from '../lib/use-entry-name.ts';
import { useFormat } from '../lib/use-format.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
import { Pager } from '../ui/pager.tsx';
import { Rows } from '../ui/rows.tsx';
import { PointCheck } from './point-check.tsx';

const colours = { new: 'teal', changed: 'indigo', ended: 'red' } as const;

/** Label of a column; with the language for translated texts. */
export function useColumnName() {
  const { sayOr } = useLanguage();
  const languageName = useLanguageName();
  return (name: string, columns: readonly SheetColumn[]): string => {
    const found = columns.find((one) => one.name === name);
    const label = sayOr(`column.${found?.label ?? name}`);
    return found?.language ? `${label} (${languageName(found.language)})` : label;
  };
}

/** Of a whole file, words have to do. */
const mostMaps = 3;

/** An entry with a point that it did not have before, or whose town or region is another one. */
const isMovedFrom =
  (before: readonly SheetLine[]) =>
  ({ cells }: SheetLine): boolean =>
    ['latitude', 'longitude', 'town', 'region'].some((name) =>
      before.every((line) => line.cells[name] !== cells[name]),
    );

/** How many changes are shown at a time. */
export const changesAtOnce = 10;

interface Props {
  /** The shown ones, of so many, after so many. */
  changes: readonly SheetChange[];
  total: number;
  skip: number;
  turn: (skip: number) => void;
  columns: readonly SheetColumn[];
}

/** Each changed entry with its values before and after, as text. */
export function SheetChanges({ changes, total, skip, turn, columns }: Props) {
  return (
    <Stack>
      <ChangeRows changes={changes} total={total} columns={columns} />
      <Pager skip={skip} most={changesAtOnce} total={total} turn={turn} />
    </Stack>
  );
}

function ChangeRows({ changes, total, columns }: Pick<Props, 'changes' | 'total' | 'columns'>) {
  const { say } = useLanguage();
  const { nameIn } = useEntryName();
  return (
    <Rows
      label={say('sheet.changes')}
      rows={changes}
      keyOf={({ key }) => key}
      columns={[
        {
          title: 'col.code',
          cell: ({ key, kind, before, after }) => (
            <Stack gap={4} align="flex-start">
              <Text fw={600}>{key}</Text>
              <Text size="sm">{nameIn((before[0] ?? after[0])?.cells, columns)}</Text>
              <Badge variant="light" color={colours[kind]} tt="none">
                {say(`sheet.kind.${kind}`)}
              </Badge>
            </Stack>
          ),
        },
        {
          title: 'col.before',
          cell: (change) =>
            isMereEnd(change) ? (
              <Price line={change.before[0]} columns={columns} />
            ) : (
              <Lines lines={change.before} others={change.after} columns={columns} />
            ),
        },
        {
          title: 'col.after',
          cell: (change) => {
            const { before, after } = change;
            return isMereEnd(change) ? (
              <Gone at={after.at(-1)?.until ?? null} />
            ) : (
              <Stack gap="xs">
                <Lines lines={after} others={before} isAfter columns={columns} />
                {after.filter(isMovedFrom(before)).map(({ from, cells }) => (
                  <PointCheck key={from} cells={cells} hasMap={total <= mostMaps} />
                ))}
              </Stack>
            );
          },
        },
      ]}
    />
  );
}

function Gone({ at }: { at: string | null }) {
  const { say } = useLanguage();
  const { time } = useFormat();
  return (
    <Text size="sm" fw={600}>
      {at === null ? say('sheet.goneAtOnce') : say('sheet.goneFrom', { time: time(at) })}
    </Text>
  );
}

function Price({ line, columns }: { line: SheetLine | undefined; columns: readonly SheetColumn[] }) {
  const words = useCellWords();
  const price = columns.find(({ kind }) => kind === 'money');
  return line && price ? <Text size="sm">{words(price, line.cells)}</Text> : null;
}

/** Only values that differ; an empty side says so. */
function Lines({
  lines,
  others,
  isAfter = false,
  columns,
}: {
  lines: readonly SheetLine[];
  others: readonly SheetLine[];
  isAfter?: boolean;
  columns: readonly SheetColumn[];
}) {
  const { say } = useLanguage();
  const { time } = useFormat();
  const nameOf = useColumnName();
  const words = useCellWords();
  if (lines.length === 0) return <Text c="dimmed">{say('sheet.new')}</Text>;
  const end = isAfter ? lines.at(-1)?.until : null;
  const all = [...lines, ...others];
  const different = columns.filter(
    ({ name }) => others.length === 0 || new Set(all.map(({ cells }) => cells[name] ?? '')).size > 1,
  );
  const stands = (line: SheetLine) => others.some(({ from, cells }) => !from && isAlike(cells, line.cells));
  const when = (line: SheetLine) =>
    [
      line.from ? say('sheet.from', { time: time(line.from) }) : isAfter && !stands(line) && say('sheet.atOnce'),
      line.until && say('sheet.until', { time: time(line.until) }),
    ]
      .filter(Boolean)
      .join(' ');
  return (
    <Stack gap="xs">
      {lines.map((line) => (
        <div key={line.from}>
          {when(line) && <Text size="sm">{when(line)}</Text>}
          {different
            .filter(({ name }) => line.cells[name])
            .map((column) => (
              <Text key={column.name} size="sm" style={{ overflowWrap: 'anywhere' }}>
                {say('app.named', { name: nameOf(column.name, columns) })} <b>{words(column, line.cells)}</b>
              </Text>
            ))}
        </div>
      ))}
      {end && <Gone at={end} />}
    </Stack>
  );
}

/** Errors by row and column, as a spreadsheet numbers them. */
export function SheetProblems({
  problems,
  columns,
}: {
  problems: readonly SheetProblem[];
  columns: readonly SheetColumn[];
}) {
  const { say } = useLanguage();
  const nameOf = useColumnName();
  const words = useProblemWords();
  return (
    <Rows
      label={say('sheet.problemList')}
      rows={problems}
      keyOf={({ row, column, code }) => `${row} ${column} ${code}`}
      columns={[
        { title: 'col.row', cell: ({ row }) => row ?? '' },
        {
          title: 'col.column',
          cell: ({ column }) => (column ? headingOf(nameOf(column, columns), column) : ''),
        },
        {
          title: 'col.problem',
          cell: (problem) => (
            <span>
              {problem.value && problem.value !== problem.column ? <b>{problem.value.slice(0, 60)} </b> : ''}
              {words(problem)}
            </span>
          ),
        },
      ]}
    />
  );
}

/** A column's label and its name in the file; once if they are the same. */
const headingOf = (name: string, column: string) => (name === column ? column : `${name} [${column}]`);

export function useProblemWords() {
  const { say } = useLanguage();
  return ({ code, expected }: Pick<SheetProblem, 'code' | 'expected'>): string =>
    say(`sheetProblem.${code}`, { expected: expected ?? '' });
}
