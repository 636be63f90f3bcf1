import { createHash, randomUUID } from 'node:crypto';
import type {
  SheetAlarm,
  SheetChange,
  SheetLine,
  SheetName,
  SheetNames,
  SheetProblem,
  SheetSource,
  SheetWaiting,
} from '@portal/contract/console/sheets.ts';
import { foldName } from '@portal/domain/place-name-match.ts';
import type { Kysely } from 'kysely';
import type { Approvable, Approval, Approvals, Overtaken, Payload } from '../approvals/approvals.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import { ConsoleRefusal, type Signed } from '../console/console.service.ts';
import type { Clock } from '../db/clock.ts';
import { sheetTopic } from '../db/notify.ts';
import type { Schema } from '../db/schema.ts';
import type { Logger } from '../http/logging.ts';
import { createFollowed, type Followed, type Live } from '../live/live.service.ts';
import { alarmOf } from './alarm.ts';
import { type Compared, type CurrentLines, compare, compareLine, endedAt, isSame, rowsIn } from './compare.ts';
import { CsvProblem, readCsv } from './csv.ts';
import { inTurns } from './in-turns.ts';
import type { Sheet } from './sheet.ts';
import type { Executor, SheetRow, Span } from './sheets.store.ts';
import * as store from './sheets.store.ts';

export { CellReader, type Cells, column, type Sheet } from './sheet.ts';

/** A table as other areas read it. */
export interface Table<Entry> {
  /** The current entries by the database's clock, in the order of the table. */
  current(): Promise<readonly Entry[]>;
  /**
   * Imports the pack. The first import creates the table; later ones change only entries that nobody changed in the
   * console, so that a release does not undo an approved change. Null if the pack is unchanged.
   */
  importPack(): Promise<{ changed: string[]; kept: string[] } | null>;
}

export interface Preview extends Compared {
  encoding: string | null;
  separator: string | null;
  digest: string;
  alarm: SheetAlarm;
  /** The number of current entries, which the alarm compares with. */
  total: number;
}

export type Sheets = ReturnType<typeof createSheets>;

interface Dependencies {
  db: Kysely<Schema>;
  clock: Clock;
  audit: Pick<Audit, 'write'>;
  timeZone: string;
  live: Pick<Live, 'follow' | 'isHearing'>;
  log: Logger;
}

interface Registered {
  sheet: Sheet;
  followed: Followed<readonly SheetRow[]>;
}

/** More proposals than ever wait at once. */
const mostOpen = 500;
const shownKeys = 5;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const isCurrentAt = ({ starts_at, ends_at }: SheetRow, now: Date) => starts_at <= now && (!ends_at || ends_at > now);
/** Entries of the first import are current even for a clock that is slow. */
const beginning = new Date(0);

