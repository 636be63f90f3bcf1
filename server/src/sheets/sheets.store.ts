import type { SheetName } from '@portal/contract/console/sheets.ts';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { notified, sheetTopic } from '../db/notify.ts';
import type { Schema } from '../db/schema.ts';

export type Executor = Kysely<Schema>;
export type SheetRow = Selectable<Schema['sheet_rows']>;

/** The span for which a version of an entry is valid. */
export interface Span {
  entry: unknown;
  startsAt: Date;
  endsAt: Date | null;
}

/** Serialises changes of a table: each sees the previous one. */
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

/** Current and planned rows, in order. */
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
  /** Rows with a future start or end, or the last row of each ended entry; otherwise current and planned rows. */
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

/** Whether it is the last row of an ended entry: no other row ends later. */
const isLast = (now: RawBuilder<Date>) => sql<boolean>`(ends_at <= ${now} and not exists (
  select from sheet_rows as later where later.sheet = sheet_rows.sheet and later.key = sheet_rows.key
    and (later.ends_at is null or (later.ends_at, later.starts_at) > (sheet_rows.ends_at, sheet_rows.starts_at))))`;

/** Keys of entries that ended and have no current or planned row. */
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

/** A current or planned key that differs from this one only in small and capital letters. */
export async function keyAlike(
  db: Executor,
  name: SheetName,
  key: string,
  now: RawBuilder<Date> | Date,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('sheet_rows')
    .select('key')
    .where('sheet', '=', name)
    .where('key', '<>', key)
    .where(sql<boolean>`lower(key) = lower(${key}) and (ends_at is null or ends_at > ${now})`)
    .executeTakeFirst();
  return found?.key;
}

/** Keys with at least one row that was written in the console. */
export async function editedByPeople(db: Executor, name: SheetName): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('sheet_rows')
    .select('key')
    .distinct()
    .where('sheet', '=', name)
    .where('is_from_pack', '=', false)
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** The positions of entries, ended ones included, and the first free position. */
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

/** Ends the current rows at that time, and deletes planned ones. */
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

/** Notifies every process when the transaction commits. */
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
  db.selectFrom('sheet_changes').select(['changes', 'digest']).where('id', '=', id).executeTakeFirst();

/**
 * The first entry with a newer revision than the stored changes are based on, without reading these: they may be
 * thousands. Null if there are no changes with this digest.
 */
export async function changedSince(
  db: Executor,
  { id, digest }: { id: string; digest: string },
  now: Date,
): Promise<{ entry: string | null } | null> {
  const { rows } = await sql<{ entry: string | null }>`
    select (
      select changed.key
      from unnest(keys, revisions) with ordinality as changed (key, revision, place)
      left join (
        select key, max(revision) as revision from sheet_rows
        where sheet_rows.sheet = sheet_changes.sheet and (ends_at is null or ends_at > ${now}) group by key
      ) as current using (key)
      where coalesce(current.revision, 0) <> changed.revision order by place limit 1
    ) as entry
    from sheet_changes
    where id = ${id} and digest = ${digest} and encode(sha256(convert_to(changes, 'UTF8')), 'hex') = digest`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Which of the stored changes change which of these entries. */
export async function changesOf(
  db: Executor,
  ids: readonly string[],
  keys: readonly string[],
): Promise<{ id: string; key: string }[]> {
  if (ids.length === 0 || keys.length === 0) return [];
  const { rows } = await sql<{ id: string; key: string }>`
    select id, key from sheet_changes, unnest(keys) with ordinality as changed (key, place)
    where id = any(${ids}::text[]) and key = any(${keys}::text[]) order by place`.execute(db);
  return rows;
}
