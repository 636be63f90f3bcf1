import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { withFiles } from '../server/src/config/config.ts';
import { openDatabase } from '../server/src/db/database.ts';
import { exportSnapshot, rowCounts, storedMigrations } from '../server/src/db/stored-tables.ts';
import { type BackupHeader, writeBackup } from './backup-file.ts';
import { postgresClient } from './postgres-client.ts';
import { endWith, Refusal } from './progress.mjs';

export type BackupSource = { url: string } | { folder: string };

/** Where this environment's portal keeps its data. */
export function databaseOf(env: NodeJS.ProcessEnv): BackupSource {
  const { DATABASE_URL, DATA_DIR } = withFiles(env);
  return DATABASE_URL ? { url: DATABASE_URL } : { folder: resolve(DATA_DIR || '.data') };
}

export function backUp(source: BackupSource, file: string): Promise<BackupHeader> {
  return 'url' in source ? backUpPostgres(source.url, file) : backUpEmbedded(source.folder, file);
}

/** One moment of the database, seen by pg_dump and by our own counting alike, while portals go on working. */
async function backUpPostgres(url: string, file: string): Promise<BackupHeader> {
  const { program, env } = await postgresClient('pg_dump', url);
  const database = await openDatabase({ url, poolSize: 1, isUnlimited: true });
  try {
    return await database.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (transaction) => {
        const migrations = await storedMigrations(transaction);
        if (migrations.length === 0)
          throw new Refusal('There is nothing to back up: no portal has used this database.');
        const rows = await rowCounts(transaction);
        const snapshot = await exportSnapshot(transaction);
        const args = [
          '--format=custom',
          '--no-owner',
          '--no-privileges',
          '--no-unlogged-table-data',
          `--snapshot=${snapshot}`,
        ];
        const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
        let said = '';
        child.stderr.setEncoding('utf8').on('data', (text) => {
          said += text;
        });
        const ended = once(child, 'close');
        const header = { kind: 'postgresql', createdAt: new Date().toISOString(), migrations, rows } as const;
        const written = writeBackup(
          file,
          header,
          whenEnded(child.stdout, ended, () => said),
        );
        return await written;
      });
  } finally {
    await database.close();
  }
}

/** What a program gives, which is only whole when the program says so. */
function whenEnded(output: Readable, ended: Promise<unknown[]>, said: () => string): Readable {
  async function* chunks() {
    yield* output;
    const [code] = await ended;
    if (code !== 0) throw new Refusal('pg_dump failed: see what it says above. No backup was written.', said());
  }
  return Readable.from(chunks());
}

async function backUpEmbedded(folder: string, file: string): Promise<BackupHeader> {
  if (!existsSync(resolve(folder, 'pgdata')))
    throw new Refusal(`There is nothing to back up: no portal has used the folder ${folder}.`);
  const database = await openDatabase({ folder }).catch((error: Error) => {
    throw new Refusal(error.message);
  });
  try {
    const migrations = await storedMigrations(database.db);
    const rows = await rowCounts(database.db);
    const dump = await database.dump?.();
    if (!dump) throw new Error('The embedded database gave no dump.');
    const content = Readable.from([Buffer.from(await dump.arrayBuffer())]);
    return await writeBackup(
      file,
      { kind: 'embedded', createdAt: new Date().toISOString(), migrations, rows },
      content,
    );
  } finally {
    await database.close();
  }
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { force: { type: 'boolean' } } });
  const [file] = positionals;
  if (!file || positionals.length > 1) throw new Refusal('Say where to: npm run backup -- <file>');
  if (existsSync(file) && !values.force)
    throw new Refusal(`${file} is there already: choose another name, or --force.`);
  const { rows, bytes, kind } = await backUp(databaseOf(process.env), resolve(file));
  const payments = rows['public.payments'] ?? 0;
  console.log(
    `Backed up the ${kind} database into ${file}: ${payments} payments, ${Object.keys(rows).length} tables, ${Math.ceil(bytes / 1024)} kB.
It holds neither PERSONAL_DATA_KEYS nor PORTAL_SECRET (in a trial both are the file secret in DATA_DIR): keep them too, apart from it. Without the
former nobody can read the numbers and emails in it; without the latter, codes, tokens and PIN keys in it are void.`,
  );
}

if (import.meta.main) main().catch(endWith);
