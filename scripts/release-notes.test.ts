import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { releaseNotes } from './release-notes.ts';
import { root } from './source-files.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const changelog = '# Changes\n\n## Unreleased\n\n## 1.1.0\n\n### For customers\n- New.\n\n## 1.0.0 (2026)\n- Old.\n';

test('the notes of a version are its section of CHANGELOG.md only', () => {
  expect(releaseNotes(changelog, '1.1.0')).toBe('### For customers\n- New.');
  expect(releaseNotes(changelog, '1.0.0')).toBe('- Old.');
  for (const version of ['1.1', '2.0.0', 'Unreleased']) expect(releaseNotes(changelog, version)).toBeNull();
});

test('this version has notes, and every workspace and the lock file have it', () => {
  const { version, workspaces } = JSON.parse(read('package.json'));
  expect(releaseNotes(read('CHANGELOG.md'), version)).toMatch(/^### For customers\n- /);
  const lock = JSON.parse(read('package-lock.json'));
  expect(lock.version).toBe(version);
  for (const workspace of workspaces) {
    const { version: own, dependencies = {} } = JSON.parse(read(`${workspace}/package.json`));
    expect([own, lock.packages[workspace].version], workspace).toEqual([version, version]);
    for (const [name, wanted] of Object.entries(dependencies))
      if (name.startsWith('@portal/')) expect(wanted, `${workspace}: ${name}`).toBe(version);
  }
});
