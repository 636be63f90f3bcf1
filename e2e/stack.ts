import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../scripts/free-port.ts';
import { ensurePostgres } from '../scripts/postgres.ts';
import { bookDifferences, readBooks } from '../scripts/reliability/compare-books.ts';
import { startStack } from '../scripts/stack.ts';
import { openDatabase } from '../server/src/db/database.ts';
import { createPostgres } from '../server/src/testing/database.ts';
import { isEmbedded } from './fixtures/embedded.ts';
import { keepStacks } from './fixtures/stack-keeper.ts';

/** With which a spec may read the figures. */
export const metricsKey = 'the figures of the tests';

/**
 * One built product for all specs, which find it by `baseURL` and by PORTAL_URL, SANDBOX_URL and PORTAL_LOG (the
 * server's log, one JSON line each) in the environment. Specs share it, so each uses lines of its own. It stands on
 * PostgreSQL, which takes half the time of the embedded database; TEST_DATABASE=embedded puts it on that.
 */
// Playwright asks for a default export.
export default async function startSharedStack(): Promise<() => Promise<void>> {
  // Use a running portal as it is, which is quicker while writing a spec.
  if (process.env.PORTAL_URL) return async () => {};
  const postgres = isEmbedded ? null : await postgresServer();
  const databaseUrl = postgres ? (await createPostgres(postgres.url)).url : undefined;
  const keeper = await keepStacks(postgres?.url ?? null);
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-e2e-'));
  const results = new URL('../test-results/', import.meta.url).pathname;
  mkdirSync(results, { recursive: true });
  const logFile = join(results, 'server.log');
  const log = createWriteStream(logFile);
  const stack = await startStack({
    port: await freePort(),
    dataDir,
    databaseUrl,
    approveAfterMs: 1_200,
    env: {
      RATE_LIMIT_SCALE: '100000',
      SIM_SWAP_LIMIT_MS: '600000',
      LOG_LEVEL: 'info',
      NODE_ENV: 'test',
      METRICS_KEY: metricsKey,
    },
    onLog: (line) => void log.write(`${line}\n`),
  });
  process.env.PORTAL_URL = stack.url;
  process.env.SANDBOX_URL = stack.sandboxUrl ?? '';
  process.env.PORTAL_LOG = logFile;
  process.env.STACK_KEEPER_URL = keeper.url;
  return async () => {
    const asOf = new Date();
    const books = await readBooks(stack.sandboxUrl ?? '');
    await stack.stop();
    await keeper.stop();
    const { db, close } = await openDatabase(databaseUrl ? { url: databaseUrl } : { folder: dataDir });
    const differences = await bookDifferences(db, books, asOf);
    await close();
    await postgres?.stop();
    if (differences.length > 0) throw new Error(`The books differ after the run:\n${differences.join('\n')}`);
    rmSync(dataDir, { recursive: true, force: true });
  };
}

async function postgresServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.TEST_POSTGRES_URL;
  return given ? { url: given, stop: async () => {} } : ensurePostgres();
}
