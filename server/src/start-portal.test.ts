import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from './db/database.ts';
import { lockFolder } from './db/folder-lock.ts';
import { PersonalData, withPersonalData } from './db/personal-data.ts';
import { checkKeys } from './db/reseal.ts';
import type { WebBuild } from './render/web-build.ts';
import { startPortal, startProblem } from './start-portal.ts';
import { fillFolder } from './testing/database.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portal-start-'));
  const settings = {
    PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: '',
    LOG_LEVEL: 'silent',
    NODE_ENV: 'test',
    OPERATOR: 'mg',
    SANDBOX_URL: 'http://127.0.0.1:1',
    SMPP_URL: 'smpp://127.0.0.1:1',
    SMTP_URL: 'smtp://127.0.0.1:1',
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** The message of a portal that does not start. e2e/specs/start.spec.ts tests that the process prints it and exits. */
async function problem(open = openDatabase): Promise<string> {
  const started = startPortal({ openWeb: async () => ({}) as WebBuild, openDatabase: open });
  return started.then(
    () => 'it started',
    (error: unknown) => startProblem(error),
  );
}

test.for([
  ['a port that is no number', { PORT: 'abc' }, 'PORT must be a number'],
  ['an unknown operator', { OPERATOR: 'zz' }, 'There is no operator pack "zz"'],
  ['production without PostgreSQL', { NODE_ENV: 'production' }, 'set DATABASE_URL to a PostgreSQL'],
  [
    'no database there',
    { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' },
    'The database at DATABASE_URL cannot be used',
  ],
] as const)('%s keeps the portal from starting, told in one sentence', async ([, settings, words]) => {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const said = await problem();
  expect(said).toContain(words);
  expect(said.split('\n')).toHaveLength(1);
});

test('SEC-26 keys other than those of the database keep the portal from starting, told in one sentence', async () => {
  await fillFolder(folder);
  const database = await openDatabase({ folder });
  const keys = [{ id: 'portal-secret', secret: 'the secret of before' }];
  await checkKeys(withPersonalData(database.db, new PersonalData({ keys, secret: 'the secret of before' })));
  await database.close();
  vi.stubEnv('PORTAL_SECRET', 'another secret, as long as it has to be');
  const opened: Database[] = [];
  const said = await problem(async (source) => {
    opened.push(await openDatabase(source));
    return opened[0] as Database;
  });
  await opened[0]?.close();
  expect(said).toContain('PORTAL_SECRET is not the one that personal data in the database is encrypted with');
  expect(said.split('\n')).toHaveLength(1);
});

test('a folder in use keeps the portal from starting, told in one sentence', async () => {
  const unlock = lockFolder(folder);
  const said = await problem();
  unlock();
  expect(said).toContain('is in use by another portal process');
  expect(said.split('\n')).toHaveLength(1);
});

test('a port in use is told by its number', () => {
  expect(startProblem(Object.assign(new Error('listen'), { code: 'EADDRINUSE', port: 3000 }))).toBe(
    'Port 3000 is already in use. Choose another with PORT.',
  );
});
