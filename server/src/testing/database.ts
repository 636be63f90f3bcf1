import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import { sqlClock } from '../db/clock.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { createEpochs } from '../db/epochs.ts';
import { migrate } from '../db/migrate.ts';
import { PersonalData, withPersonalData } from '../db/personal-data.ts';
import { createLogger } from '../http/logging.ts';
import { startJobs } from '../jobs/jobs.ts';

export const testSecret = 'a secret for tests, long enough to be one';

/** The keys of a portal of the tests that is given no others. */
export const testPersonalData = (): PersonalData =>
  new PersonalData({ keys: [{ id: 'portal-secret', secret: testSecret }], secret: testSecret });

/** A database of its own on the kind that TEST_DATABASE names, prepared unless asked otherwise, gone once closed. */
export async function testDatabase({ migrated = true } = {}): Promise<Database> {
  const { source, drop } =
    process.env.TEST_DATABASE === 'postgresql' ? await ofServer(migrated) : await embedded(migrated);
  const database = await openDatabase(source);
  // A copy is another database than the one it was made of. This one was made to begin with, and is no past that came back.
  if (migrated) {
    await sql`update epochs set server = portal_server()`.execute(database.db);
    await createEpochs(database.db, sqlClock).check();
  }
  return {
    ...database,
    db: withPersonalData(database.db, testPersonalData()),
    async close() {
      await database.close();
      await drop();
    },
  };
}

async function ofServer(migrated: boolean) {
  const server = process.env.TEST_POSTGRES_URL;
  if (!server) throw new Error('TEST_POSTGRES_URL must name a PostgreSQL on which databases may be created.');
  const { url, drop } = await createPostgres(server, { migrated });
  return { source: { url, poolSize: 20 }, drop };
}

async function embedded(migrated: boolean) {
  // In memory where the system offers it: there is no disk to wait for at each commit.
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'portal-test-'));
  await fillFolder(folder, { migrated });
  return { source: { folder }, drop: () => rm(folder, { recursive: true, force: true }) };
}

/** A new database on the given server: empty, or as a portal that has started would find it. */
export async function createPostgres(
  server: string,
  { migrated = false } = {},
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `portal_test_${randomBytes(8).toString('hex')}`;
  const template = migrated ? ` template ${await templateOn(server)} strategy file_copy` : '';
  await asAdministrator(server, (client) => client.query(`create database ${name}${template}`));
  return {
    url: addressOf(server, name),
    drop: () =>
      asAdministrator(server, (client) => client.query(`drop database if exists ${name} with (force)`)).then(() => {}),
  };
}

/** Puts an embedded database into a folder: empty, or as a portal that has started would find it. */
export async function fillFolder(folder: string, { migrated = true } = {}): Promise<void> {
  await mkdir(folder, { recursive: true });
  // The system's own copies a thousand files with a tenth of the processor time that Node's takes.
  await promisify(execFile)('cp', ['-R', join(await preparedFolder(migrated), 'pgdata'), folder]);
}

/**
 * An embedded database takes seconds to make, so each kind is made once and lies in a folder, named after what it was
 * made from. Two processes may make it at the same time; the rename keeps a half-made one from being copied.
 */
async function preparedFolder(migrated: boolean): Promise<string> {
  const folder = join(tmpdir(), `portal-${migrated ? 'migrated' : 'empty'}-${await digestOfSchema()}`);
  if (existsSync(folder)) return folder;
  const half = `${folder}.${randomBytes(6).toString('hex')}`;
  if (migrated) await fillFolder(half, { migrated: false });
  const database = await openDatabase({ folder: half });
  if (migrated) await prepare(database);
  await database.close();
  if (migrated) await emptyTemplates(half);
  await rename(half, folder).catch(() => rm(half, { recursive: true }));
  return folder;
}

/** Nobody opens the two databases of which others are made; they are half of what is copied for each test. */
async function emptyTemplates(folder: string): Promise<void> {
  for (const template of ['1', '4']) {
    const files = join(folder, 'pgdata/base', template);
    for (const name of await readdir(files)) if (name !== 'PG_VERSION') await rm(join(files, name));
  }
}

const templateLock = 7_340_199;

/** The same on a server: a database of which new ones are copies. */
async function templateOn(server: string): Promise<string> {
  const name = `portal_template_${await digestOfSchema()}`;
  await asAdministrator(server, async (client) => {
    const isThere = async () =>
      (await client.query('select 1 from pg_database where datname = $1 and datistemplate', [name])).rows.length > 0;
    if (await isThere()) return;
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    if (await isThere()) return;
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
    const database = await openDatabase({ url: addressOf(server, name) });
    await prepare(database);
    await database.close();
    await client.query(`alter database ${name} with is_template true`);
  });
  return name;
}

async function prepare({ db, kind }: Database): Promise<void> {
  await migrate(db);
  await (await startJobs(db, kind, createLogger('silent'))).stop();
}

const migrations = new URL('../db/migrations/', import.meta.url);

/** Changes with every migration and with every library that has a share in what is stored. */
async function digestOfSchema(): Promise<string> {
  const digest = createHash('sha256');
  for (const name of (await readdir(migrations)).sort()) digest.update(await readFile(new URL(name, migrations)));
  digest.update(await readFile(new URL('../../package.json', import.meta.url)));
  return digest.digest('hex').slice(0, 20);
}

function addressOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function asAdministrator<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Moves the clock by which a portal on that server judges ages. The embedded database has the clock of its portal. */
export async function setDatabaseClock(url: string, aheadMs: number): Promise<void> {
  await asAdministrator(url, (client) =>
    client.query(`create or replace function portal_now() returns timestamptz language sql volatile as
      $$ select clock_timestamp() + interval '${aheadMs} milliseconds' $$`),
  );
}
