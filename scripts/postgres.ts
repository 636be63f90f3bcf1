import { appendFile, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canInstall, findProgram, installPackage, isRoot } from './debian.ts';
import { freePort } from './free-port.ts';
import { capture, Refusal, withProgress } from './progress.mjs';

export interface Postgres {
  /** Address of a superuser, from which tests create databases of their own. */
  url: string;
  stop(): Promise<void>;
}

const sentence =
  'The database tests need PostgreSQL, which is not here: install it (Debian: apt-get install postgresql) or set TEST_DATABASE_URL to a server on which databases may be created.';

/** The server that is given, or else one of our own on a free loopback port and a temporary folder. */
export async function ensurePostgres({ isDurable = false } = {}): Promise<Postgres> {
  const url = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL;
  if (url) return { url, stop: async () => {} };
  const initdb = await ensureInitdb();
  return withProgress(
    'Starting PostgreSQL',
    () => startPostgres(initdb, isDurable),
    (duration) => `PostgreSQL started in ${duration}`,
  );
}

async function ensureInitdb(): Promise<string> {
  return (await findInitdb()) ?? installAndFind();
}

/** Where the programs of the server lie together; on the path there may be only links to some of them. */
export const serverPrograms = async (): Promise<string> => dirname(await realpath(await ensureInitdb()));

async function installAndFind(): Promise<string> {
  if (canInstall()) await installPackage('postgresql', sentence);
  const initdb = await findInitdb();
  if (!initdb) throw new Refusal(sentence);
  return initdb;
}

/** Debian keeps the server's programs off the path, in a folder for each version. */
async function findInitdb(): Promise<string | null> {
  const base = '/usr/lib/postgresql';
  const versions = await readdir(base).catch(() => []);
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  return findProgram(
    ['initdb'],
    newestFirst.map((version) => join(base, version, 'bin')),
  );
}

async function startPostgres(initdb: string, isDurable: boolean): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-postgres-'));
  const data = join(folder, 'data');
  const log = join(folder, 'log');
  const pgCtl = initdb.replace(/initdb$/, 'pg_ctl');
  const stop = async () => {
    await asServerUser(folder, pgCtl, ['-D', data, '-m', 'immediate', 'stop']);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    if (isRoot) await must('chown', ['postgres', folder]);
    const account = ['--username=portal', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
    await must(...serverUserCommand(initdb, ['-D', data, ...account]), folder);
    const port = await freePort();
    await appendFile(join(data, 'postgresql.conf'), settings(port, folder, isDurable));
    await must(...serverUserCommand(pgCtl, ['-D', data, '-l', log, '-w', '-t', '60', 'start']), folder);
    return { url: `postgresql://portal@127.0.0.1:${port}/postgres`, stop };
  } catch (error) {
    const said = await readFile(log, 'utf8').catch(() => '');
    await stop();
    const output = error instanceof Refusal ? `${error.output}${said}` : String(error);
    throw new Refusal('PostgreSQL did not start: see what it says above.', output);
  }
}

/** Nothing here outlives the tests, so it need not survive a power cut, unless that is what is measured. */
function settings(port: number, folder: string, isDurable: boolean): string {
  return `
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = '${folder}'
max_connections = 200
${isDurable ? '' : 'fsync = off\nsynchronous_commit = off\nfull_page_writes = off'}
`;
}

/** PostgreSQL refuses to run as root, so root runs it as Debian's own user for it. */
function serverUserCommand(program: string, args: string[]): [string, string[]] {
  return isRoot ? ['runuser', ['-u', 'postgres', '--', program, ...args]] : [program, args];
}

export const asServerUser = (cwd: string, program: string, args: string[]) =>
  capture(...serverUserCommand(program, args), { cwd });

async function must(command: string, args: string[], cwd?: string): Promise<void> {
  const { code, output } = await capture(command, args, { cwd });
  if (code !== 0) throw new Refusal(`${command} failed.`, output);
}
