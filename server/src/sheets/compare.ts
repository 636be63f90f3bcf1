import { sheetPage } from '@portal/contract/console/sheet-limits.ts';
import type { SheetChange, SheetLine, SheetProblem } from '@portal/contract/console/sheets.ts';
import { fromWall, toWall } from '@portal/domain/zoned-time.ts';
import type { CsvTable } from './csv.ts';
import { inTurns } from './in-turns.ts';
import { nearestOf } from './nearest.ts';
import type { Cells, Sheet } from './sheet.ts';

/** The current and planned lines of an entry, oldest first. */
export interface CurrentLines {
  revision: number;
  /** When the current line began; null if there is none yet. */
  since: string | null;
  lines: SheetLine[];
}

/** A row of the file: only the columns that it has. */
interface FileRow {
  row: number | null;
  cells: Cells;
}

export interface Compared {
  changes: SheetChange[];
  unchanged: number;
  problems: SheetProblem[];
}

interface Comparison {
  current: ReadonlyMap<string, CurrentLines>;
  /** The start of rows that state none. */
  from: string | null;
  /** Entries that the file lacks will end. */
  isWhole: boolean;
  /** Keys of ended entries: a complete row of an older file restores one. */
  ended?: ReadonlySet<string>;
  now: Date;
  timeZone: string;
}

const timeColumns = ['from', 'until'];
const revisionColumn = 'revision';

export const columnNames = ({ columns, hasTimes }: Sheet): string[] => [
  ...columns.map(({ name }) => name),
  ...(hasTimes ? timeColumns : []),
  revisionColumn,
];

/** The rows of a file by column name; columns and rows that do not fit are reported as problems. */
export function rowsIn(sheet: Sheet, { header, rows }: CsvTable): { given: FileRow[]; problems: SheetProblem[] } {
  const [key = ''] = columnNames(sheet);
  const known = new Set(columnNames(sheet));
  const problems: SheetProblem[] = header.flatMap((name, at) => {
    const note = (code: SheetProblem['code'], expected: string | null = null) => [
      { row: 1, column: name, code, value: name, expected },
    ];
    if (known.has(name)) return header.indexOf(name) < at ? note('doubledColumn') : [];
    if (name === '') return [];
    const meant = nearestOf(name, known);
    return meant === null ? note('unknownColumn') : note('mistypedColumn', meant);
  });
  if (!header.includes(key)) problems.push({ row: 1, column: key, code: 'missingColumn', value: null, expected: null });
  for (const { number, cells } of problems.length > 0 ? [] : rows) {
    const isLonger = cells.some((cell, at) => cell !== '' && !header[at]);
    const code = isLonger ? 'tooManyCells' : cells.length < header.length ? 'tooFewCells' : null;
    if (code) problems.push({ row: number, column: null, code, value: null, expected: String(header.length) });
  }
  if (problems.length > 0) return { given: [], problems };
  const given = rows.map(({ number, cells }) => ({
    row: number,
    cells: Object.fromEntries(header.flatMap((name, at) => (name ? [[name, cells[at] ?? '']] : []))),
  }));
  return { given, problems };
}

interface Read {
  row: number | null;
  line: SheetLine;
  /** Its end as it stands in the file. */
  until: string | null;
}

/**
 * The changes that the given rows would make. The rows of an entry replace everything planned for it; its current line
 * continues until the first of them starts. Columns that are left out keep their values.
 */
