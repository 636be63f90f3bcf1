import { expect, test } from 'vitest';
import { staleSentence } from './stale-sentence.ts';
import { statesPage } from './states-page.ts';

test('a stale diagram of the states is refused with the file and the line', () => {
  const page = statesPage();
  const planted = page.replace('PAID --> FULFILLING: fulfil', 'PAID --> SUCCEEDED: fulfil');
  expect(planted).not.toBe(page);
  expect(staleSentence('docs/states.md', page, planted)).toMatch(/^docs\/states\.md is stale from line \d+ on/);
});

test('a missing or truncated file is refused, and a current one accepted', () => {
  expect(staleSentence('docs/states.md', 'a\nb\n', null)).toMatch('docs/states.md is missing');
  expect(staleSentence('docs/states.md', 'a\nb\n', 'a\n')).toMatch('from line 2');
  expect(staleSentence('docs/states.md', 'a\n', 'a\nb\n')).toMatch('stale');
  expect(staleSentence('docs/states.md', 'a\n', 'a\n')).toBeNull();
});
