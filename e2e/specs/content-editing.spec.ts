import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { readPackage } from '../../operators/content.ts';
import { test as base, otherSettings } from '../fixtures/own-stack.ts';
import { open } from '../fixtures/walk.ts';

const test = base.extend({ baseURL: async ({ ownPortal }, use) => use(ownPortal) });
// Shares a portal with specs whose settings do not affect it.
test.use({ ownSettings: otherSettings });

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = '/translation';

const heading = (shown: Page) => shown.getByRole('main').getByRole('heading', { level: 1 });
/** A portal caches content for ten seconds. */
const follows = { intervals: [500] };

test('CMS-1 a text changed and reverted by command is shown by the running portal without a restart', async ({
  page: shown,
  ownStack,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-content-'));
  const env = {
    ...process.env,
    // The command and the portal have it open at once, so this is a test for PostgreSQL alone.
    DATABASE_URL: ownStack.databaseUrl ?? undefined,
    NODE_ENV: 'test',
    DATA_DIR: ownStack.dataDir,
    LOG_LEVEL: 'error',
  };
  const command = async (...words: string[]) =>
    (await promisify(execFile)(process.execPath, ['server/src/command.ts', 'content', ...words], { cwd: root, env }))
      .stdout;
  /** Polls by fetch, because reloading in the browser every second would cost most of the time. */
  const homeSays = async (words: string) => {
    await expect.poll(async () => (await shown.request.get('/')).text(), follows).toContain(`<h1>${words}</h1>`);
    await shown.goto('/');
    await expect(heading(shown)).toHaveText(words);
  };

  await open(shown, '/');
  await expect(heading(shown)).toHaveText('Recharge in a minute');
  const words = readPackage('mg', 'en', 'translation') as Record<string, string>;
  const file = join(folder, 'translation.json');
  const changed = { ...words, 'home.title': 'Recharge for the holidays', 'help.heading': 'What can we do for you?' };
  await writeFile(file, JSON.stringify(changed));
  expect(await command('import', page, file, 'Rina')).toContain(`Draft 2 of ${page} is kept.`);
  await shown.goto('/');
  await expect(heading(shown)).toHaveText('Recharge in a minute');

  await command('activate', page, '2', 'Rina');
  await homeSays('Recharge for the holidays');
  await shown.goto('/gethelp');
  await expect(heading(shown)).toHaveText('What can we do for you?');

  expect(await command('rollback', page, 'Solo')).toContain('shows version 1 again');
  await homeSays('Recharge in a minute');
  expect(await command('changes', page)).toMatch(/roll back 1 {2}by Solo[\s\S]*activate 2 {2}by Rina/);
  await rm(folder, { recursive: true });
});
