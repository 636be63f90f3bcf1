import { inTurns } from './in-turns.ts';

export const mostRows = 20_000;

export type CsvEncoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

/** Why a file cannot be parsed; rows are counted as in a spreadsheet, with the header as row 1. */
export class CsvProblem extends Error {
  readonly code: 'empty' | 'notText' | 'workbook' | 'tooManyRows' | 'unclosedQuote' | 'strayQuote';
  readonly row: number | null;

  constructor(code: CsvProblem['code'], row: number | null = null) {
    super(code);
    this.code = code;
    this.row = row;
  }
}

export interface CsvRow {
  number: number;
  cells: string[];
}

export interface CsvTable {
  encoding: CsvEncoding;
  separator: string;
  header: string[];
  rows: CsvRow[];
}

/** Parses a CSV file as spreadsheets save it: any common encoding, separator and line end, with quoted cells. */
export async function readCsv(bytes: Uint8Array): Promise<CsvTable> {
  const { text, encoding } = decode(bytes);
  // Some programs state the separator in a first line of its own.
  const said = /^sep=(.)(?:\r\n|\r|\n)/.exec(text);
  const body = said ? text.slice(said[0].length) : text;
  const separator = said?.[1] ?? separatorOf(body);
  const rows: CsvRow[] = [];
  let header: string[] | null = null;
  let number = said ? 1 : 0;
  for await (const cells of inTurns(records(body, separator))) {
    number += 1;
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (!header) header = cells.map((cell) => cell.trim().toLowerCase());
    else if (rows.push({ number, cells: cells.map(withoutGuard) }) > mostRows) throw new CsvProblem('tooManyRows');
  }
  if (!header) throw new CsvProblem('empty');
  return { encoding, separator, header, rows };
}

/** Removes the apostrophe that csvRow puts before a cell to prevent formulas. */
const withoutGuard = (cell: string) => cell.trim().replace(/^'(?=[=+\-@＝＋－＠])/, '');

function decode(bytes: Uint8Array): { text: string; encoding: CsvEncoding } {
  const begins = (...first: number[]) => first.every((byte, at) => bytes[at] === byte);
  if (begins(0x50, 0x4b, 0x03, 0x04) || begins(0xd0, 0xcf, 0x11, 0xe0)) throw new CsvProblem('workbook');
  // Without a byte order mark: an ASCII letter followed by a zero byte.
  const isLittle = begins(0xff, 0xfe) || (bytes.length > 3 && bytes[0] !== 0 && bytes[1] === 0 && bytes[3] === 0);
  const isBig = begins(0xfe, 0xff) || (bytes.length > 3 && bytes[0] === 0 && bytes[1] !== 0 && bytes[2] === 0);
  if (isLittle || isBig) {
    const text = new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(bytes);
    return { text: readable(text), encoding: 'UTF-16' };
  }
  try {
    return { text: readable(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), encoding: 'UTF-8' };
  } catch (error) {
    if (error instanceof CsvProblem) throw error;
    return { text: readable(new TextDecoder('windows-1252').decode(bytes)), encoding: 'Windows-1252' };
  }
}

function readable(text: string): string {
  if (/[\0\ufffd]/.test(text)) throw new CsvProblem('notText');
  return text;
}

/** The separator that occurs most in the first line, outside of quotes. */
function separatorOf(text: string): string {
  const line = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0] ?? '').replace(/"(?:[^"]|"")*"/g, '');
  const count = (separator: string) => line.split(separator).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** Splits text into rows and cells by RFC 4180. */
function* records(text: string, separator: string): Generator<string[]> {
  let at = 0;
  let number = 1;
  let cells: string[] = [];
  const plain = new RegExp(`[^${separator}\\r\\n]*`, 'y');
  while (at < text.length) {
    if (text[at] === '"') {
      let end = text.indexOf('"', at + 1);
      while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
      if (end === -1) throw new CsvProblem('unclosedQuote', number);
      cells.push(text.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 1;
      if (at < text.length && ![separator, '\r', '\n'].includes(text[at] ?? ''))
        throw new CsvProblem('strayQuote', number);
    } else {
      plain.lastIndex = at;
      const cell = plain.exec(text)?.[0] ?? '';
      cells.push(cell);
      at += cell.length;
    }
    if (text[at] === separator) {
      at += 1;
      if (at === text.length) cells.push('');
      else continue;
    }
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
    yield cells;
    cells = [];
    number += 1;
  }
}
