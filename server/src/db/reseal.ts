import { setTimeout } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { periods } from './periods.ts';
import {
  derivedKey,
  openColumns,
  type PersonalData,
  personalData,
  pseudonymMark,
  type SealedTable,
  type SealedTableName,
  sealColumns,
  sealedBy,
  sealedTables,
  UnreadableValue,
} from './personal-data.ts';
import type { Schema } from './schema.ts';

type Executor = Kysely<Schema>;
type Row = Record<string, unknown>;
type SealedAs = SealedTable['columns'][string];

/** Stands among the keys for values that are under none. */
const clear = 'clear';
const proofPlace = (keyId: string) => `personal_data_keys.proof\n${keyId}`;
/** A portal says so often that it writes under its key, and is taken for gone after three times that. */
const goneAfterSeconds = 30;
/** So many rows are looked at together: few enough that whoever waits for one of them does not notice. */
const atOnce = 250;
const tables = Object.keys(sealedTables) as SealedTableName[];

/**
 * Whether the keys are those that the database was written with, told in words before anything is asked of it; and makes the
 * writing one known.
 */
export async function checkKeys(db: Executor): Promise<void> {
  const data = personalData(db);
  await db.transaction().execute(async (transaction) => {
    await noteWriting(transaction);
    const keys = await transaction.selectFrom('personal_data_keys').select(['id', 'proof']).execute();
    const problems = keys.flatMap(({ id, proof }) => (id === clear ? [] : keyProblems(data, id, proof)));
    // Nothing is made known of keys that are refused.
    if (problems.length > 0) throw new Error(problems.join('; '));
    data.takesClear = keys.some(({ id }) => id === clear);
  });
}

function keyProblems(data: PersonalData, id: string, proof: string): string[] {
  const isDerived = id === derivedKey;
  if (!data.keyIds.includes(id))
    return [
      `personal data in the database is encrypted with the key ${id}, which PERSONAL_DATA_KEYS does not list${isDerived ? ' (it is derived from PORTAL_SECRET)' : ''}`,
    ];
  try {
    data.open(proofPlace(id), proof);
    return [];
  } catch {
    return [
      isDerived
        ? 'PORTAL_SECRET is not the one that personal data in the database is encrypted with'
        : `the key ${id} of PERSONAL_DATA_KEYS is not the one that personal data in the database is encrypted with`,
    ];
  }
}

/** Said again and again while a portal runs, so that nobody takes its key away. */
export async function noteWriting(db: Executor): Promise<void> {
  const data = personalData(db);
  const proof = data.seal(proofPlace(data.writingKey), data.writingKey);
  await sql`insert into personal_data_keys (id, proof, written_at) values (${data.writingKey}, ${proof}, now())
    on conflict (id) do update set written_at = now()`.execute(db);
}

