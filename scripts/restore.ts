import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Database, openDatabase } from '../server/src/db/database.ts';
import { lockFolder } from '../server/src/db/folder-lock.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { portalSessions, rowCounts, tableNames } from '../server/src/db/stored-tables.ts';
import { countOpen } from '../server/src/payments/core/payments.store.ts';
import { type BackupSource, databaseOf } from './backup.ts';
import { type BackupHeader, backupContent, checkBackup } from './backup-file.ts';
import { postgresClient } from './postgres-client.ts';
import { endWith, Refusal } from './progress.mjs';

export interface Restored {
  header: BackupHeader;
  /** Applied by a version newer than the backup. */
  migrations: string[];
  /** Payments open in the backup: providers are asked about each before anything else happens to it. */
  openPayments: number;
}

const migrationsFolder = new URL('../server/src/db/migrations/', import.meta.url);

/** Atomic: the old data stays until the backup is loaded and counted. */
export async function restore(target: BackupSource, file: string, options: { force: boolean }): Promise<Restored> {
  const header = await checkBackup(file);
  const known = await readdir(migrationsFolder);
  const unknown = header.migrations.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Refusal(`The backup is newer than this program: it has ${unknown.join(', ')}. Run the newer version.`);
  const kind = 'url' in target ? 'postgresql' : 'embedded';
  if (header.kind !== kind)
    throw new Refusal(
      `This is a backup of the ${header.kind} database, and DATABASE_URL ${kind === 'embedded' ? 'is not set' : 'names a PostgreSQL'}.`,
    );
  return 'url' in target
    ? restorePostgres(target.url, file, header, options)
    : restoreEmbedded(target.folder, file, header, options);
}

const notEmpty = (where: string) =>
  new Refusal(`${where} holds a portal's data already: --force replaces it by the backup. Nothing was changed.`);

/** Prepares a restored database before a portal may use it. */
async function takeOver(database: Database, header: BackupHeader): Promise<Restored> {
  const counted = await rowCounts(database.db);
  const wrong = Object.entries(header.rows).filter(([table, count]) => counted[table] !== count);
  if (wrong.length > 0)
    throw new Refusal(`The restored data is not what was backed up: ${wrong.map(([table]) => table).join(', ')}.`);
  const migrations = await migrate(database.db);
  // No mark is needed: the new tables differ from those of the last epoch.
  return { header, migrations, openPayments: await countOpen(database.db) };
}

async function restoreEmbedded(
  folder: string,
  file: string,
  header: BackupHeader,
  { force }: { force: boolean },
): Promise<Restored> {
  const data = join(folder, 'pgdata');
  if (existsSync(data) && !force) throw notEmpty(`The folder ${folder}`);
  await mkdir(folder, { recursive: true });
  const unlock = refusing(() => lockFolder(folder));
  const fresh = join(folder, 'restoring');
  try {
    await rm(fresh, { recursive: true, force: true });
    const content = await buffer(backupContent(file));
    const database = await openDatabase({ folder: fresh, snapshot: new Blob([content]) });
    const restored = await takeOver(database, header).finally(database.close);
    await rm(data, { recursive: true, force: true });
    await rename(join(fresh, 'pgdata'), data);
    return restored;
  } finally {
    await rm(fresh, { recursive: true, force: true });
    unlock();
  }
}

function refusing<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new Refusal((error as Error).message);
  }
}

/** Drops our tables, sequences and functions and the job queue's schema; the database and its grants stay. */
const emptying = `
drop schema if exists jobs cascade;
do $$ declare each record; begin
  for each in select format('drop table if exists %I.%I cascade', schemaname, tablename) as statement
    from pg_tables where schemaname = 'public' loop execute each.statement; end loop;
  for each in select format('drop function if exists %s cascade', oid::regprocedure) as statement
    from pg_proc where pronamespace = 'public'::regnamespace loop execute each.statement; end loop;
end $$;
`;

/** Retries, because PostgreSQL still lists a session for a moment after the portal was stopped. */
async function isPortalConnected(db: Parameters<typeof portalSessions>[0]): Promise<boolean> {
  for (let looks = 0; looks < 25; looks++) {
    if ((await portalSessions(db)) === 0) return false;
    await sleep(200);
  }
  return true;
}

async function restorePostgres(
  url: string,
  file: string,
  header: BackupHeader,
  { force }: { force: boolean },
): Promise<Restored> {
  const before = await openDatabase({ url, poolSize: 1, isUnlimited: true });
  try {
    if (await isPortalConnected(before.db))
      throw new Refusal('A portal is connected to this database: stop all of them first. Nothing was changed.');
    if ((await tableNames(before.db)).length > 0 && !force) throw notEmpty('This database');
  } finally {
    await before.close();
  }
  await load(url, file);
  const database = await openDatabase({ url, poolSize: 1, isUnlimited: true });
  return takeOver(database, header).finally(database.close);
}

/** Loads the dump in one transaction: if anything fails, nothing changes. */
async function load(url: string, file: string): Promise<void> {
  const reader = await postgresClient('pg_restore', url);
  const writer = await postgresClient('psql', url);
  const script = spawn(reader.program, ['--no-owner', '--no-privileges', '--file=-'], { env: process.env });
  const args = ['--no-psqlrc', '--quiet', '--single-transaction', '--set=ON_ERROR_STOP=1'];
  const psql = spawn(writer.program, args, { env: writer.env, stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  for (const stream of [script.stderr, psql.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  const scriptEnd = once(script, 'close');
  const psqlEnd = once(psql, 'close');
  psql.stdin.write(emptying);
  await Promise.allSettled([
    pipeline(backupContent(file), script.stdin),
    pipeline(script.stdout, psql.stdin, { end: false }),
  ]);
  const [readCode] = await scriptEnd;
  // A truncated script must not be committed: without its end psql is killed and the server rolls back.
  if (readCode === 0) psql.stdin.end();
  else psql.kill('SIGKILL');
  const [writeCode] = await psqlEnd;
  if (readCode !== 0 || writeCode !== 0)
    throw new Refusal('The backup could not be restored: see what PostgreSQL says above. Nothing was changed.', said);
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { force: { type: 'boolean' } } });
  const [file] = positionals;
  if (!file || positionals.length > 1) throw new Refusal('Say which: npm run restore -- <file> [--force]');
  const { header, migrations, openPayments } = await restore(databaseOf(process.env), resolve(file), {
    force: values.force ?? false,
  });
  console.log(`Restored the ${header.kind} database as it was at ${header.createdAt}: ${header.rows['public.payments'] ?? 0} payments.
${migrations.length > 0 ? `Brought up to this program by ${migrations.join(', ')}.\n` : ''}${openPayments} payments were open then: when the portal starts, providers are asked about each of them first.
Payments made after that moment are not known here: \`npm run reconcile -- <day>\` names what providers took for them.`);
}

if (import.meta.main) main().catch(endWith);
