import type { SheetColumn, SheetName, SheetProblem, SheetProblemCode } from '@portal/contract/console/sheets.ts';
import { oneLine } from '@portal/domain/printable.ts';
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';

/** The cells of a row by column name; an empty cell is an empty string. */
export type Cells = Readonly<Record<string, string>>;

export type CellProblem = Omit<SheetProblem, 'row'>;

/** A table that the operator's people edit: how entries are written as cells, and how cells are validated. */
export interface Sheet<Entry = unknown> {
  name: SheetName;
  /** The kind of its proposals. */
  approval: 'catalogue' | 'places';
  /** Without the columns for times and revision, which are added where needed. The first one is the key. */
  columns: readonly SheetColumn[];
  /** Whether entries can be scheduled and can end; otherwise a change applies when it is approved. */
  hasTimes: boolean;
  cellsOf(entry: Entry): Cells;
  read(cells: Cells): { entry: Entry } | { problems: CellProblem[] };
  /** Runs in the transaction of a change, to update derived data. */
  changed?(
    transaction: Kysely<Schema>,
    changed: readonly { key: string; entry: Entry | null }[],
    /** True for the first import. */
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
  isName: false,
  ...more,
});

const number = /^[+-]?\d+(?:[.,]\d+)?$/;

/** Reads the cells of a row; errors are collected by column, and the other cells are still read. */
export class CellReader {
  readonly problems: CellProblem[] = [];
  readonly #cells: Cells;

  constructor(cells: Cells) {
    this.#cells = cells;
  }

  refuse(name: string, code: SheetProblemCode, expected: string | null = null): undefined {
    this.problems.push({ column: name, code, value: this.#cells[name] ?? null, expected });
  }

  /** An empty string if the cell is missing. */
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

  /** Spreadsheets separate thousands with spaces. */
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