/** Tables that people edit in the console: every process reads them, changes need two people and can be scheduled. */
export function createSheets({ db, clock, audit, timeZone, live, log }: Dependencies) {
  const registered = new Map<SheetName, Registered>();

  function find(name: SheetName): Registered {
    const found = registered.get(name);
    if (!found) throw new ConsoleRefusal('notFound');
    return found;
  }

  /** Registers a table. The pack's entries are used until a version is stored, and if the first read fails. */
  function keep<Entry>(own: Sheet<Entry>, pack: readonly Entry[]): Table<Entry> {
    const sheet = own as unknown as Sheet;
    const first = pack.map((entry, position) => ({
      ...{ sheet: sheet.name, key: keyOf(sheet, entry), starts_at: beginning, ends_at: null, entry },
      ...{ position, revision: 0, is_from_pack: true, search: '' },
    }));
    const followed = createFollowed<readonly SheetRow[]>({
      topic: sheetTopic(sheet.name),
      async read() {
        const rows = await store.rowsOf(db, sheet.name, clock.inSql());
        return rows.length > 0 ? rows : first;
      },
      first,
      live,
      log,
    });
    registered.set(sheet.name, { sheet, followed });
    return {
      async current() {
        const rows = await followed.current();
        const now = clock.now();
        return rows.filter((row) => isCurrentAt(row, now)).map(({ entry }) => entry as Entry);
      },
      async importPack() {
        const done = await importEntries(sheet, pack);
        if (done) await followed.readAnew();
        return done;
      },
    };
  }

  async function importEntries(sheet: Sheet, pack: readonly unknown[]) {
    const digest = sha256(JSON.stringify(pack));
    return db.transaction().execute(async (transaction) => {
      const { revision: last, packDigest, now } = await store.lock(transaction, sheet.name, clock.inSql());
      if (packDigest === digest) return null;
      const revision = last + 1;
      const stored = Map.groupBy(await store.rowsOf(transaction, sheet.name, now), ({ key }) => key);
      const peoples = await store.editedByPeople(transaction, sheet.name);
      const packEntries = new Map(pack.map((entry, position) => [keyOf(sheet, entry), { entry, position }]));
      const differs = (key: string, entry: unknown) => {
        const row = stored.get(key)?.find((one) => isCurrentAt(one, now));
        return !row || JSON.stringify(sheet.cellsOf(row.entry)) !== JSON.stringify(sheet.cellsOf(entry));
      };
      const fresh = [...packEntries].filter(([key, { entry }]) => differs(key, entry));
      const gone = [...stored.keys()].filter((key) => !packEntries.has(key));
      const wanted = [...fresh.map(([key]) => key), ...gone];
      const changed = wanted.filter((key) => !peoples.has(key));
      await store.clear(transaction, sheet.name, { keys: changed, at: now, revision });
      const starts_at = packDigest === null ? beginning : now;
      const rows = fresh
        .filter(([key]) => !peoples.has(key))
        .map(([key, { entry, position }]) => ({
          ...{ sheet: sheet.name, key, starts_at, ends_at: null, position, revision, is_from_pack: true, entry },
          search: searchOf(sheet, entry),
        }));
      await insertRows(transaction, rows);
      await sheet.changed?.(
        transaction,
        changed.map((key) => ({ key, entry: packEntries.get(key)?.entry ?? null })),
        { isFirst: packDigest === null },
      );
      await store.finish(transaction, sheet.name, { revision, packDigest: digest });
      return { changed, kept: wanted.filter((key) => peoples.has(key)) };
    });
  }

  const insertRows = (transaction: Executor, rows: readonly SheetRow[]) =>
    store.insert(
      transaction,
      rows.map(({ entry: _, ...row }) => row),
      (at) => rows[at]?.entry,
    );

  /** The lines of all entries, or of the given keys. */
  async function currentOf(executor: Executor, sheet: Sheet, now: Date, keys?: readonly string[]) {
    const rows = await store.rowsOf(executor, sheet.name, now, keys);
    const found = new Map<string, CurrentLines>();
    for await (const [key, spans] of inTurns(Map.groupBy(rows, ({ key }) => key)))
      found.set(key, currentLinesOf(sheet, spans, now));
    return found;
  }

  async function compared(sheet: Sheet, source: SheetSource, now: Date) {
    const asked = { isWhole: false, from: null, now, timeZone };
    if (source.kind === 'file') {
      const table = await readCsv(Buffer.from(source.file, 'base64'));
      const { given, problems } = rowsIn(sheet, table);
      const from = normalTime(source.from);
      const [current, ended] = await Promise.all([currentOf(db, sheet, now), store.endedKeys(db, sheet.name, now)]);
      const options = { ...asked, from, isWhole: source.isWhole, current, ended };
      const { encoding, separator } = table;
      problems.push(...pastStart(source.from, from, now));
      if (problems.length > 0) return { changes: [], unchanged: 0, problems, encoding, separator };
      return { ...(await compare(sheet, given, options)), encoding, separator };
    }
    const key = source.kind === 'end' ? source.key : (source.line.cells[sheet.columns[0]?.name ?? ''] ?? '').trim();
    const found = await currentOf(db, sheet, now, [key]);
    const before = found.get(key);
    // Optimistic locking: the entry changed after the form was loaded.
    if ((before?.revision ?? 0) !== source.revision) throw new ConsoleRefusal('changedMeanwhile');
    const none = { encoding: null, separator: null };
    if (source.kind === 'entry') {
      const alike = before ? undefined : await store.keyAlike(db, sheet.name, key, now);
      if (alike !== undefined) {
        const column = sheet.columns[0]?.name ?? null;
        const problem = { row: null, column, code: 'otherLetters' as const, value: key, expected: alike };
        return { changes: [], unchanged: 0, problems: [problem], ...none };
      }
      const line = { ...source.line, from: normalTime(source.line.from), until: normalTime(source.line.until) };
      return { ...compareLine(sheet, line, { ...asked, current: found }), ...none };
    }
    if (!before) throw new ConsoleRefusal('notFound');
    const from = sheet.hasTimes ? normalTime(source.from) : null;
    const problems = pastStart(source.from, from, now);
    if (problems.length > 0) return { changes: [], unchanged: 0, problems, ...none };
    const after = endedAt(before.lines, from);
    const change = { key, kind: 'ended' as const, revision: before.revision, before: before.lines, after };
    return { changes: [change], unchanged: 0, problems: [], ...none };
  }

  async function currentCount(followed: Registered['followed']): Promise<number> {
    const now = clock.now();
    return (await followed.current()).filter((row) => isCurrentAt(row, now)).length;
  }

  /** The changes or the errors; writes nothing. */
  async function preview(name: SheetName, source: SheetSource): Promise<Preview> {
    const { sheet, followed } = find(name);
    try {
      const found = await compared(sheet, source, clock.now());
      const total = await currentCount(followed);
      const alarm = alarmOf(sheet, found.changes, total);
      return { ...found, alarm, total, digest: sha256(written(name, found.changes)) };
    } catch (error) {
      if (!(error instanceof CsvProblem)) throw error;
      const problem = { row: error.row, column: null, code: error.code, value: null, expected: null };
      return {
        changes: [],
        unchanged: 0,
        problems: [problem],
        encoding: null,
        separator: null,
        alarm: null,
        total: 0,
        digest: sha256(''),
      };
    }
  }

  /** The first entry with a newer revision than the change is based on; null if there is none. */
  const changedEntry = (
    changes: readonly { key: string; revision: number }[],
    current: Awaited<ReturnType<typeof currentOf>>,
  ): string | null => changes.find(({ key, revision }) => (current.get(key)?.revision ?? 0) !== revision)?.key ?? null;

  /** Approved later, what was planned would hold at once, without anybody having seen that. */
  const isTooLate = ({ payload }: Approval, now: Date) => {
    const until = untilOf(payload);
    return until !== null && until <= now;
  };

  const overtaken = async (approval: Approval): Promise<Overtaken | null> => {
    const { payload } = approval;
    if (isTooLate(approval, clock.now())) return { code: 'timePassed', parameters: {} };
    const stored = { id: String(payload.changes), digest: String(payload.digest) };
    const found = await store.changedSince(db, stored, clock.now());
    if (!found) return { code: 'proposalChanged', parameters: {} };
    return found.entry === null ? null : { code: 'entryChanged', parameters: { entry: found.entry } };
  };

  /** Applies all changes in the transaction of the approval. */
  const carryOut: Approvable['carryOut'] = async (approval, by, decide) => {
    const { id: proposal, payload, reason } = approval;
    const { sheet: name, changes } = await changesIn(payload);
    const { sheet, followed } = find(name);
    await db.transaction().execute(async (transaction) => {
      const { revision: last, now } = await store.lock(transaction, name, clock.inSql());
      if (isTooLate(approval, now)) throw new ConsoleRefusal('timePassed');
      await decide(transaction);
      const keys = changes.map(({ key }) => key);
      const current = await currentOf(transaction, sheet, now, keys);
      const other = changedEntry(changes, current);
      if (other !== null) throw new ConsoleRefusal('entryChanged', { parameters: { entry: other } });
      const revision = last + 1;
      const { of: positions, free } = await store.positions(transaction, name, keys);
      let next = free;
      await store.clear(transaction, name, { keys, at: now, revision });
      const changed: { key: string; entry: unknown }[] = [];
      const rows: SheetRow[] = [];
      for await (const { key, after } of inTurns(changes)) {
        const spans = spansOf(sheet, after, now);
        const position = positions.get(key) ?? next++;
        for (const { entry, startsAt, endsAt } of spans)
          rows.push({
            ...{ sheet: name, key, starts_at: startsAt, ends_at: endsAt, entry, position, revision },
            ...{ is_from_pack: false, search: searchOf(sheet, entry) },
          });
        changed.push({ key, entry: spans.find(({ startsAt }) => startsAt <= now)?.entry ?? null });
      }
      await insertRows(transaction, rows);
      await sheet.changed?.(transaction, changed, { isFirst: false });
      await store.finish(transaction, name, { revision });
      await audit.write(transaction, by.actor, {
        act: `${name}.changed`,
        subject: { kind: 'sheet', id: name },
        before: { revision: last },
        after: { proposal, revision, ...countsOf(changes), keys: keys.slice(0, 50) },
        reason,
      });
    });
    await followed.readAnew();
  };

  /** The changes stored with a proposal, if they are what its digest says. */
  async function changesIn(payload: Payload): Promise<{ sheet: SheetName; changes: SheetChange[] }> {
    const stored = await store.findChanges(db, String(payload.changes));
    const isSound = stored && stored.digest === payload.digest && sha256(stored.changes) === stored.digest;
    if (!isSound) throw new ConsoleRefusal('proposalChanged');
    return JSON.parse(stored.changes) as { sheet: SheetName; changes: SheetChange[] };
  }

  /** The proposals that can still be approved and change one of these entries. */
  async function waitingFor(approvals: Approvals, asked: Waited): Promise<SheetWaiting[]> {
    const { sheet } = find(asked.sheet);
    const open = await approvals.list({ list: 'open', kinds: [sheet.approval], most: mostOpen });
    const others = open.filter(({ id, payload }) => payload.sheet === asked.sheet && id !== asked.besides);
    const stored = await store.changesOf(
      db,
      others.map(({ payload }) => String(payload.changes)),
      asked.keys,
    );
    const keysOf = Map.groupBy(stored, ({ id }) => id);
    const found: SheetWaiting[] = [];
    for (const other of others) {
      const keys = keysOf.get(String(other.payload.changes))?.map(({ key }) => key) ?? [];
      if (keys.length > 0 && (await overtaken(other)) === null)
        found.push({ id: other.id, proposedBy: other.proposer, keys: keys.slice(0, shownKeys), count: keys.length });
    }
    return found;
  }

  /** What a proposal would change, with the alarm that its author was shown. */
  async function proposedIn(payload: Payload) {
    const { sheet: name, changes } = await changesIn(payload);
    const { sheet, followed } = find(name);
    // A proposal from before this was stored has no total.
    const total = typeof payload.total === 'number' ? payload.total : await currentCount(followed);
    return { sheet: name, changes, alarm: alarmOf(sheet, changes, total) };
  }

  return {
    keep,
    preview,
    proposedIn,
    waitingFor,
    columnsOf: (name: SheetName) => find(name).sheet,

    async propose(signed: Signed, approvals: Approvals, asked: Proposed): Promise<string> {
      const { sheet } = find(asked.sheet);
      const { changes, problems, digest, alarm, total } = await preview(asked.sheet, asked.source);
      // It was shown while its start was still to come.
      if (problems.some(({ row, code }) => row === null && code === 'inPast')) throw new ConsoleRefusal('timePast');
      if (problems.length > 0) throw new ConsoleRefusal('invalid', { field: 'source' });
      if (digest !== asked.digest) throw new ConsoleRefusal('changedMeanwhile');
      if (changes.length === 0) throw new ConsoleRefusal('notPossible');
      if (alarm && !asked.isConfirmed)
        throw new ConsoleRefusal('confirmFigures', {
          parameters: {
            prices: alarm.priceCount,
            words: alarm.words.length,
            ended: alarm.ended,
            total: alarm.total ?? 0,
          },
        });
      const open = await approvals.list({ list: 'open', kinds: [sheet.approval], most: mostOpen });
      const same = open.find(({ payload }) => payload.digest === digest);
      if (same) throw new ConsoleRefusal('sameProposed', { parameters: { person: same.proposer } });
      const id = randomUUID();
      const [first] = changes;
      const name = changes.length === 1 ? (first?.key ?? '') : `${first?.key} + ${changes.length - 1}`;
      return approvals.propose(signed, {
        kind: sheet.approval,
        // A unique index refuses the second of two equal proposals.
        subject: { kind: 'sheet', id: digest },
        payload: {
          ...{
            name,
            names: namesOf(sheet, first),
            amount: null,
            currency: null,
            sheet: asked.sheet,
            changes: id,
            digest,
            total,
          },
          until: firstDateOf(changes),
          startsAt: startOf(changes),
        },
        reason: asked.reason,
        needsTwo: true,
        alongside: (transaction) =>
          store.storeChanges(
            transaction,
            { id, sheet: asked.sheet, changes: written(asked.sheet, changes), digest },
            clock.inSql(),
          ),
      });
    },

    approvable: {
      propose: 'sheets.propose',
      approve: 'sheets.approve',
      // The changes themselves, a page at a time.
      evidence: async () => [],
      until: ({ payload }) => untilOf(payload),
      startsAt: ({ payload: { startsAt } }) => (startsAt ? new Date(String(startsAt)) : null),
      overtaken,
      carryOut,
    } satisfies Approvable,

    async list(asked: Omit<store.Listing, 'now'>) {
      const { sheet } = find(asked.name);
      const rows = await store.listRows(db, { ...asked, text: foldName(asked.text), now: clock.inSql() });
      const now = clock.now();
      return rows.map((row) => ({
        ...{ ...row, cells: sheet.cellsOf(row.entry) },
        ...{ isPlanned: row.starts_at > now, isEnded: row.ends_at !== null && row.ends_at <= now },
      }));
    },

    /** All entries with their current and planned lines, in the order of the table. */
    async all(name: SheetName): Promise<[key: string, CurrentLines][]> {
      return [...(await currentOf(db, find(name).sheet, clock.now()))];
    },
  };
}

