import { spawn } from 'node:child_process';
import { ensurePostgres } from './postgres.ts';
import { compileCache } from './source-files.ts';

/** `npm run simulate`: runs the simulation on a PostgreSQL of its own unless one is given. */
const command = new URL('../server/src/simulation/simulate.ts', import.meta.url).pathname;
const postgres = process.env.TEST_POSTGRES_URL
  ? { url: process.env.TEST_POSTGRES_URL, stop: async () => {} }
  : await ensurePostgres();
const child = spawn(process.execPath, [command, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...compileCache, ...process.env, TEST_POSTGRES_URL: postgres.url },
});
// Ctrl-C reaches the simulation too, which prints its results; stop its database after that.
process.on('SIGINT', () => {});
child.on('exit', async (code) => {
  await postgres.stop();
  process.exit(code ?? 1);
});
