import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Database, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import type { Schema } from '../db/schema.ts';

/** A database of its own on the kind that TEST_DATABASE names, migrated unless asked otherwise, gone once closed. */
export async function testDatabase(options: { migrated?: boolean } = {}): Promise<Database> {
  const migrated = options.migrated ?? true;
  if (process.env.TEST_DATABASE === 'postgresql') return freshPostgres(migrated);
  return openDatabase(migrated ? { snapshot: await migratedSnapshot() } : 'memory');
}

async function freshPostgres(migrated: boolean): Promise<Database> {
  const server = process.env.TEST_POSTGRES_URL;
  if (!server) throw new Error('TEST_POSTGRES_URL must name a PostgreSQL on which databases may be created.');
  const { url, drop } = await createPostgres(server, migrated ? await migratedTemplate(server) : undefined);
  const database = await openDatabase({ url, poolSize: 20 });
  return {
    ...database,
    async close() {
      await database.close();
      await drop();
    },
  };
}

/** A new database on the given server: empty, or a copy of the template. */
export async function createPostgres(
  server: string,
  template?: string,
): Promise<{ name: string; url: string; drop(): Promise<void> }> {
  const name = `portal_test_${randomBytes(8).toString('hex')}`;
  await asAdministrator(server, `create database ${name}${template ? ` template ${template}` : ''}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    drop: async () => void (await asAdministrator(server, `drop database if exists ${name} with (force)`)),
  };
}

async function asAdministrator<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Copying a migrated database takes a tenth of migrating one. Two that make it at the same time make the same. */
async function migratedTemplate(server: string): Promise<string> {
  const template = `portal_template_${await migrationsDigest()}`;
  const isThere = async () =>
    (await asAdministrator(server, `select from pg_database where datname = '${template}'`)).length > 0;
  if (await isThere()) return template;
  const { name, url, drop } = await createPostgres(server);
  const database = await openDatabase({ url, poolSize: 1 });
  await migrate(database.db);
  await database.close();
  try {
    await asAdministrator(server, `alter database ${name} rename to ${template}`);
  } catch (error) {
    await drop();
    if (!(await isThere())) throw error;
  }
  return template;
}

const migrations = new URL('../db/migrations/', import.meta.url);

async function migrationsDigest(): Promise<string> {
  const digest = createHash('sha256');
  for (const name of (await readdir(migrations)).sort()) digest.update(await readFile(new URL(name, migrations)));
  return digest.digest('hex').slice(0, 20);
}

/**
 * Every test file runs apart from the others, so what is made once lies in a file, named after what it was made from.
 * Two that make it at the same time make the same, and the rename keeps a half-written one from being read.
 */
export async function migratedSnapshot(): Promise<Blob> {
  const digest = await migrationsDigest();
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  const file = join(tmpdir(), `portal-test-snapshot-${version}-${digest}.tar`);
  const kept = await readFile(file).catch(() => null);
  if (kept) return new Blob([kept]);

  const pglite = await PGlite.create('memory://');
  const pool = new pg.Pool({ ...(createPgConfig(pglite) as unknown as pg.PoolConfig), max: 1 });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  await migrate(db);
  const snapshot = await pglite.dumpDataDir('none');
  await db.destroy();
  await pglite.close();
  const half = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(half, Buffer.from(await snapshot.arrayBuffer()));
  await rename(half, file);
  return snapshot;
}