interface Waited {
  sheet: SheetName;
  keys: readonly string[];
  /** The proposal that is looked at. */
  besides?: string;
}

export interface Proposed {
  sheet: SheetName;
  source: SheetSource;
  digest: string;
  reason: string;
  /** The proposer confirmed the warning. */
  isConfirmed: boolean;
}

const keyOf = (sheet: Sheet, entry: unknown) => sheet.cellsOf(entry)[sheet.columns[0]?.name ?? ''] ?? '';
const written = (sheet: SheetName, changes: readonly SheetChange[]) => JSON.stringify({ sheet, changes });
/** Rounded to the minute, as in files and forms. */
const normalTime = (time: string | null) =>
  time ? new Date(Math.floor(Date.parse(time) / 60_000) * 60_000).toISOString() : null;

/** What people call the entry now, or will if it is new. */
const namesOf = ({ columns }: Sheet, change: SheetChange | undefined): SheetNames => {
  const cells = (change?.before[0] ?? change?.after[0])?.cells ?? {};
  return columns.flatMap(({ name, language, isName }) => (isName ? [{ language, name: cells[name] ?? '' }] : []));
};

/** Refuses a start in the past: it would become the time of the approval. */
const pastStart = (value: string | null, from: string | null, now: Date): SheetProblem[] =>
  from !== null && Date.parse(from) <= now.getTime()
    ? [{ row: null, column: 'from', code: 'inPast', value, expected: null }]
    : [];

