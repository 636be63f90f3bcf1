import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import { sqlClock } from '../db/clock.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { createEpochs } from '../db/epochs.ts';
import { migrate } from '../db/migrate.ts';
import { PersonalData, withPersonalData } from '../db/personal-data.ts';
import { createLogger } from '../http/logging.ts';
import { startNoticeQueue } from '../notice-queue/notice-queue.ts';

export const testSecret = 'a secret for tests, long enough to be one';

/** The default keys of a test portal. */
export const testPersonalData = (): PersonalData =>
  new PersonalData({ keys: [{ id: 'portal-secret', secret: testSecret }], secret: testSecret });

/** The initial contents of a test database: nothing, the tables, or the tables and the imported pack. */
type Contents = 'empty' | 'migrated' | 'brought';

interface Wanted {
  migrated?: boolean;
  /** Includes the pages, prices and places of the test pack, as imported by a starting portal. */
  brought?: boolean;
}

const contentsOf = ({ migrated = true, brought = false }: Wanted): Contents =>
  brought ? 'brought' : migrated ? 'migrated' : 'empty';

/** A separate database of the kind in TEST_DATABASE, migrated by default, and dropped when closed. */
export async function testDatabase(wanted: Wanted = {}): Promise<Database> {
  const contents = contentsOf(wanted);
  const { source, drop } = process.env.TEST_DATABASE === 'postgresql' ? await ofServer(wanted) : await embedded(wanted);
  const database = await openDatabase(source);
  // The portal would take the copy of a template for a restore, so begin its epoch here.
  if (contents !== 'empty') {
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

async function ofServer(wanted: Wanted) {
  const server = process.env.TEST_POSTGRES_URL;
  if (!server) throw new Error('TEST_POSTGRES_URL must name a PostgreSQL on which databases may be created.');
  const { url, drop } = await createPostgres(server, { migrated: true, ...wanted });
  return { source: { url, poolSize: 20 }, drop };
}

async function embedded(wanted: Wanted) {
  // In memory if available, so that commits do not wait for a disk.
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'portal-test-'));
  await fillFolder(folder, wanted);
  return { source: { folder }, drop: () => rm(folder, { recursive: true, force: true }) };
}

/** A new database on the given server: empty, migrated, or with the pack imported. */
export async function createPostgres(
  server: string,
  { migrated = false, brought = false }: Wanted = {},
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `portal_test_${randomBytes(8).toString('hex')}`;
  const contents = contentsOf({ migrated, brought });
  const template = contents === 'empty' ? '' : ` template ${await templateOn(server, contents)} strategy file_copy`;
  await asAdministrator(server, (client) => client.query(`create database ${name}${template}`));
  return {
    url: addressOf(server, name),
    drop: () =>
      asAdministrator(server, (client) => client.query(`drop database if exists ${name} with (force)`)).then(() => {}),
  };
}

/** Creates an embedded database in a folder: empty, migrated, or with the pack imported. */
export async function fillFolder(folder: string, wanted: Wanted = {}): Promise<void> {
  await mkdir(folder, { recursive: true });
  // `cp` copies a thousand files in a tenth of the processor time of Node's own copy.
  await promisify(execFile)('cp', ['-R', join(await preparedFolder(contentsOf(wanted)), 'pgdata'), folder]);
}

/**
 * Creating an embedded database takes seconds, so each kind is created once and cached in a folder named by the digest
 * of its sources. Two processes may create it at once; the rename ensures that no incomplete one is copied.
 */
async function preparedFolder(contents: Contents): Promise<string> {
  const folder = join(tmpdir(), `portal-${contents}-${await digestOf(contents)}`);
  if (existsSync(folder)) {
    await utimes(folder, new Date(), new Date());
    return folder;
  }
  const half = `${folder}.${randomBytes(6).toString('hex')}`;
  if (contents !== 'empty') await fillFolder(half, { migrated: contents === 'brought' });
  const database = await openDatabase({ folder: half });
  if (contents !== 'empty') await prepare(database, contents);
  await database.close();
  if (contents === 'migrated') await emptyTemplates(half);
  await rename(half, folder).catch(() => rm(half, { recursive: true }));
  await dropOldFolders(contents);
  return folder;
}

const dayMs = 24 * 3_600_000;

/** Every change of the sources leaves an old folder behind; those not used for a day are deleted. */
async function dropOldFolders(contents: Contents): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(`portal-${contents}-`)) continue;
    const folder = join(tmpdir(), name);
    const used = await stat(folder).catch(() => null);
    if (used && Date.now() - used.mtimeMs > dayMs) await rm(folder, { recursive: true, force: true });
  }
}

/** Empties the two template databases, which are never opened but are half of the bytes copied for each test. */
async function emptyTemplates(folder: string): Promise<void> {
  for (const template of ['1', '4']) {
    const files = join(folder, 'pgdata/base', template);
    for (const name of await readdir(files)) if (name !== 'PG_VERSION') await rm(join(files, name));
  }
}

const templateLock = 7_340_199;

/** The same on a server: a template database, from which new ones are copied. */
async function templateOn(server: string, contents: Contents): Promise<string> {
  const name = `portal_${contents}_${await digestOf(contents)}`;
  const origin = contents === 'brought' ? ` template ${await templateOn(server, 'migrated')} strategy file_copy` : '';
  await asAdministrator(server, async (client) => {
    const isThere = async () =>
      (await client.query('select 1 from pg_database where datname = $1 and datistemplate', [name])).rows.length > 0;
    if (await isThere()) return;
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    if (await isThere()) return;
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}${origin}`);
    const database = await openDatabase({ url: addressOf(server, name) });
    await prepare(database, contents);
    await database.close();
    await client.query(`alter database ${name} with is_template true`);
  });
  return name;
}

async function prepare(database: Database, contents: Contents): Promise<void> {
  if (contents === 'brought') {
    // Imported lazily, because most tests do not need it.
    const { importPack } = await import('./bring-pack.ts');
    return importPack(database);
  }
  const { db, kind } = database;
  await migrate(db);
  await (await startNoticeQueue(db, kind, createLogger('silent'))).stop();
}

const storers = 'server/src/{audit,bundles,content,db,places,sheets}/**/*.ts';

/** A digest of everything that affects the contents: migrations, libraries and, for a pack, its files and importers. */
function digestOf(contents: Contents): Promise<string> {
  const sources = ['package.json', 'server/src/db/migrations/*'];
  return digestOfFiles(
    contents === 'brought'
      ? [...sources, 'operators/*.ts', 'operators/{mg,texts}/**/*', '{contract,domain}/**/*.ts', storers]
      : sources,
  );
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

async function digestOfFiles(patterns: string[]): Promise<string> {
  const paths: string[] = [];
  for await (const entry of glob(patterns, { cwd: root, withFileTypes: true, exclude: isForeign }))
    if (entry.isFile() && !/\.(test|fixture)\.ts$/.test(entry.name)) paths.push(join(entry.parentPath, entry.name));
  const digest = createHash('sha256');
  for (const path of paths.sort()) digest.update(await readFile(path));
  return digest.digest('hex').slice(0, 20);
}

const isForeign = ({ name }: { name: string }) => name === 'node_modules';

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

/** Moves the clock that portals on that server use for ages. An embedded database uses its portal's clock. */
export async function setDatabaseClock(url: string, aheadMs: number): Promise<void> {
  await asAdministrator(url, (client) =>
    client.query(`create or replace function portal_now() returns timestamptz language sql volatile as
      $$ select clock_timestamp() + interval '${aheadMs} milliseconds' $$`),
  );
}
