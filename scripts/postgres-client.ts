import { findProgram } from './debian.ts';
import { serverPrograms } from './postgres.ts';
import { Refusal } from './progress.mjs';

/** A PostgreSQL client program and its environment; a password on the command line would be visible to all. */
export async function postgresClient(name: string, url: string): Promise<{ program: string; env: NodeJS.ProcessEnv }> {
  const program = findProgram([name], [await serverFolder()]);
  if (!program)
    throw new Refusal(
      `This needs PostgreSQL's program ${name}, which is not here: install it (Debian: apt-get install postgresql-client).`,
    );
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const sslMode = searchParams.get('sslmode');
  return {
    program,
    env: {
      ...process.env,
      PGHOST: decodeURIComponent(hostname),
      PGPORT: port || '5432',
      PGUSER: decodeURIComponent(username),
      PGPASSWORD: decodeURIComponent(password),
      PGDATABASE: decodeURIComponent(pathname.slice(1)),
      ...(sslMode ? { PGSSLMODE: sslMode } : {}),
    },
  };
}

/** Debian installs one folder per version; the newest clients support all older servers. */
const serverFolder = () => serverPrograms().catch(() => '/usr/bin');