const searchOf = (sheet: Sheet, entry: unknown) =>
  foldName([...new Set(Object.values(sheet.cellsOf(entry)))].join(' '));

export function countsOf(changes: readonly SheetChange[]) {
  const count = (kind: SheetChange['kind']) => changes.filter((one) => one.kind === kind).length;
  return { new: count('new'), changed: count('changed'), ended: count('ended') };
}

const freshIn = ({ before, after }: SheetChange) =>
  after.filter((line) => !before.some((one) => isSame([one], [line])));

/** When the first of the changes holds, if none holds from the approval on. */
function startOf(changes: readonly SheetChange[]): string | null {
  const starts = changes.map((change) => freshIn(change).map(({ from }) => from));
  if (starts.some((own) => own.length === 0 || own.includes(null))) return null;
  return starts.flat().sort()[0] ?? null;
}

/** The earliest date that the changes bring; null if they hold from the approval on, without an end. */
function firstDateOf(changes: readonly SheetChange[]): string | null {
  const dates = changes.flatMap((change) => freshIn(change).flatMap(({ from, until }) => [from, until]));
  return dates.filter((date) => date !== null).sort()[0] ?? null;
}

/** When it is too late to approve; a proposal from before this was stored has no such time. */
const untilOf = ({ until }: Payload): Date | null => (until ? new Date(String(until)) : null);

