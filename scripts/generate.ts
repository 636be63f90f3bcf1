import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openApiDocument } from '../server/src/openapi.ts';
import { connectorsPages } from './connectors-pages.ts';
import { dependenciesPage } from './dependencies-page.ts';
import { securityPage } from './retention-page.ts';
import { settingsPage } from './settings-page.ts';
import { root } from './source-files.ts';
import { staleSentence } from './stale-sentence.ts';
import { statesPage } from './states-page.ts';

const generated = new Map<string, string>([
  ...connectorsPages(),
  ['docs/states.md', statesPage()],
  ['docs/settings.md', settingsPage()],
  ['docs/dependencies.md', dependenciesPage()],
  ['docs/security.md', securityPage()],
  ['docs/openapi.json', `${JSON.stringify(await openApiDocument(), null, 2)}\n`],
]);

const checkOnly = process.argv.includes('--check');
for (const [path, expected] of generated) {
  const actual = await readFile(join(root, path), 'utf8').catch(() => null);
  const sentence = staleSentence(path, expected, actual);
  if (!sentence) continue;
  if (checkOnly) {
    console.log(sentence);
    process.exitCode = 1;
  } else {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), expected);
    console.log(`Wrote ${path}.`);
  }
}
