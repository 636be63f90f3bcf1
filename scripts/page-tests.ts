import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createPostgres, fillFolder } from '../server/src/testing/database.ts';
import { freePort } from './free-port.ts';
import { patience } from './patience.ts';
import { startStack } from './stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The portal that tests of pages ask, and how long they wait for what it brings. */
    portal: { url: string; waitMs: number };
  }
}

/** One portal with its sandbox for all tests of pages: every answer that a page is given there is a real one. */
// Vitest asks for a default export.
export default async function startPortal(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-pages-'));
  const postgres = process.env.TEST_POSTGRES_URL;
  const database = postgres ? await createPostgres(postgres, { brought: true }) : null;
  // Making a database anew takes longer than all the rest.
  if (!database) await fillFolder(dataDir, { brought: true });
  const stack = await startStack({
    port: await freePort(),
    dataDir,
    databaseUrl: database?.url ?? '',
    approveAfterMs: 300,
    env: { RATE_LIMIT_SCALE: '100000', SIM_SWAP_LIMIT_MS: '600000', LOG_LEVEL: 'error', NODE_ENV: 'test' },
  });
  project.provide('portal', { url: stack.url, waitMs: patience(30_000) });
  return async () => {
    await stack.stop();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
