import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkBackup, writeBackup } from './backup-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-backup-'));
});
afterAll(() => rm(folder, { recursive: true }));

const header = { kind: 'postgresql' as const, createdAt: '2026-03-02T08:00:00.000Z', migrations: ['0001'], rows: {} };

test('REL-18 an aborted backup leaves no file, and the next one is complete', async () => {
  const file = join(folder, 'nightly.backup');
  async function* brokenOff() {
    yield Buffer.alloc(100_000, 1);
    throw new Error('the dump was ended');
  }
  await expect(writeBackup(file, header, Readable.from(brokenOff()))).rejects.toThrow('the dump was ended');
  expect(await readdir(folder)).toEqual([]);
  await writeBackup(file, header, Readable.from([Buffer.alloc(100_000, 2)]));
  expect(await readdir(folder)).toEqual(['nightly.backup']);
  expect(await checkBackup(file)).toMatchObject({ ...header, bytes: 100_000 });
});
