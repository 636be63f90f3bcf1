import { csvRow } from '@portal/domain/printable.ts';
import { describe, expect, test } from 'vitest';
import { CsvProblem, mostRows, readCsv } from './csv.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};
const cells = async (text: string) => (await readCsv(utf8(text))).rows.map((row) => row.cells);
const problem = (bytes: Uint8Array) =>
  readCsv(bytes).then(
    () => null,
    (error: unknown) => error instanceof CsvProblem && [error.code, error.row],
  );

describe('encodings', () => {
  const text = 'code;name\nD1G7;Illimité l’été – 5 €\n';
  const windows = Uint8Array.from(
    text,
    (letter) => ({ '’': 0x92, '–': 0x96, '€': 0x80 })[letter] ?? letter.charCodeAt(0),
  );
  test.each([
    ['UTF-8', utf8(text)],
    ['UTF-8', utf8(`\ufeff${text}`)],
    ['UTF-16', utf16(`\ufeff${text}`)],
    ['UTF-16', utf16(`\ufeff${text}`, true)],
    ['UTF-16', utf16(text)],
    ['UTF-16', utf16(text, true)],
    ['Windows-1252', windows],
  ])('%s is recognised and said', async (encoding, bytes) => {
    const table = await readCsv(bytes);
    expect([table.encoding, table.header]).toEqual([encoding, ['code', 'name']]);
    expect(table.rows).toEqual([{ number: 2, cells: ['D1G7', 'Illimité l’été – 5 €'] }]);
  });

  test.each([
    ['an Excel workbook', Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0), 'workbook'],
    ['an old Excel workbook', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1), 'workbook'],
    ['bytes', utf8('code,name\nA\0B,c'), 'notText'],
    ['nothing', utf8(''), 'empty'],
    ['nothing but line ends', utf8('\n\r\n ,, \n'), 'empty'],
  ])('%s is no table', async (_what, bytes, code) => {
    expect(await problem(bytes)).toEqual([code, null]);
  });
});

describe('separators, quotes and line ends', () => {
  test.each([',', ';', '\t'])('cells are separated by %j', async (one) => {
    expect(await cells(['a', 'b,;'].join(one).replace('b,;', '"b,;\t"').concat(`\n1${one}2`))).toEqual([['1', '2']]);
  });
  test('a line that says what separates is no row of names', async () => {
    expect(await readCsv(utf8('sep=;\r\ncode;name\r\nA;"x;y"'))).toMatchObject({
      header: ['code', 'name'],
      rows: [{ number: 3, cells: ['A', 'x;y'] }],
    });
  });
  test.each(['\n', '\r\n', '\r'])('lines end with %j, blank ones are counted and left out', async (end) => {
    const table = await readCsv(utf8(['a,b', '1,2', '', '3,', ''].join(end)));
    expect(table.rows).toEqual([
      { number: 2, cells: ['1', '2'] },
      { number: 4, cells: ['3', ''] },
    ]);
  });
  test('quotes hold separators, line ends and doubled quotes; a quote inside a cell is one', async () => {
    expect(await cells('a,b\n"one, ""two""\r\nthree",5" pipe')).toEqual([['one, "two"\r\nthree', '5" pipe']]);
  });
  test('a quote that never ends or ends too early names its row', async () => {
    expect(await problem(utf8('a,b\n1,2\n"3,4\n5,6'))).toEqual(['unclosedQuote', 3]);
    expect(await problem(utf8('a,b\n"1"2,3'))).toEqual(['strayQuote', 2]);
  });
  test('what was written for a spreadsheet is read as it was, formulas too', async () => {
    const row = ['=1+1', '+261 30', '-x', '@a', 'a "b"; c', "'quoted'", '=cmd|x'];
    expect(await cells(`${csvRow(row.map((_, at) => `c${at}`))}\n${csvRow(row)}`)).toEqual([row]);
  });
});

test('a table of more rows than are taken is refused, and others are answered while it is read', async () => {
  const rows = (count: number) => utf8(`a,b\n${'some text,"more, text"\n'.repeat(count)}`);
  let turns = 0;
  let isRead = false;
  const turn = () => {
    turns += 1;
    if (!isRead) setImmediate(turn);
  };
  turn();
  expect((await readCsv(rows(mostRows))).rows).toHaveLength(mostRows);
  isRead = true;
  expect(turns).toBeGreaterThan(mostRows / 1_000);
  expect(await problem(rows(mostRows + 1))).toEqual(['tooManyRows', null]);
  expect(await problem(rows(100_000))).toEqual(['tooManyRows', null]);
});
