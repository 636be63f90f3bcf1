import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../scripts/free-port.ts';
import { bookDifferences, readBooks } from '../scripts/reliability/compare-books.ts';
import { startStack } from '../scripts/stack.ts';
import { openDatabase } from '../server/src/db/database.ts';

/**
 * One built product for all specs, which find it by `baseURL` and by PORTAL_URL, SANDBOX_URL and PORTAL_LOG (the
 * server's log, one JSON line each) in the environment. Specs share it, so each uses lines of its own.
 */
// Playwright asks for a default export.
export default async function startSharedStack(): Promise<() => Promise<void>> {
  // A portal that already runs is used as it is: quicker while a spec is being written.
  if (process.env.PORTAL_URL) return async () => {};
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-e2e-'));
  const results = new URL('../test-results/', import.meta.url).pathname;
  mkdirSync(results, { recursive: true });
  const logFile = join(results, 'server.log');
  const log = createWriteStream(logFile);
  const stack = await startStack({
    port: await freePort(),
    dataDir,
    approveAfterMs: 1_200,
    env: { DATABASE_URL: '', RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'info', NODE_ENV: 'test' },
    onLog: (line) => void log.write(`${line}\n`),
  });
  process.env.PORTAL_URL = stack.url;
  process.env.SANDBOX_URL = stack.sandboxUrl ?? '';
  process.env.PORTAL_LOG = logFile;
  return async () => {
    const asOf = new Date();
    const books = await readBooks(stack.sandboxUrl ?? '');
    await stack.stop();
    const { db, close } = await openDatabase({ folder: dataDir });
    const differences = await bookDifferences(db, books, asOf);
    await close();
    if (differences.length > 0) throw new Error(`The books differ after the run:\n${differences.join('\n')}`);
    rmSync(dataDir, { recursive: true, force: true });
  };
}