export async function compare(sheet: Sheet, given: readonly FileRow[], asked: Comparison): Promise<Compared> {
  const { current } = asked;
  const [key = ''] = columnNames(sheet);
  const problems = letterFaults(key, given, current);
  const mistyped = new Set(problems.map(({ row }) => row));
  const meant = meantIn(current);
  const read = new Map<string, Read[]>();
  const missing = new Set<string>();
  for await (const row of inTurns(given)) {
    if (mistyped.has(row.row)) continue;
    const name = row.cells[key]?.trim() ?? '';
    const found = readRow(sheet, row, current.get(name), asked);
    const absent = 'problems' in found && !current.has(name) ? absentColumns(found.problems, row) : [];
    if ('problems' in found && absent.length > 0) {
      const { code, expected } = nameFault(name, asked.ended, meant);
      if (code === 'unknownEntry') for (const one of absent) missing.add(one);
      // The row's own cells are validated all the same; of a new entry, so is what its columns have to say together.
      const own = found.problems.filter(({ column, code: fault }) => {
        const isThere = row.cells[column ?? ''] !== undefined;
        return column !== key && (isThere || (code === 'unknownEntry' && fault !== 'required'));
      });
      problems.push({ row: row.row, column: key, code, value: name, expected });
      problems.push(...own.map((one) => ({ row: row.row, ...one })));
    } else if ('problems' in found) problems.push(...found.problems.map((one) => ({ row: row.row, ...one })));
    else
      read.set(found.key, [
        ...(read.get(found.key) ?? []),
        { row: row.row, line: found.line, until: row.cells.until ?? null },
      ]);
  }

  if (missing.size > 0) {
    const expected = columnNames(sheet)
      .filter((one) => missing.has(one))
      .join(', ');
    problems.push({ row: 1, column: null, code: 'missingColumns', value: null, expected });
  }

  const changes: SheetChange[] = [];
  let unchanged = 0;
  for await (const [name, rows] of inTurns(read)) {
    const { revision, lines: before } = current.get(name) ?? { revision: 0, lines: [] };
    rows.sort((one, other) => startOf(one.line) - startOf(other.line));
    const clashes = rows.flatMap((one, at) => clashOf(rows[at - 1], one, key, name));
    problems.push(...clashes);
    const after = withCurrent(
      before,
      rows.map(({ line }) => line),
    );
    if (clashes.length > 0) continue;
    if (isSame(before, after)) unchanged += 1;
    else changes.push({ key: name, kind: kindOf(before, after), revision, before, after });
  }
  const named = new Set(given.map(({ cells }) => cells[key]?.trim()));
  for (const [name, { revision, lines: before }] of asked.isWhole ? current : [])
    if (!named.has(name))
      changes.push({ key: name, kind: 'ended', revision, before, after: endedAt(before, asked.from) });
  return { changes, unchanged, problems };
}

/** The required columns that the file lacks: a new entry needs them, an existing one keeps its values. */
const absentColumns = (problems: readonly Omit<SheetProblem, 'row'>[], { cells }: FileRow): string[] =>
  problems.flatMap(({ code, column }) =>
    column !== null && code === 'required' && cells[column] === undefined ? [column] : [],
  );

/** What is wrong with the name of an entry that is neither there nor given in full. */
function nameFault(
  name: string,
  ended: Comparison['ended'],
  meant: (name: string) => string | null,
): Pick<SheetProblem, 'code' | 'expected'> {
  if (name === '') return { code: 'required', expected: null };
  if (ended?.has(name)) return { code: 'endedEntry', expected: null };
  const expected = meant(name);
  return { code: expected === null ? 'unknownEntry' : 'mistypedEntry', expected };
}

/** Searches all entries, so it is limited to the number of rows that are shown. */
function meantIn(current: Comparison['current']): (name: string) => string | null {
  let left = sheetPage;
  return (name) => (left-- > 0 ? nearestOf(name, current.keys()) : null);
}

/** Keys that differ only in case: they would be two entries that look the same. */
function letterFaults(key: string, given: readonly FileRow[], current: Comparison['current']): SheetProblem[] {
  const known = new Map([...current.keys()].map((name) => [name.toLowerCase(), { name, row: null as number | null }]));
  return given.flatMap(({ row, cells }): SheetProblem[] => {
    const name = cells[key]?.trim() ?? '';
    const other = known.get(name.toLowerCase());
    if (!other) known.set(name.toLowerCase(), { name, row });
    if (!other || other.name === name) return [];
    const expected = other.row === null ? other.name : `${other.name} (${other.row})`;
    return [{ row, column: key, code: 'otherLetters', value: name, expected }];
  });
}

