import type { SheetLine } from '@portal/contract/console/sheets.ts';
import { expect, test } from 'vitest';
import { type CurrentLines, compare, compareLine, rowsIn } from './compare.ts';
import { readCsv } from './csv.ts';
import { CellReader, column, type Sheet } from './sheet.ts';

const now = new Date('2027-03-01T09:00:00.000Z');
const timeZone = 'Indian/Antananarivo';
const december = '2027-11-30T21:00:00.000Z';
const january = '2027-12-31T21:00:00.000Z';

const sheet: Sheet<{ code: string; price: number; note: string }> = {
  name: 'catalogue',
  approval: 'catalogue',
  hasTimes: true,
  columns: [column('code'), column('price'), column('note')],
  cellsOf: ({ code, price, note }) => ({ code, price: String(price), note }),
  read(cells) {
    const reader = new CellReader(cells);
    const entry = {
      code: reader.text('code', { isRequired: true }),
      price: reader.whole('price', (price) => price > 0, '1'),
      note: reader.text('note'),
    };
    return reader.problems.length > 0 ? { problems: reader.problems } : { entry };
  },
};
const own = sheet as Sheet;
const line = (price: number, from: string | null = null, until: string | null = null, code = 'A'): SheetLine => ({
  cells: { code, price: String(price), note: 'n' },
  from,
  until,
});
const current = new Map<string, CurrentLines>([
  ['A', { revision: 4, since: '2027-01-01T00:00:00.000Z', lines: [line(100), line(200, december)] }],
  ['B', { revision: 2, since: '2027-01-01T00:00:00.000Z', lines: [line(50, null, null, 'B')] }],
]);
const asked = { current, from: null as string | null, isWhole: false, now, timeZone };

async function told(text: string, options: Partial<typeof asked> & { ended?: ReadonlySet<string> } = {}) {
  const { given, problems } = rowsIn(own, await readCsv(new TextEncoder().encode(text)));
  const found = await compare(own, given, { ...asked, ...options });
  return {
    problems: [...problems, ...found.problems].map(({ row, column: name, code }) => `${row} ${name} ${code}`),
    changes: found.changes.map(({ key, kind, after }) => [key, kind, after.map(short)]),
    unchanged: found.unchanged,
  };
}
const short = ({ cells, from, until }: SheetLine) =>
  [cells.price, cells.note, from?.slice(0, 10), until?.slice(0, 10)].filter(Boolean).join(' ');

test('a file that says what stands and what is planned changes nothing', async () => {
  const file = 'code,price,note,from,until,revision\nA,100,n,,,4\nA,200,n,2027-12-01 00:00,,4\nB,50,n,,,2\n';
  expect(await told(file)).toEqual({ problems: [], changes: [], unchanged: 2 });
  // French spreadsheets reorder the date.
  expect((await told(file.replace('2027-12-01 00:00', '01/12/2027'))).unchanged).toBe(2);
});

test('a column that is left out stays, for what is planned as well; a new entry needs what it cannot do without', async () => {
  expect(await told('code,price\nB,60')).toEqual({ problems: [], changes: [['B', 'changed', ['60 n']]], unchanged: 0 });
  expect(await told('code,note\nC,x')).toMatchObject({
    problems: ['2 code unknownEntry', '1 null missingColumns'],
    changes: [],
  });
  expect((await told('code,price,note\nC,5,x')).changes).toEqual([['C', 'new', ['5 x']]]);
});

test('what a file says of an entry is all that is planned for it; until then it stands as it does', async () => {
  expect((await told('code,price\nA,100')).changes).toEqual([['A', 'changed', ['100 n']]]);
  expect((await told('code,price,from\nA,300,2028-01-01')).changes).toEqual([
    ['A', 'changed', ['100 n', '300 n 2027-12-31']],
  ]);
  expect((await told('code,price,from,until\nA,90,,2027-04-01\nA,100,2027-04-01,')).changes).toEqual([
    ['A', 'changed', ['90 n', '100 n 2027-03-31']],
  ]);
});

