import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { enableCompileCache } from 'node:module';
import { openRenderer } from '../../web/dev/dev-renderer.ts';

/**
 * A portal in waiting. What takes longest, packages and screens, is loaded ahead; our own code is loaded when the word
 * comes, so that it is the code of that moment.
 */
enableCompileCache();
const told = once(process, 'message');
const { DEV_SERVER_URL = '', DEV_DATABASE_URL } = process.env;

const manifest = await readFile(new URL('../../server/package.json', import.meta.url), 'utf8');
const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
// One that cannot be loaded by its bare name is loaded by whoever knows its right one.
for (const name of Object.keys(dependencies)) if (!name.startsWith('@portal/')) await import(name).catch(() => {});
const web = await openRenderer(DEV_SERVER_URL);
console.log(JSON.stringify({ ready: true }));
// Waiting for it must not end the process.
process.channel?.ref();
await told;
process.channel?.unref();

const { openDatabase } = await import('../../server/src/db/database.ts');
const { startPortal, startProblem } = await import('../../server/src/start-portal.ts');
try {
  const url = await startPortal({
    openWeb: async () => web,
    // The embedded database in its own process has one session, which prepared statements would be shared in.
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
