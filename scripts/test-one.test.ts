import { expect, test } from 'vitest';
import { capture } from './progress.mjs';
import { root } from './source-files.ts';

const testOne = (...names: string[]) =>
  capture(process.execPath, ['scripts/test-one.ts', ...names], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, INIT_CWD: root },
  });

test('DEV-2 npm test runs the tests beside a file, or those with given words in their title, and no others', async () => {
  const [byFile, byWords] = await Promise.all([testOne('domain/money.ts'), testOne('every test of a file IS LISTED')]);
  expect(byFile.output).toContain('domain/money.test.ts');
  expect(byFile.output).toContain('Test Files  1 passed (1)');
  expect(byFile.code).toBe(0);
  expect(byWords.output).toContain('scripts/test-titles.test.ts');
  expect(byWords.output).toMatch(/Tests {2}1 passed \| \d+ skipped/);
});

test('DEV-2 words that match no title, and a folder without tests, are reported', async () => {
  const [words, folder] = await Promise.all([testOne('nobody', 'wrote', `th${'is'}`), testOne('docs')]);
  expect(words).toEqual({
    code: 1,
    output: 'There is no test with "nobody wrote this" in its title, and no file of that name.\n',
  });
  expect(folder).toEqual({ code: 1, output: 'There are no tests at docs.\n' });
});