/** Keys other than the one that writes here which some portal has written under just now. */
export async function otherWriters(db: Executor): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from personal_data_keys
    where id not in (${personalData(db).writingKey}, ${clear})
      and written_at > now() - make_interval(secs => ${goneAfterSeconds})`.execute(db);
  return rows.map(({ id }) => id);
}

interface Resealing {
  /** Only rows that are newer. */
  since?: Date;
  /** How many rows of a table are done. */
  tell?: (table: string, rows: number) => void;
  /** True ends it where it is. */
  isStopped?: () => boolean;
}

export interface Resealed {
  /** Rows that were not under the writing key, and are now. */
  rows: number;
  /** Rows that no key opens. */
  unreadable: number;
}

/**
 * Seals under the writing key whatever is under another one, or under none, beside portals that go on. It can be stopped at
 * any moment and begun again. Once nothing is left, no other key is needed any more.
 */
export async function reseal(
  db: Executor,
  { since, tell = () => {}, isStopped = () => false }: Resealing = {},
): Promise<Resealed> {
  const total = { rows: await hideWallets(db), unreadable: 0 };
  for (const table of tables) {
    // A row that a portal holds just now is left for the next time round.
    for (let isLeft = true; isLeft; ) {
      const pass = await resealTable(db, table, { since, tell, isStopped });
      if (isStopped()) return total;
      total.rows += pass.rows;
      isLeft = pass.left > pass.unreadable;
      if (!isLeft) total.unreadable += pass.unreadable;
      else await setTimeout(50);
    }
  }
  if (!since && total.unreadable === 0) await forgetOtherKeys(db);
  return total;
}

/** Those that some portal still writes under stay. */
async function forgetOtherKeys(db: Executor): Promise<void> {
  const data = personalData(db);
  await sql`delete from personal_data_keys where id <> ${data.writingKey}
    and (id = ${clear} or written_at <= now() - make_interval(secs => ${goneAfterSeconds}))`.execute(db);
  data.takesClear = false;
}

interface Pass extends Resealed {
  /** Rows that are as they were. */
  left: number;
}

async function resealTable(
  db: Executor,
  table: SealedTableName,
  { since, tell, isStopped }: Required<Pick<Resealing, 'tell' | 'isStopped'>> & Resealing,
): Promise<Pass> {
  const { row: key }: SealedTable = sealedTables[table];
  const keys = sql.join(key.map((column) => sql.ref(column)));
  const recent = since ? sql`${sql.ref(periods[table].since)} > ${since}` : sql`true`;
  const pass: Pass = { rows: 0, unreadable: 0, left: 0 };
  const after = (bound: Row | undefined) =>
    bound ? sql`(${keys}) > (${sql.join(key.map((column) => sql`${bound[column]}::text`))})` : sql`true`;
  for (let from: Row | undefined, isMore = true; isMore && !isStopped(); ) {
    // By windows of the primary key: what one statement looks at is bounded, whatever it finds.
    const { rows } = await sql<Row>`select ${keys} from ${sql.table(table)} where ${after(from)}
      order by ${keys} offset ${atOnce - 1} limit 1`.execute(db);
    const [to] = rows;
    const upTo = to ? sql`(${keys}) <= (${sql.join(key.map((column) => sql`${to[column]}::text`))})` : sql`true`;
    const wanted = sql`${after(from)} and ${upTo} and ${recent} and (${isUnder(db, table)})`;
    const done = await resealWindow(db, table, wanted);
    pass.rows += done.rows;
    pass.unreadable += done.unreadable;
    pass.left += done.left;
    if (done.rows > 0) tell(table, pass.rows);
    from = to;
    isMore = to !== undefined;
  }
  return pass;
}

async function resealWindow(db: Executor, table: SealedTableName, wanted: RawBuilder<unknown>): Promise<Pass> {
  const { row: key, columns }: SealedTable = sealedTables[table];
  const data = personalData(db);
  const done = await db.transaction().execute(async (transaction) => {
    const names = sql.join([...key, ...Object.keys(columns)].map((column) => sql.ref(column)));
    // Nothing is waited for, so nothing can wait for us in a circle.
    const { rows } = await sql<Row>`select ${names} from ${sql.table(table)} where ${wanted}
      for update skip locked`.execute(transaction);
    const sealed = rows.flatMap((row) => sealedAnew(data, table, row));
    if (sealed.length > 0) await writeRows(transaction, table, sealed);
    return { rows: sealed.length, unreadable: rows.length - sealed.length };
  });
  const { rows } = await sql<{ left: number }>`select count(*)::int as left from ${sql.table(table)}
    where ${wanted}`.execute(db);
  return { ...done, left: rows[0]?.left ?? 0 };
}

/** Nothing for a row that no key opens: it stays as it is, for a person to look at. */
function sealedAnew(data: PersonalData, table: SealedTableName, row: Row): Row[] {
  const { columns }: SealedTable = sealedTables[table];
  try {
    const opened = openColumns(data, table, row, row);
    for (const [column, as] of Object.entries(columns))
      if (opened[column] !== null && as !== 'text' && as !== 'bytes') opened[column] = JSON.stringify(opened[column]);
    return [sealColumns(data, table, row, opened)];
  } catch (error) {
    if (error instanceof UnreadableValue) return [];
    throw error;
  }
}

async function writeRows(db: Executor, table: SealedTableName, rows: Row[]): Promise<void> {
  const { row: key, columns, hashes }: SealedTable = sealedTables[table];
  const changed = [...Object.keys(columns), ...Object.keys(hashes)];
  const arrays = [...key, ...changed].map((column) => {
    const values = rows.map((row) => (Buffer.isBuffer(row[column]) ? String(row[column]) : row[column]));
    return sql`${values}::text[]`;
  });
  const given = sql.join([...key, ...changed].map((column) => sql.id(column)));
  const sets = changed.map(
    (column) => sql`${sql.id(column)} = ${asStored(columns[column], sql.ref(`given.${column}`))}`,
  );
  const isSame = key.map((column) => sql`${sql.ref(`${table}.${column}`)} = ${sql.ref(`given.${column}`)}`);
  await sql`update ${sql.table(table)} set ${sql.join(sets)}
    from unnest(${sql.join(arrays)}) as given (${given}) where ${sql.join(isSame, sql` and `)}`.execute(db);
}

function asStored(as: SealedAs | undefined, value: RawBuilder<unknown>): RawBuilder<unknown> {
  if (as === undefined || as === 'text') return value;
  return as === 'bytes' ? sql`convert_to(${value}, 'UTF8')` : sql`${value}::jsonb`;
}

/** Each place of a column as text; null where nothing is to be sealed. */
function placesIn(column: string, as: SealedAs): RawBuilder<unknown>[] {
  const stored = sql.ref(column);
  if (as === 'text') return [sql`nullif(${stored}, '')`];
  if (as === 'json') return [sql`${stored} #>> '{}'`];
  if (as === 'bytes') return [sql`encode(substring(${stored} for 40), 'escape')`];
  return as.within.map((path) => sql`nullif(${stored} #>> ${path}::text[], '')`);
}

