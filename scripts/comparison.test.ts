import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './source-files.ts';
import { isInTitle, testsIn } from './test-titles.ts';

test('LOK-2 (with what is publicly described of other portals; their pages themselves by a person) every point of the comparison is shown by a test of ours, and each of the six pages has some', async () => {
  const look = await readFile(join(root, 'docs/look.md'), 'utf8');
  const points = [...look.matchAll(/^\| (\w+) \|.*\| \[[\w ]+\]\(\.\.\/(\S+?)\) “([^”]+)” \|$/gm)];
  const pages = points.map(([, page]) => page);
  expect(new Set(pages)).toEqual(new Set(['home', 'bundles', 'payment', 'status', 'help', 'shops']));
  // A row whose last cell cannot be read would not be checked.
  expect(points).toHaveLength(look.split('| shown by |')[1]?.match(/^\| \w+ \|/gm)?.length ?? 0);
  for (const [, page, path = '', words = ''] of points) {
    const source = await readFile(join(root, path), 'utf8');
    expect(
      testsIn(path, source).some((titles) => isInTitle(words, titles)),
      `${page}: ${path} has no test “${words}”`,
    ).toBe(true);
  }
});