test('a date for the whole file holds for what changes and says nothing else', async () => {
  expect(await told('code,price\nA,100\nB,60', { from: january })).toEqual({
    problems: [],
    changes: [
      ['A', 'changed', ['100 n']],
      ['B', 'changed', ['50 n', '60 n 2027-12-31']],
    ],
    unchanged: 0,
  });
});

test('what the whole table does not name ends, now or at the date, and only where that was asked for', async () => {
  const file = 'code,price,from\nA,100,\nA,200,2027-12-01';
  expect((await told(file)).changes).toEqual([]);
  expect((await told(file, { isWhole: true })).changes).toEqual([['B', 'ended', []]]);
  expect((await told(file, { isWhole: true, from: january })).changes).toEqual([['B', 'ended', ['50 n 2027-12-31']]]);
});

test.each([
  ['code,price\nA,100\nA,100', '3 code doubled'],
  ['code,price,from\nA,5,2027-05-01\nA,6,2027-05-01', '3 code doubled'],
  ['code,price,from,until\nA,5,2027-05-01,2027-07-01\nA,6,2027-06-01,', '2 until overlaps'],
  ['code,price,from\nA,5,2027-01-01', '2 from inPast'],
  ['code,price,from\nA,5,soon', '2 from notTime'],
  ['code,price,from\nA,5,2027-02-30', '2 from notTime'],
  ['code,price,from,until\nA,5,2027-06-01,2027-05-01', '2 until endBeforeStart'],
  ['code,price,until\nA,5,2027-01-01', '2 until endBeforeStart'],
  ['code,price,revision\nA,5,3', '2 revision changedMeanwhile'],
  ['code,price,revision\nNEW,5,1', '2 revision newHasRevision'],
  ['code,price,colour\nA,5,red', '1 colour unknownColumn'],
  ['code,pirce\nA,5', '1 pirce mistypedColumn'],
  ['code,price\na,5', '2 code otherLetters'],
  ['code,price,price\nA,5,6', '1 price doubledColumn'],
  ['price,note\n5,x', '1 code missingColumn'],
  ['code,price\nA,5,6', '2 null tooManyCells'],
  ['code,price,note\nA,5', '2 null tooFewCells'],
  ['code,price\n,5', '2 code required'],
])('%j: %s, and nothing of the file is taken', async (file, problem) => {
  const { problems } = await told(`${file}\n`);
  expect(problems).toEqual([problem]);
});

test.each([
  ['2027-07-01 08:30', '2027-06-01'],
  ['01/07/2027', '2027-06-01 00:00'],
])('an overlap quotes the end as it was typed: %s', async (until, from) => {
  const file = `code,price,from,until\nA,5,2027-05-01,${until}\nA,6,${from},\n`;
  const { given } = rowsIn(own, await readCsv(new TextEncoder().encode(file)));
  const { problems } = await compare(own, given, asked);
  expect(problems).toEqual([{ row: 2, column: 'until', code: 'overlaps', value: until, expected: '3' }]);
});