/** The same for a form, which states one line of one entry and leaves the others unchanged. */
export function compareLine(sheet: Sheet, { cells, from, until }: SheetLine, asked: Comparison): Compared {
  const key = cells[columnNames(sheet)[0] ?? '']?.trim() ?? '';
  const current = asked.current.get(key);
  const { revision, lines: before } = current ?? { revision: 0, lines: [] };
  const times = { from: writtenTime(from, asked.timeZone), until: writtenTime(until, asked.timeZone) };
  const found = readRow(sheet, { row: null, cells: { ...cells, ...times } }, current, asked);
  if ('problems' in found)
    return { changes: [], unchanged: 0, problems: found.problems.map((one) => ({ row: null, ...one })) };
  const after = withCurrent(before, withLine(before, found.line));
  if (isSame(before, after)) return { changes: [], unchanged: 1, problems: [] };
  return { changes: [{ key, kind: kindOf(before, after), revision, before, after }], unchanged: 0, problems: [] };
}

/** The lines of an entry that ends at this time; immediately if null. */
export const endedAt = (before: readonly SheetLine[], end: string | null): SheetLine[] =>
  end === null ? [] : before.filter(({ from }) => !from || from < end).map((line) => shortened(line, end));

const shortened = (line: SheetLine, end: string): SheetLine => ({
  ...line,
  until: line.until && line.until < end ? line.until : end,
});

/** Inserts a line: lines planned within its span are removed, later ones stay. */
function withLine(before: readonly SheetLine[], line: SheetLine): SheetLine[] {
  const [start, end] = [startOf(line), line.until ? Date.parse(line.until) : null];
  const kept = before.filter((one) => {
    const from = startOf(one);
    return from !== start && (from < start || (end === null ? true : from >= end));
  });
  const earlier = kept.map((one) => (line.from && startOf(one) < start ? notAfter(one, line.from) : one));
  return [...earlier, line, ...resumedAfter(before, line)].sort((one, other) => startOf(one) - startOf(other));
}

/** After a temporary change the previous values apply again. If the line changed only the end, the entry ends. */
function resumedAfter(before: readonly SheetLine[], { cells, until }: SheetLine): SheetLine[] {
  if (!until) return [];
  const end = Date.parse(until);
  const then = before.findLast((one) => startOf(one) <= end);
  const isOver = !then || startOf(then) === end || (then.until !== null && Date.parse(then.until) <= end);
  return isOver || isAlike(then.cells, cells) ? [] : [{ ...then, from: until }];
}

const notAfter = (line: SheetLine, start: string): SheetLine =>
  line.until && line.until >= start ? { ...line, until: null } : line;

const startOf = ({ from }: SheetLine): number => (from ? Date.parse(from) : Number.NEGATIVE_INFINITY);

function readRow(
  sheet: Sheet,
  { cells }: FileRow,
  current: CurrentLines | undefined,
  asked: Comparison,
): { key: string; line: SheetLine } | { problems: Omit<SheetProblem, 'row'>[] } {
  const { timeZone, now } = asked;
  const problems: Omit<SheetProblem, 'row'>[] = [];
  const refuse = (column: string, code: SheetProblem['code']) =>
    problems.push({ column, code, value: cells[column] ?? null, expected: null });
  const timeIn = (column: string): string | null => {
    const text = sheet.hasTimes ? (cells[column] ?? '').trim() : '';
    const moment = text ? momentOf(text, timeZone) : null;
    if (text && !moment) refuse(column, 'notTime');
    return moment;
  };
  const from = timeIn('from');
  const until = timeIn('until');
  // A plan that was exported before it started still states its start.
  const isRunning = from !== null && current?.since !== null && from === current?.since;
  if (from && !isRunning && Date.parse(from) <= now.getTime()) refuse('from', 'inPast');
  const stated = isRunning ? null : from;
  const known = current?.lines.find((line) => line.from === stated) ?? current?.lines[0];
  const merged = { ...known?.cells, ...cells };
  const entry = sheet.read(merged);
  if ('problems' in entry) problems.push(...entry.problems);
  if (until && Date.parse(until) <= (stated ? Date.parse(stated) : now.getTime())) refuse('until', 'endBeforeStart');
  if (problems.length > 0 || 'problems' in entry) return { problems };

  const written = sheet.cellsOf(entry.entry);
  const running = current?.lines.find(({ from }) => from === null);
  const goesOn = stated === null && running && isSame([running], [{ cells: written, from: null, until }]);
  const line = { cells: written, from: goesOn ? null : (stated ?? asked.from), until };
  const seen = cells[revisionColumn]?.trim();
  const isNew = !known || !isSame([known], [line]);
  const key = written[sheet.columns[0]?.name ?? ''] ?? '';
  // A row copied from another entry has that entry's revision.
  const isPutBack = !current && asked.ended?.has(key);
  if (seen && isNew && !isPutBack && seen !== String(current?.revision ?? 0))
    refuse(revisionColumn, current ? 'changedMeanwhile' : 'newHasRevision');
  return problems.length > 0 ? { problems } : { key, line };
}

