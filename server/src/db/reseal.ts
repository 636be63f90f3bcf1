import { setTimeout } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { periods } from '../retention/retention-periods.ts';
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

/** Listed among the keys while some values are still unencrypted. */
const clear = 'clear';
const proofPlace = (keyId: string) => `personal_data_keys.proof\n${keyId}`;
/** A portal marks its key as in use every third of this; after this long without a mark it is considered gone. */
const inUseSeconds = 30;
/** Rows locked together: few enough that a request waiting for one of them does not notice. */
const batchSize = 250;
const tables = Object.keys(sealedTables) as SealedTableName[];

/**
 * Fails with a clear message unless the configured keys are those the database was written with, then marks the writing
 * key as in use.
 */
export async function checkKeys(db: Executor): Promise<void> {
  const data = personalData(db);
  await db.transaction().execute(async (transaction) => {
    await markKeyInUse(transaction);
    const keys = await transaction.selectFrom('personal_data_keys').select(['id', 'proof']).execute();
    const problems = keys.flatMap(({ id, proof }) => (id === clear ? [] : keyProblems(data, id, proof)));
    // Throwing rolls back the mark of a refused key.
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

/** Repeated while a portal runs, so that its key is not removed. */
export async function markKeyInUse(db: Executor): Promise<void> {
  const data = personalData(db);
  const proof = data.seal(proofPlace(data.writingKey), data.writingKey);
  await sql`insert into personal_data_keys (id, proof, written_at) values (${data.writingKey}, ${proof}, now())
    on conflict (id) do update set written_at = now()`.execute(db);
}

/** Keys other than this portal's writing key that a portal has used recently. */
export async function otherKeysInUse(db: Executor): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from personal_data_keys
    where id not in (${personalData(db).writingKey}, ${clear})
      and written_at > now() - make_interval(secs => ${inUseSeconds})`.execute(db);
  return rows.map(({ id }) => id);
}

interface Resealing {
  /** Only newer rows. */
  since?: Date;
  /** Called with how many rows of a table are done. */
  onProgress?: (table: string, rows: number) => void;
  /** Checked between batches; true ends the run. */
  isStopped?: () => boolean;
}

export interface Resealed {
  /** Rows that were re-encrypted. */
  rows: number;
  /** Rows that no configured key decrypts. */
  unreadable: number;
}

/**
 * Re-encrypts under the writing key every value that is under another key or in clear, while portals keep running. It
 * can be stopped at any moment and resumed. Once it is complete, the other keys are no longer needed.
 */
export async function reseal(
  db: Executor,
  { since, onProgress = () => {}, isStopped = () => false }: Resealing = {},
): Promise<Resealed> {
  const total = { rows: await pseudonymiseWallets(db), unreadable: 0 };
  for (const table of tables) {
    // Rows locked by a portal are left for the next pass.
    for (let isLeft = true; isLeft; ) {
      const pass = await resealTable(db, table, { since, onProgress, isStopped });
      if (isStopped()) return total;
      total.rows += pass.rows;
      isLeft = pass.left > pass.unreadable;
      if (!isLeft) total.unreadable += pass.unreadable;
      else await setTimeout(50);
    }
  }
  if (!since && total.unreadable === 0) await dropUnusedKeys(db);
  return total;
}

/** Keeps the keys that a portal still writes under. */
async function dropUnusedKeys(db: Executor): Promise<void> {
  const data = personalData(db);
  await sql`delete from personal_data_keys where id <> ${data.writingKey}
    and (id = ${clear} or written_at <= now() - make_interval(secs => ${inUseSeconds}))`.execute(db);
  data.takesClear = false;
}

interface Pass extends Resealed {
  /** Rows that still need re-encryption. */
  left: number;
}

async function resealTable(
  db: Executor,
  table: SealedTableName,
  { since, onProgress, isStopped }: Required<Pick<Resealing, 'onProgress' | 'isStopped'>> & Resealing,
): Promise<Pass> {
  const { row: key }: SealedTable = sealedTables[table];
  const keys = sql.join(key.map((column) => sql.ref(column)));
  const recent = since ? sql`${sql.ref(periods[table].since)} > ${since}` : sql`true`;
  const pass: Pass = { rows: 0, unreadable: 0, left: 0 };
  const after = (bound: Row | undefined) =>
    bound ? sql`(${keys}) > (${sql.join(key.map((column) => sql`${bound[column]}::text`))})` : sql`true`;
  for (let from: Row | undefined, isMore = true; isMore && !isStopped(); ) {
    // Walks the primary key in windows, so that each statement examines a bounded number of rows.
    const { rows } = await sql<Row>`select ${keys} from ${sql.table(table)} where ${after(from)}
      order by ${keys} offset ${batchSize - 1} limit 1`.execute(db);
    const [to] = rows;
    const upTo = to ? sql`(${keys}) <= (${sql.join(key.map((column) => sql`${to[column]}::text`))})` : sql`true`;
    const wanted = sql`${after(from)} and ${upTo} and ${recent} and (${needsResealing(db, table)})`;
    const done = await resealWindow(db, table, wanted);
    pass.rows += done.rows;
    pass.unreadable += done.unreadable;
    pass.left += done.left;
    if (done.rows > 0) onProgress(table, pass.rows);
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
    // Skipping locked rows instead of waiting rules out deadlocks.
    const { rows } = await sql<Row>`select ${names} from ${sql.table(table)} where ${wanted}
      for update skip locked`.execute(transaction);
    const sealed = rows.flatMap((row) => resealed(data, table, row));
    if (sealed.length > 0) await writeRows(transaction, table, sealed);
    return { rows: sealed.length, unreadable: rows.length - sealed.length };
  });
  const { rows } = await sql<{ left: number }>`select count(*)::int as left from ${sql.table(table)}
    where ${wanted}`.execute(db);
  return { ...done, left: rows[0]?.left ?? 0 };
}

/** Empty for a row that no key decrypts: it is left unchanged, for a person to examine. */
function resealed(data: PersonalData, table: SealedTableName, row: Row): Row[] {
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

/** Each sealed value of a column as text; null where there is nothing to seal. */
function placesIn(column: string, as: SealedAs): RawBuilder<unknown>[] {
  const stored = sql.ref(column);
  if (as === 'text') return [sql`nullif(${stored}, '')`];
  if (as === 'json') return [sql`${stored} #>> '{}'`];
  if (as === 'bytes') return [sql`encode(substring(${stored} for 40), 'escape')`];
  return as.within.map((path) => sql`nullif(${stored} #>> ${path}::text[], '')`);
}

const placesOf = (table: SealedTableName) =>
  Object.entries<SealedAs>(sealedTables[table].columns).flatMap(([column, as]) => placesIn(column, as));

/** True if some value of the row is not under the writing key. */
function needsResealing(db: Executor, table: SealedTableName): RawBuilder<unknown> {
  const mark = sealedBy(personalData(db).writingKey);
  return sql.join(
    placesOf(table).map((place) => sql`not starts_with(${place}, ${mark})`),
    sql` or `,
  );
}

/** Replaces wallet numbers in clear by pseudonyms. If the wallet was tried again since, the newer counter wins. */
async function pseudonymiseWallets(db: Executor): Promise<number> {
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

/** How many values of each table are under each key; `clear` means unencrypted. */
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

/** Backfills hashes that older rows lack, a batch at a time. A partial index finds those rows. */
export async function fillHashes(db: Executor, { isStopped = () => false }: Pick<Resealing, 'isStopped'> = {}) {
  const data = personalData(db);
  for (const [table, isMissing] of [
    ['payments', sql`account_id is not null and account_hash is null and account_id <> ''`],
    ['leads', sql`number_hash is null and contact_number <> ''`],
  ] as const)
    for (let isMore = true; isMore && !isStopped(); ) {
      const { rows } =
        await sql<Row>`select * from ${sql.table(table)} where ${isMissing} order by id limit ${batchSize}`.execute(db);
      let filled = 0;
      for (const row of rows) {
        const hashes = hashesIn(data, table, row);
        if (!hashes) continue;
        await sql`update ${sql.table(table)} set ${sql.join(hashes)} where id = ${row.id}`.execute(db);
        filled += 1;
      }
      // Stop if nothing in the batch could be opened, or this would loop for ever.
      isMore = rows.length === batchSize && filled > 0;
    }
}

/** The assignments of an update; null if no key decrypts the row. */
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
