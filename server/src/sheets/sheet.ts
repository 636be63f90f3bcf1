import type { SheetColumn, SheetName, SheetProblem, SheetProblemCode } from '@portal/contract/console/sheets.ts';
import { oneLine } from '@portal/domain/printable.ts';
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';

/** What stands in a row, by the name of the column; an empty cell is an empty text. */
export type Cells = Readonly<Record<string, string>>;

export type CellProblem = Omit<SheetProblem, 'row'>;

/** A table that the operator's people keep: how an entry is written in cells, and what cells make a sound entry. */
export interface Sheet<Entry = unknown> {
  name: SheetName;
  /** What is proposed about it is of this kind. */
  approval: 'catalogue' | 'places';
  /** Without those of time and revision, which every table has that needs them. The first one names the entry. */
  columns: readonly SheetColumn[];
  /** Whether an entry may be planned, or end; otherwise a change holds once it is approved. */
  hasTimes: boolean;
  cellsOf(entry: Entry): Cells;
  read(cells: Cells): { entry: Entry } | { problems: CellProblem[] };
  /** In the transaction of a change, for what is kept beside it. */
  changed?(
    transaction: Kysely<Schema>,
    changed: readonly { key: string; entry: Entry | null }[],
    /** Nothing was stored before. */
    when: { isFirst: boolean },
  ): Promise<void>;
}

export const column = (name: string, more: Partial<SheetColumn> = {}): SheetColumn => ({
  name,
  label: name,
  language: null,
  kind: 'text',
  choices: [],
  isRequired: false,
  section: null,
  isListed: false,
  ...more,
});

const number = /^[+-]?\d+(?:[.,]\d+)?$/;

/** Reads the cells of one row; what cannot be read is noted with its column, and the rest is read all the same. */
export class CellReader {
  readonly problems: CellProblem[] = [];
  readonly #cells: Cells;

  constructor(cells: Cells) {
    this.#cells = cells;
  }

  refuse(name: string, code: SheetProblemCode, expected: string | null = null): undefined {
    this.problems.push({ column: name, code, value: this.#cells[name] ?? null, expected });
  }

  /** Empty where there is nothing. */
  text(name: string, { most = 200, isRequired = false } = {}): string {
    const text = oneLine(this.#cells[name] ?? '');
    if (isRequired && text === '') this.refuse(name, 'required');
    if (text.length > most) this.refuse(name, 'tooLong', String(most));
    return text;
  }

  choice<const T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name, { isRequired: true });
    const found = choices.find((one) => one.toLowerCase() === text.toLowerCase());
    if (text && !found) this.refuse(name, 'notChoice', choices.join(', '));
    return found;
  }

  truth(name: string): boolean {
    const text = this.text(name).toLowerCase();
    if (['', 'no', 'non', 'tsia', 'false', 'faux', '0'].includes(text)) return false;
    if (!['yes', 'oui', 'eny', 'true', 'vrai', '1', 'x'].includes(text)) this.refuse(name, 'notChoice', 'yes, no');
    return true;
  }

  /** Spreadsheets group thousands by spaces. */
  digits(name: string): string {
    return this.text(name, { isRequired: true }).replace(/(?<=\d)[\s\u00a0\u202f](?=\d{3})/g, '');
  }

  whole(name: string, isRight: (value: number) => boolean, expected: string): number {
    const text = this.digits(name);
    const value = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (text && !isRight(value)) this.refuse(name, 'notWhole', expected);
    return value;
  }

  decimal(name: string, { least, most }: { least: number; most: number }): number {
    const text = this.text(name, { isRequired: true });
    const value = number.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
    if (text && !(value >= least && value <= most)) this.refuse(name, 'notNumber', `${least} … ${most}`);
    return value;
  }
}
