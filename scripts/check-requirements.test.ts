import { describe, expect, test } from 'vitest';
import { requirementProblems, requirementsPage, testFiles } from './check-requirements.ts';
import { sourceFiles } from './source-files.ts';

test('DEV-4 every id of a title is in docs/requirements.md, and every line there is named by a title or marked as unproved', async () => {
  const page = (await sourceFiles(requirementsPage)).get(requirementsPage) ?? '';
  expect(requirementProblems(page, await sourceFiles(...testFiles))).toEqual([]);
});

describe('differences are reported in words', () => {
  const page = [
    '# Requirements',
    '- **D1** Three languages ship.',
    '- **ONE-1** A page opens.',
    '- **ONE-2** It closes. — not proved yet',
  ].join('\n');
  const problemsOf = (...titles: string[]) =>
    requirementProblems(
      page,
      new Map([['web/page.test.ts', titles.map((title) => `test(${JSON.stringify(title)}, () => {});`).join('\n')]]),
    );

  test('none when page and titles agree; a decision needs no test', () => {
    expect(problemsOf('ONE-1 a page opens', 'D1 in three languages', 'reads UCS-2')).toEqual([]);
  });

  test('a title with an id that the page does not have', () => {
    expect(problemsOf('ONE-1 opens', 'opens (ONE-9)')).toEqual([
      'web/page.test.ts:2 names ONE-9, which docs/requirements.md does not have: opens (ONE-9)',
    ]);
    expect(problemsOf('ONE-1 opens', 'UNO-1 opens')).toEqual([expect.stringContaining('names UNO-1')]);
    expect(problemsOf('ONE-1 D2 opens')).toEqual([expect.stringContaining('names D2')]);
  });

  test('a line that no title names', () => {
    expect(problemsOf('opens')).toEqual([
      'docs/requirements.md has ONE-1, which no title of a test names: prove it, or end it with “— not proved yet”.',
    ]);
  });

  test('a mark on a line that a title names', () => {
    expect(problemsOf('ONE-1 ONE-2 opens and closes')).toEqual([
      'docs/requirements.md says of ONE-2 “— not proved yet”, but a test names it: take the mark away.',
    ]);
  });

  test('a duplicate id', () => {
    const twice = `${page}\n- **ONE-1** Another.`;
    expect(requirementProblems(twice, new Map([['a.test.ts', "it('ONE-1', () => {})"]]))).toEqual([
      'docs/requirements.md has ONE-1 2 times.',
    ]);
  });
});