const placesOf = (table: SealedTableName) =>
  Object.entries<SealedAs>(sealedTables[table].columns).flatMap(([column, as]) => placesIn(column, as));

/** That something in a row is not under the writing key. */
function isUnder(db: Executor, table: SealedTableName): RawBuilder<unknown> {
  const mark = sealedBy(personalData(db).writingKey);
  return sql.join(
    placesOf(table).map((place) => sql`not starts_with(${place}, ${mark})`),
    sql` or `,
  );
}

/** Wallets of before as pseudonyms; where one was tried again since, the newer counter stands. */
async function hideWallets(db: Executor): Promise<number> {
  const data = personalData(db);
  const { rows } = await sql<{ wallet: string }>`select wallet from pin_attempts
    where not starts_with(wallet, ${pseudonymMark})`.execute(db);
  for (const { wallet } of rows)
    await db.transaction().execute(async (transaction) => {
      const hidden = data.pseudonym(wallet);
      await sql`update pin_attempts set wallet = ${hidden} where wallet = ${wallet}
        and not exists (select from pin_attempts where wallet = ${hidden})`.execute(transaction);
      await sql`delete from pin_attempts where wallet = ${wallet}`.execute(transaction);
    });
  return rows.length;
}

/** How many values each table has under each key; `clear` are under none. */
export async function countByKey(db: Executor): Promise<{ table: string; key: string; values: number }[]> {
  const counted: { table: string; key: string; values: number }[] = [];
  for (const table of tables) {
    const { rows } = await sql<{ key: string; values: number }>`
      select case when place ~ '^v1[.][a-z0-9-]{1,20}[.]' then split_part(place, '.', 2) else ${clear} end as key,
        count(*) as values
      from ${sql.table(table)}, unnest(array[${sql.join(placesOf(table))}]) as place
      where place is not null group by 1 order by 1`.execute(db);
    counted.push(...rows.map((row) => ({ table, ...row })));
  }
  return counted;
}

/** Rows from before a hash was kept get it, a few hundred at a time; an index that is empty afterwards finds them. */
export async function fillHashes(db: Executor, { isStopped = () => false }: Pick<Resealing, 'isStopped'> = {}) {
  const data = personalData(db);
  for (const [table, isMissing] of [
    ['payments', sql`account_id is not null and account_hash is null and account_id <> ''`],
    ['leads', sql`number_hash is null and contact_number <> ''`],
  ] as const)
    for (let isMore = true; isMore && !isStopped(); ) {
      const { rows } =
        await sql<Row>`select * from ${sql.table(table)} where ${isMissing} order by id limit ${atOnce}`.execute(db);
      let filled = 0;
      for (const row of rows) {
        const hashes = hashesIn(data, table, row);
        if (!hashes) continue;
        await sql`update ${sql.table(table)} set ${sql.join(hashes)} where id = ${row.id}`.execute(db);
        filled += 1;
      }
      // One that no key opens stays as it is, and does not hold up the others for ever.
      isMore = rows.length === atOnce && filled > 0;
    }
}

/** As a statement sets them; null where no key opens the row. */
function hashesIn(data: PersonalData, table: SealedTableName, row: Row): RawBuilder<unknown>[] | null {
  const { hashes }: SealedTable = sealedTables[table];
  try {
    const opened = openColumns(data, table, row, row);
    return Object.entries(hashes).map(
      ([column, { of, kind }]) =>
        sql`${sql.ref(column)} = ${data.hashes(kind, opened[of] as string | null)[0] ?? null}`,
    );
  } catch (error) {
    if (error instanceof UnreadableValue) return null;
    throw error;
  }
}
