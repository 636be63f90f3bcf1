import { Badge, Stack, Text } from '@mantine/core';
import type { SheetChange, SheetColumn, SheetLine, SheetProblem } from '@portal/contract/console/sheets.ts';
import { useLanguage } from '../lib/language.tsx';
import { useCellWords } from '../lib/use-cell-words.ts';
import { useFormat } from '../lib/use-format.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
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

interface Props {
  changes: readonly SheetChange[];
  columns: readonly SheetColumn[];
}

/** Each changed entry with its values before and after, as text. */
export function SheetChanges({ changes, columns }: Props) {
  const { say } = useLanguage();
  return (
    <Rows
      label={say('sheet.changes')}
      rows={changes}
      keyOf={({ key }) => key}
      columns={[
        {
          title: 'col.code',
          cell: ({ key, kind }) => (
            <Stack gap={4} align="flex-start">
              <Text fw={600}>{key}</Text>
              <Badge variant="light" color={colours[kind]} tt="none">
                {say(`sheet.kind.${kind}`)}
              </Badge>
            </Stack>
          ),
        },
        { title: 'col.before', cell: ({ before, after }) => <Lines lines={before} others={after} columns={columns} /> },
        {
          title: 'col.after',
          cell: ({ before, after }) => (
            <Stack gap="xs">
              <Lines lines={after} others={before} isAfter columns={columns} />
              {after.filter(isMovedFrom(before)).map(({ from, cells }) => (
                <PointCheck key={from} cells={cells} hasMap={changes.length <= mostMaps} />
              ))}
            </Stack>
          ),
        },
      ]}
    />
  );
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
  if (lines.length === 0) return <Text c="dimmed">{say(isAfter ? 'sheet.gone' : 'sheet.new')}</Text>;
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
      {end && (
        <Text size="sm" fw={600}>
          {say('sheet.goneFrom', { time: time(end) })}
        </Text>
      )}
    </Stack>
  );
}

const isAlike = (one: SheetLine['cells'], other: SheetLine['cells']) =>
  Object.keys({ ...one, ...other }).every((name) => one[name] === other[name]);

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