/** The lines of an entry; an end that is the start of the next line is left out. */
function currentLinesOf(sheet: Sheet, spans: readonly SheetRow[], now: Date): CurrentLines {
  const running = spans.find((row) => isCurrentAt(row, now));
  return {
    revision: Math.max(...spans.map(({ revision }) => revision)),
    since: running?.starts_at.toISOString() ?? null,
    lines: spans.map((row, at) => {
      const next = spans[at + 1]?.starts_at.getTime();
      const until = row.ends_at && row.ends_at.getTime() !== next ? row.ends_at.toISOString() : null;
      return { cells: sheet.cellsOf(row.entry), from: row === running ? null : row.starts_at.toISOString(), until };
    }),
  };
}

/** The spans to store: past ones are left out, and none starts in the past. */
function spansOf(sheet: Sheet, lines: readonly SheetLine[], now: Date): Span[] {
  const starts = lines.map(({ from }) => (from ? new Date(from) : beginning));
  return lines.flatMap(({ cells, until }, at) => {
    const startsAt = new Date(Math.max((starts[at] as Date).getTime(), now.getTime()));
    const endsAt = until ? new Date(until) : (starts[at + 1] ?? null);
    if (endsAt && endsAt <= startsAt) return [];
    const read = sheet.read(cells);
    if ('problems' in read)
      throw new ConsoleRefusal('cellRefused', { parameters: { column: read.problems[0]?.column ?? '' } });
    return [{ entry: read.entry, startsAt, endsAt }];
  });
}
