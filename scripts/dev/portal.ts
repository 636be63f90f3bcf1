import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { enableCompileCache } from 'node:module';
import { openRenderer } from '../../web/dev/dev-renderer.ts';

/**
 * A preloaded portal. What takes longest, packages and screens, is loaded ahead; our own code is loaded on the start
 * message, so that it is current.
 */
enableCompileCache();
const started = once(process, 'message');
const { DEV_SERVER_URL = '', DEV_DATABASE_URL } = process.env;

const manifest = await readFile(new URL('../../server/package.json', import.meta.url), 'utf8');
const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
// A package without a main export is loaded later, by the module that imports its subpath.
for (const name of Object.keys(dependencies)) if (!name.startsWith('@portal/')) await import(name).catch(() => {});
const web = await openRenderer(DEV_SERVER_URL);
console.log(JSON.stringify({ ready: true }));
// Keep the process alive while it waits for the start message.
process.channel?.ref();
await started;
process.channel?.unref();

const { openDatabase } = await import('../../server/src/db/database.ts');
const { startPortal, startProblem } = await import('../../server/src/start-portal.ts');
try {
  const url = await startPortal({
    openWeb: async () => web,
    // The embedded database has one session, so portals would share prepared statements.
    openDatabase: async (source) =>
      DEV_DATABASE_URL
        ? { ...(await openDatabase({ url: DEV_DATABASE_URL, poolSize: 1, prepares: false })), kind: 'embedded' }
        : openDatabase(source),
  });
  process.send?.({ url });
} catch (error) {
  console.error(startProblem(error));
  process.exit(1);
}
