import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portal-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inUse =
  /^The data folder .* is in use by another portal process\. Stop that one, or choose another folder with DATA_DIR\.$/;
const module = new URL('./folder-lock.ts', import.meta.url).href;
const script = (then: string) =>
  `import { lockFolder } from '${module}'; lockFolder(${JSON.stringify(folder)}); ${then}`;
const node = ['--input-type=module', '--eval'];

test('opening a locked folder fails with a clear message', () => {
  const unlock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(inUse);
  unlock();
});

test('closing releases the lock', () => {
  lockFolder(folder)();
  const unlock = lockFolder(folder);
  unlock();
});

test('another process is refused too', async () => {
  const unlock = lockFolder(folder);
  const other = promisify(execFile)(process.execPath, [...node, script('')]);
  await expect(other).rejects.toMatchObject({ stderr: expect.stringContaining('is in use by another portal process') });
  unlock();
});

test('the lock of a killed process is released', async () => {
  const other = spawn(process.execPath, [...node, script("console.log('held'); setInterval(() => {}, 1000);")]);
  await once(other.stdout, 'data');
  expect(() => lockFolder(folder)).toThrow(inUse);
  other.kill('SIGKILL');
  await once(other, 'exit');
  const unlock = lockFolder(folder);
  unlock();
});
