import { z } from 'zod';
import { defineConsoleCall } from './define-console-call.ts';
import { reason, time } from './fields.ts';
import { sheetFileBytes } from './sheet-limits.ts';

/** Tables kept by the operator's people, each row an entry: the catalogue and the places. */
export const sheetNames = ['catalogue', 'shops', 'sites', 'towns'] as const;
export type SheetName = (typeof sheetNames)[number];

/** Why a table entry is refused; the console has a text for each. */
export const sheetProblems = [
  'empty',
  'notText',
  'workbook',
  'tooManyRows',
  'unclosedQuote',
  'strayQuote',
  'unknownColumn',
  'mistypedColumn',
  'doubledColumn',
  'missingColumn',
  'missingColumns',
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
  'foreignLetters',
  'notPhone',
  'notTime',
  'inPast',
  'endBeforeStart',
  'overlaps',
  'doubled',
  'otherLetters',
  'unknownEntry',
  'mistypedEntry',
  'endedEntry',
  'changedMeanwhile',
  'newHasRevision',
  'outsideCountry',
  'otherSign',
] as const;
export type SheetProblemCode = (typeof sheetProblems)[number];

const sheet = z.enum(sheetNames);
const key = z.string().min(1).max(100);
/**
 * Grows with each change of the sheet; zero for an entry that does not exist. Every change names the revision it is
 * based on.
 */
const revision = z.number().int().min(0);
const cells = z.record(z.string().max(40), z.string().max(1_000));
/**
 * An entry's period of validity. `from`: null when it is current or starts on approval; `until`: null without an end.
 */
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
  /** Row number as in a spreadsheet; null where it is about the whole file or a form. */
  row: z.number().nullable(),
  column: z.string().nullable(),
  code: z.enum(sheetProblems),
  value: z.string().nullable(),
  /** A short description of what would be accepted, if possible. */
  expected: z.string().nullable(),
});
export type SheetProblem = z.output<typeof problem>;

export const sheetSections = ['what', 'price', 'contents', 'words', 'shown'] as const;
export type SheetSection = (typeof sheetSections)[number];

const column = z.object({
  name: z.string(),
  /** Its label in the console, by a code; a text column has a language too. */
  label: z.string(),
  language: z.string().nullable(),
  /** Money is written in major units of the row's `currency`. */
  kind: z.enum(['text', 'number', 'money', 'choice']),
  choices: z.array(z.string()),
  isRequired: z.boolean(),
  /** Its section of the form, by a code; null where there is only one. */
  section: z.enum(sheetSections).nullable(),
  /** Whether it is a column of the list. */
  isListed: z.boolean(),
  /** What people call the entry, where its key is only a code: one column, or one for each language. */
  isName: z.boolean(),
});
export type SheetColumn = z.output<typeof column>;

/** What people call an entry, by language; null where it is called the same in each. */
export const sheetNamesOf = z.array(z.object({ language: z.string().nullable(), name: z.string() }));
export type SheetNames = z.output<typeof sheetNamesOf>;

const source = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    /** Base64, so a third larger than the file. */
    file: z.base64().max(Math.ceil(sheetFileBytes / 3) * 4),
    /** Entries missing from the file end. */
    isWhole: z.boolean(),
    /** Start of rows that give none; null: on approval. */
    from: time.nullable(),
  }),
  z.object({ kind: z.literal('entry'), revision, line }),
  z.object({ kind: z.literal('end'), key, revision, from: time.nullable() }),
]);
export type SheetSource = z.output<typeof source>;

/** Changes that look like slips, which the proposer has to confirm; null where there are none. */
const alarm = z
  .object({
    /** Prices that change by more than half: the first ones, and their number. */
    prices: z.array(z.object({ key: z.string(), column: z.string(), before: cells, after: cells })),
    priceCount: z.number(),
    /** Texts that still name a figure that changed: in these columns, the figure before and after. */
    words: z.array(
      z.object({ key: z.string(), cells, columns: z.array(z.string()), was: z.string(), now: z.string() }),
    ),
    ended: z.number(),
    /** Entries that would end, of so many current ones; null where it is a tenth of them or less. */
    total: z.number().nullable(),
  })
  .nullable();
export type SheetAlarm = z.output<typeof alarm>;

const counts = z.object({ new: z.number(), changed: z.number(), ended: z.number() });

/** Another open proposal for some of the same entries: of the two, only the first to be approved can be carried out. */
const waiting = z.object({
  id: z.string(),
  proposedBy: z.string(),
  /** The first of these entries, and their number. */
  keys: z.array(z.string()),
  count: z.number(),
});
export type SheetWaiting = z.output<typeof waiting>;

const preview = z.object({
  encoding: z.string().nullable(),
  separator: z.string().nullable(),
  counts: counts.extend({ unchanged: z.number() }),
  changes: z.array(change),
  problems: z.array(problem),
  problemCount: z.number(),
  alarm,
  waiting: z.array(waiting),
  /** Digest of all changes: the proposal names what was previewed. */
  digest: z.string(),
});

export const sheetCalls = {
  sheet: defineConsoleCall({
    summary: 'What a table holds now and what is planned, in its order, a page at a time',
    permission: 'sheets.read',
    query: z.object({
      sheet,
      text: z.string().trim().max(100).optional(),
      /** Only entries with a scheduled start or end, or those that ended, as they last were. */
      only: z.enum(['planned', 'ended']).optional(),
      after: z.string().max(300).optional(),
    }),
    result: z.object({
      columns: z.array(column),
      hasTimes: z.boolean(),
      rows: z.array(line.extend({ key: z.string(), revision, isPlanned: z.boolean(), isEnded: z.boolean() })),
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
    body: z.object({
      ...{ sheet, source, digest: z.string().length(64), reason },
      /** The proposer has confirmed the changes that look like slips. */
      isConfirmed: z.boolean().default(false),
    }),
    bodyBytes: 2 * sheetFileBytes,
    result: z.object({ proposal: z.string() }),
  }),
  sheetWaiting: defineConsoleCall({
    summary: 'The open proposals that change an entry, alone or with others',
    permission: 'sheets.read',
    query: z.object({ sheet, key }),
    result: z.array(waiting),
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
    result: z.object({
      ...{ sheet, columns: z.array(column), total: z.number(), counts, changes: z.array(change) },
      /** As the proposer was shown it. */
      alarm,
      /** What can no longer be carried out once this is approved; told on the first page. */
      waiting: z.array(waiting),
    }),
  }),
};
