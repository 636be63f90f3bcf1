import { readdir, readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { openDatabase } from './database.ts';
import type { Schema } from './schema.ts';

const ownFolder = new URL('./migrations/', import.meta.url);
const advisoryLock = 7_340_113;

/** Removes something that the version before needs; all other migrations only expand the schema. */
const contracts = (name: string) => name.endsWith('.contract.sql');

/**
 * Applies each file once, in order, in one transaction under an advisory lock. Migrations of a newer version are left
 * alone: this version still runs on them, which makes a rollback possible.
 */
export async function migrate(db: Kysely<Schema>, folder = ownFolder): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(transaction);
    await sql`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`.execute(
      transaction,
    );
    const applied = await sql<{ name: string }>`select name from migrations`.execute(transaction);
    const done = new Set(applied.rows.map((row) => row.name));
    const missed = [...done].filter((name) => contracts(name) && !names.includes(name));
    if (missed.length > 0)
      throw new Error(
        `The database is newer than this program: ${missed.join(', ')} took away what it needs. Run the newer version, or restore a backup.`,
      );
    const fresh = names.filter((name) => !done.has(name));
    for (const name of fresh) {
      await sql.raw(await readFile(new URL(name, folder), 'utf8')).execute(transaction);
      await sql`insert into migrations (name) values (${name})`.execute(transaction);
    }
    return fresh;
  });
}

/** Uses its own connection without timeouts, since an index over years of payments takes long to build. */
export async function migrateServer(source: { url: string }): Promise<string[]> {
  const { db, close } = await openDatabase({ ...source, poolSize: 1, isUnlimited: true });
  return migrate(db).finally(close);
}
