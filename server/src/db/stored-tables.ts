import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

type Executor = Kysely<Schema>;

/**
 * Our tables and those of the job queue, with their schema. Unlogged tables, such as the rate limits, are left out: a
 * crash may empty them.
 */
export async function tableNames(db: Executor): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select nspname || '.' || relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ('public', 'jobs') and relkind = 'r' and relpersistence = 'p' order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

export async function rowCounts(db: Executor): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of await tableNames(db)) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db);
    counts[name] = rows[0]?.count ?? 0;
  }
  return counts;
}

/** A digest of each table's rows; columns named in `except` are left out. */
export async function tableDigests(db: Executor, except: string[] = []): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const name of await tableNames(db)) {
    const { rows } = await sql<{ digest: string | null }>`
      select md5(string_agg(line, E'\n' order by line)) as digest
      from (select (to_jsonb(each) - ${except}::text[])::text as line from ${sql.table(name)} each) lines`.execute(db);
    digests[name] = rows[0]?.digest ?? 'empty';
  }
  return digests;
}

/** The applied migrations; none for a new database. */
export async function storedMigrations(db: Executor): Promise<string[]> {
  if (!(await tableNames(db)).includes('public.migrations')) return [];
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Portals connected at the moment, except the caller. */
export async function portalSessions(db: Executor): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name in ('portal', 'portal-2') and pid <> pg_backend_pid()`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** A snapshot that another connection can read while the transaction is open. */
export async function exportSnapshot(transaction: Executor): Promise<string> {
  const { rows } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(transaction);
  return rows[0]?.id ?? '';
}