test('CNS-11 (a mistyped code) is told in one line with the code that was meant, and not as a new entry without anything', async () => {
  const needsNote: Sheet<{ code: string; note: string }> = {
    ...sheet,
    columns: [...sheet.columns, column('title')],
    cellsOf: ({ code, note }) => ({ code, note }),
    read(cells) {
      const reader = new CellReader(cells);
      const entry = { code: reader.text('code'), note: reader.text('note', { isRequired: true }) };
      reader.text('title', { isRequired: true });
      reader.whole('price', (price) => price > 0, '1');
      return reader.problems.length > 0 ? { problems: reader.problems } : { entry };
    },
  };
  const plans = new Map([['D1G3', { revision: 1, since: null, lines: [line(100)] }]]);
  const problemsOf = async (text: string) => {
    const { given } = rowsIn(needsNote as Sheet, await readCsv(new TextEncoder().encode(text)));
    const { problems } = await compare(needsNote as Sheet, given, {
      ...asked,
      current: plans,
      ended: new Set(['D1G2']),
    });
    return problems.map(({ row, column: name, code, expected }) => [row, name, code, expected]);
  };
  expect(await problemsOf('code,price\nD1G33,0\nROAM5,5\nd1g3,5')).toEqual([
    [4, 'code', 'otherLetters', 'D1G3'],
    [2, 'code', 'mistypedEntry', 'D1G3'],
    [2, 'price', 'notWhole', '1'],
    [3, 'code', 'unknownEntry', null],
    [1, null, 'missingColumns', 'note, title'],
  ]);
  // Of what was mistyped nothing is missing, and a row without a code is told that alone.
  expect(await problemsOf('code,price\nD1G33,5\n,5')).toEqual([
    [2, 'code', 'mistypedEntry', 'D1G3'],
    [3, 'code', 'required', null],
  ]);
  expect(await problemsOf('code,price\nD1G2,5')).toEqual([[2, 'code', 'endedEntry', null]]);
  // A row with the columns of a new entry is taken as a new one.
  expect(await problemsOf('code,price,note,title\nD1G33,5,,T')).toEqual([[2, 'note', 'required', null]]);
});

test('every row that is wrong is named, not only the first', async () => {
  const rows = Array.from({ length: 300 }, (_, at) => `X${at},${at % 3 === 0 ? 0 : 5}`);
  expect((await told(`code,price\n${rows.join('\n')}`)).problems).toHaveLength(100);
});

test('what another person changed since the file was made is not overwritten, where the row differs', async () => {
  expect((await told('code,price,note,revision\nB,50,n,1')).problems).toEqual([]);
  expect((await told('code,price,note,revision\nB,60,n,1')).problems).toEqual(['2 revision changedMeanwhile']);
});

test('a form changes one line and leaves what is planned after it', () => {
  const of = (given: SheetLine) =>
    compareLine(own, given, asked).changes.map(({ kind, after }) => [kind, after.map(short)]);
  expect(of(line(150))).toEqual([['changed', ['150 n', '200 n 2027-11-30']]]);
  expect(of(line(150, january))).toEqual([['changed', ['100 n', '200 n 2027-11-30', '150 n 2027-12-31']]]);
  expect(of(line(250, december))).toEqual([['changed', ['100 n', '250 n 2027-11-30']]]);
  expect(of(line(100, null, december))).toEqual([]);
});

test('CNS-11 (a price for a time) after it the entry is as it was without it; where nothing but an end is said, it ends', () => {
  const of = (given: SheetLine) =>
    compareLine(own, given, asked).changes.map(({ kind, after }) => [kind, after.map(short)]);
  expect(of(line(45, null, january, 'B'))).toEqual([['changed', ['45 n', '50 n 2027-12-31']]]);
  expect(of(line(45, december, january, 'B'))).toEqual([['changed', ['50 n', '45 n 2027-11-30', '50 n 2027-12-31']]]);
  // A line planned within the span is cut to begin at its end.
  expect(of(line(90, null, january))).toEqual([['changed', ['90 n', '200 n 2027-12-31']]]);
  expect(of(line(50, null, january, 'B'))).toEqual([['ended', ['50 n 2027-12-31']]]);
  expect(of(line(5, null, january, 'NEW'))).toEqual([['new', ['5 n 2027-12-31']]]);
});

test('CNS-11 (a price for a time) in a file whose rows are all that is planned, an entry of which nothing comes after counts as one that ends', async () => {
  expect((await told('code,price,from,until\nB,45,2027-12-01,2028-01-01')).changes).toEqual([
    ['B', 'ended', ['50 n', '45 n 2027-11-30 2027-12-31']],
  ]);
});

test('CNS-11 (what has ended) a row of an older file puts it back, with its revision', async () => {
  const ended = new Set(['OLD']);
  expect(await told('code,price,note,revision\nOLD,5,n,3', { ended })).toEqual({
    problems: [],
    changes: [['OLD', 'new', ['5 n']]],
    unchanged: 0,
  });
});
