import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { postgresClient } from '../scripts/postgres-client.ts';

const run = promisify(execFile);

/** Transactions per second of the script, measured by pgbench. */
export async function pgbench(
  url: string,
  script: string,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number> {
  const { program, env } = await postgresClient('pgbench', url);
  const folder = await mkdtemp(join(tmpdir(), 'portal-pgbench-'));
  const file = join(folder, 'script.sql');
  await writeFile(file, script);
  const threads = String(Math.min(connections, 2));
  const words = ['-n', '-f', file, '-c', String(connections), '-j', threads, '-T', String(seconds)];
  const { stdout } = await run(program, words, { env });
  await rm(folder, { recursive: true, force: true });
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}