function clashOf(earlier: Read | undefined, { row, line }: Read, key: string, name: string): SheetProblem[] {
  if (!earlier) return [];
  if (startOf(earlier.line) === startOf(line))
    return [{ row, column: key, code: 'doubled', value: name, expected: String(earlier.row ?? '') }];
  const isOver = earlier.line.until === null || Date.parse(earlier.line.until) <= startOf(line);
  return isOver
    ? []
    : [{ row: earlier.row, column: 'until', code: 'overlaps', value: earlier.until, expected: String(row ?? '') }];
}

/** The current line continues until the first of the given lines starts. */
function withCurrent(before: readonly SheetLine[], lines: readonly SheetLine[]): SheetLine[] {
  const [first] = lines;
  const running = before.find(({ from }) => from === null);
  const goesOn = running && first?.from ? [{ ...running, until: earlierOf(running.until, first.from) }] : [];
  // An end that is the start of the next line is not stored.
  return [...goesOn, ...lines].map((line, at, all) =>
    line.until === all[at + 1]?.from ? { ...line, until: null } : line,
  );
}

const earlierOf = (until: string | null, start: string): string | null => (until && until < start ? until : null);

function kindOf(before: readonly SheetLine[], after: readonly SheetLine[]): SheetChange['kind'] {
  if (before.length === 0) return 'new';
  // For example, a temporary price without a line after it.
  if (after.at(-1)?.until && !before.at(-1)?.until) return 'ended';
  const says = ({ cells }: SheetLine) => JSON.stringify(cells);
  const isShorter = after.length === 1 && after[0]?.until && before[0] && says(after[0]) === says(before[0]);
  return isShorter ? 'ended' : 'changed';
}

export function isSame(before: readonly SheetLine[], after: readonly SheetLine[]): boolean {
  return (
    before.length === after.length &&
    before.every((line, at) => {
      const other = after[at];
      return line.from === other?.from && line.until === other.until && isAlike(line.cells, other.cells);
    })
  );
}

const isAlike = (one: Cells, other: Cells) =>
  Object.keys({ ...one, ...other }).every((name) => (one[name] ?? '') === (other[name] ?? ''));

/** As in the file, or as French spreadsheets reorder it: 2027-03-02, 2027-03-02 12:00, 02/03/2027 12:00. */
function momentOf(text: string, timeZone: string): string | null {
  const day = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d?):(\d\d)(?::00)?)?$/.exec(text);
  const turned = /^(\d\d?)\/(\d\d?)\/(\d{4})(?: (\d\d?):(\d\d)(?::00)?)?$/.exec(text);
  const [, year, month, date, hour, minute] =
    day ?? (turned ? [turned[0], turned[3], turned[2], turned[1], turned[4], turned[5]] : []);
  if (!year) return null;
  const two = (part = '0') => part.padStart(2, '0');
  const wall = `${year}-${two(month)}-${two(date)}T${two(hour)}:${two(minute)}`;
  if (Number.isNaN(Date.parse(`${wall}Z`))) return null;
  const moment = fromWall(wall, timeZone);
  // An invalid date such as 30 February would silently become one in March.
  return moment && toWall(moment, timeZone) === wall ? moment : null;
}

export const writtenTime = (moment: string | null, timeZone: string): string =>
  moment ? toWall(moment, timeZone).replace('T', ' ') : '';
