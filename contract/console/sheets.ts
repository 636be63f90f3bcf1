import { z } from 'zod';
import { defineConsoleCall } from './define-console-call.ts';
import { reason, time } from './fields.ts';
import { sheetFileBytes } from './sheet-limits.ts';

/** Tables that the operator's people keep, each row an entry: what is on sale, and where things are. */
export const sheetNames = ['catalogue', 'shops', 'sites', 'towns'] as const;
export type SheetName = (typeof sheetNames)[number];

/** Why something in a table cannot be taken; the console has words for each. */
export const sheetProblems = [
  'empty',
  'notText',
  'workbook',
  'tooManyRows',
  'unclosedQuote',
  'strayQuote',
  'unknownColumn',
  'doubledColumn',
  'missingColumn',
  'tooManyCells',
  'tooFewCells',
  'required',
  'tooLong',
  'notChoice',
  'notWhole',
  'notNumber',
  'notPrice',
  'otherCurrency',
  'notHours',
  'notCode',
  'notContent',
  'notUnit',
  'nothingInside',
  'notTime',
  'inPast',
  'endBeforeStart',
  'overlaps',
  'doubled',
  'changedMeanwhile',
  'outsideCountry',
] as const;
export type SheetProblemCode = (typeof sheetProblems)[number];

const sheet = z.enum(sheetNames);
const key = z.string().min(1).max(100);
/** Grows with each change of the sheet; of an entry that is not there it is zero. Whoever changes one names what they saw. */
const revision = z.number().int().min(0);
const cells = z.record(z.string().max(40), z.string().max(1_000));
/** How an entry stands for a time. `from`: null where it stands already, or from when it is approved; `until`: null without an end. */
const line = z.object({ cells, from: time.nullable(), until: time.nullable() });

export const sheetChangeKinds = ['new', 'changed', 'ended'] as const;
const change = z.object({
  key: z.string(),
  kind: z.enum(sheetChangeKinds),
  revision,
  before: z.array(line),
  after: z.array(line),
});
export type SheetLine = z.output<typeof line>;
export type SheetChange = z.output<typeof change>;

const problem = z.object({
  /** As a spreadsheet counts; null where it is about the whole file or a form. */
  row: z.number().nullable(),
  column: z.string().nullable(),
  code: z.enum(sheetProblems),
  value: z.string().nullable(),
  /** What would be taken, where that can be said in a word. */
  expected: z.string().nullable(),
});
export type SheetProblem = z.output<typeof problem>;

const column = z.object({
  name: z.string(),
  /** What it is called in the console, by a code; a column of words has a language too. */
  label: z.string(),
  language: z.string().nullable(),
  kind: z.enum(['text', 'number', 'choice']),
  choices: z.array(z.string()),
  isRequired: z.boolean(),
  /** Shown in the list. */
  isListed: z.boolean(),
});
export type SheetColumn = z.output<typeof column>;

const source = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    /** A third larger than it is, as text. */
    file: z.base64().max(Math.ceil(sheetFileBytes / 3) * 4),
    /** What the file does not name ends. */
    isWhole: z.boolean(),
    /** From when rows hold that say nothing about it; null: once they are approved. */
    from: time.nullable(),
  }),
  z.object({ kind: z.literal('entry'), revision, line }),
  z.object({ kind: z.literal('end'), key, revision, from: time.nullable() }),
]);
export type SheetSource = z.output<typeof source>;

const preview = z.object({
  encoding: z.string().nullable(),
  separator: z.string().nullable(),
  counts: z.object({ new: z.number(), changed: z.number(), ended: z.number(), unchanged: z.number() }),
  changes: z.array(change),
  problems: z.array(problem),
  problemCount: z.number(),
  /** Of all changes: whoever proposes names what they were shown. */
  digest: z.string(),
});

export const sheetCalls = {
  sheet: defineConsoleCall({
    summary: 'What a table holds now and what is planned, in its order, a page at a time',
    permission: 'sheets.read',
    query: z.object({
      sheet,
      text: z.string().trim().max(100).optional(),
      /** Only what begins or ends at a time that was planned. */
      only: z.enum(['planned']).optional(),
      after: z.string().max(300).optional(),
    }),
    result: z.object({
      columns: z.array(column),
      hasTimes: z.boolean(),
      rows: z.array(line.extend({ key: z.string(), revision, isPlanned: z.boolean() })),
      next: z.string().nullable(),
    }),
  }),
  sheetFile: defineConsoleCall({
    summary: 'The whole table as a file for a spreadsheet',
    permission: 'sheets.read',
    query: z.object({ sheet, separator: z.enum([',', ';']) }),
    result: z.object({ name: z.string(), text: z.string() }),
  }),
  previewSheet: defineConsoleCall({
    summary: 'What a file or a form would change, and what is wrong with it, by row and column; changes nothing',
    permission: 'sheets.propose',
    body: z.object({ sheet, source }),
    bodyBytes: 2 * sheetFileBytes,
    result: preview,
  }),
  proposeSheet: defineConsoleCall({
    summary: 'Proposes the changes of a file or a form as they were shown, all or none',
    permission: 'sheets.propose',
    body: z.object({ sheet, source, digest: z.string().length(64), reason }),
    bodyBytes: 2 * sheetFileBytes,
    result: z.object({ proposal: z.string() }),
  }),
  sheetChanges: defineConsoleCall({
    summary: 'All that a proposal would change in a table, a page at a time',
    permission: 'sheets.read',
    query: z.object({
      id: z.string().max(100),
      skip: z
        .string()
        .regex(/^\d{1,6}$/)
        .default('0'),
    }),
    result: z.object({ sheet, columns: z.array(column), total: z.number(), changes: z.array(change) }),
  }),
};
