import type { SheetName } from '@portal/contract/console/sheets.ts';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { notified, sheetTopic } from '../db/notify.ts';
import type { Schema } from '../db/schema.ts';

export type Executor = Kysely<Schema>;
export type SheetRow = Selectable<Schema['sheet_rows']>;

/** From when until when an entry stands so. */
export interface Span {
  entry: unknown;
  startsAt: Date;
  endsAt: Date | null;
}

/** One at a time: whoever comes second sees what the first one did. */
export async function lock(
  transaction: Executor,
  name: SheetName,
  now: RawBuilder<Date>,
): Promise<{ revision: number; packDigest: string | null; now: Date }> {
  await sql`insert into sheets (name, revision) values (${name}, 0) on conflict do nothing`.execute(transaction);
  await sql`select from sheets where name = ${name} for update`.execute(transaction);
  const { rows } = await sql<{ revision: number; packDigest: string | null; now: Date }>`
    select revision, pack_digest as "packDigest", date_trunc('milliseconds', ${now}) as now
    from sheets where name = ${name}`.execute(transaction);
  return rows[0] as (typeof rows)[number];
}

/** What stands now and what is planned, in order. */
export function rowsOf(
  db: Executor,
  name: SheetName,
  now: RawBuilder<Date> | Date,
  keys?: readonly string[],
): Promise<SheetRow[]> {
  return db
    .selectFrom('sheet_rows')
    .selectAll()
    .where('sheet', '=', name)
    .where(sql<boolean>`(ends_at is null or ends_at > ${now})`)
    .$if(keys !== undefined, (query) => query.where(sql<boolean>`key = any(${keys ?? []}::text[])`))
    .orderBy('position')
    .orderBy('key')
    .orderBy('starts_at')
    .execute();
}

export interface Listing {
  name: SheetName;
  text: string;
  /** What begins or ends at a time to come, or each entry that ended as it last was; else what is there now or planned. */
  only: 'planned' | 'ended' | undefined;
  after: { position: number; key: string; startsAt: Date } | null;
  most: number;
  now: RawBuilder<Date>;
}

export function listRows(db: Executor, { name, text, only, after, most, now }: Listing): Promise<SheetRow[]> {
  return db
    .selectFrom('sheet_rows')
    .selectAll()
    .where('sheet', '=', name)
    .$if(only !== 'ended', (query) => query.where(sql<boolean>`(ends_at is null or ends_at > ${now})`))
    .$if(only === 'planned', (query) => query.where(sql<boolean>`(starts_at > ${now} or ends_at is not null)`))
    .$if(only === 'ended', (query) => query.where(isLast(now)))
    .$if(text !== '', (query) => query.where(sql<boolean>`strpos(search, ${text}) > 0`))
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(position, key, starts_at) > (${after?.position}::int, ${after?.key}, ${after?.startsAt}::timestamptz)`,
      ),
    )
    .orderBy('position')
    .orderBy('key')
    .orderBy('starts_at')
    .limit(most)
    .execute();
}

/** The last row of an entry that ended: none of its rows ends later. */
const isLast = (now: RawBuilder<Date>) => sql<boolean>`(ends_at <= ${now} and not exists (
  select from sheet_rows as later where later.sheet = sheet_rows.sheet and later.key = sheet_rows.key
    and (later.ends_at is null or (later.ends_at, later.starts_at) > (sheet_rows.ends_at, sheet_rows.starts_at))))`;

/** Keys of entries that were there and are neither there now nor planned. */
export async function endedKeys(db: Executor, name: SheetName, now: RawBuilder<Date> | Date): Promise<Set<string>> {
  const rows = await db
    .selectFrom('sheet_rows')
    .select('key')
    .where('sheet', '=', name)
    .groupBy('key')
    .having(sql<boolean>`bool_and(ends_at is not null and ends_at <= ${now})`)
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** Keys of which some row was ever written by people. */
export async function keptByPeople(db: Executor, name: SheetName): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('sheet_rows')
    .select('key')
    .distinct()
    .where('sheet', '=', name)
    .where('is_from_pack', '=', false)
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** Where an entry stands that was there before, also one that ended; and the first place that is free. */
export async function positions(db: Executor, name: SheetName, keys: readonly string[]) {
  const { rows } = await sql<{ key: string; position: number }>`
    select distinct on (key) key, position from sheet_rows
    where sheet = ${name} and key = any(${keys}::text[]) order by key, starts_at desc`.execute(db);
  const { last } = await db
    .selectFrom('sheet_rows')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('sheet', '=', name)
    .executeTakeFirstOrThrow();
  return { of: new Map(rows.map(({ key, position }) => [key, position])), free: (last ?? -1) + 1 };
}

/** Ends what stands at that moment, and takes out what was planned for later. */
export async function clear(
  db: Executor,
  name: SheetName,
  { keys, at, revision }: { keys: readonly string[]; at: Date; revision: number },
): Promise<void> {
  const ofKeys = sql`sheet = ${name} and key = any(${keys}::text[])`;
  await sql`delete from sheet_rows where ${ofKeys} and starts_at >= ${at}`.execute(db);
  await sql`
    update sheet_rows set ends_at = ${at}, revision = ${revision}
    where ${ofKeys} and (ends_at is null or ends_at > ${at})`.execute(db);
}

const rowsAtOnce = 500;

export async function insert(db: Executor, rows: readonly Omit<SheetRow, 'entry'>[], entryOf: (at: number) => unknown) {
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const some = rows.slice(start, start + rowsAtOnce);
    await db
      .insertInto('sheet_rows')
      .values(some.map((row, at) => ({ ...row, entry: JSON.stringify(entryOf(start + at)) })))
      .execute();
  }
}

/** Every process hears of it once the transaction is committed. */
export async function finish(
  db: Executor,
  name: SheetName,
  done: { revision: number; packDigest?: string },
): Promise<void> {
  const { revision, packDigest } = done;
  await db
    .updateTable('sheets')
    .set({ revision, ...(packDigest ? { pack_digest: packDigest } : {}) })
    .where('name', '=', name)
    .execute();
  await sql`select ${notified(sheetTopic(name))}`.execute(db);
}

export async function storeChanges(
  db: Executor,
  stored: { id: string; sheet: SheetName; changes: string; digest: string },
  now: RawBuilder<Date>,
): Promise<void> {
  await db
    .insertInto('sheet_changes')
    .values({ ...stored, made_at: now })
    .execute();
}

export const findChanges = (db: Executor, id: string) =>
  db.selectFrom('sheet_changes').selectAll().where('id', '=', id).executeTakeFirst();
