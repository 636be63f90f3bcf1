import { expect, test } from 'vitest';
import { isInTitle, patternOf, testsIn, titlesIn } from './test-titles.ts';

const source = `
import { describe, test } from 'vitest';
test('alone', () => {});
describe('a group', () => {
  describe.each(['x'])('of %s', () => {
    test.each([[1, 2]])('adds $a (and %i)', () => {});
  });
  test.skipIf(true)("isn't", () => {});
});
test.describe('in a browser', () => {
  test(\`shows \${what}\`, async () => {
    test.setTimeout(1);
    expect('no title').toBe(call('nor this'));
  });
});
test.beforeEach(() => {});
it('is last', () => {});
`;

test('every test of a file is listed by its title and those of its groups', () => {
  expect(testsIn('some.test.ts', source)).toEqual([
    ['alone'],
    ['a group', 'of %s', 'adds $a (and %i)'],
    ['a group', "isn't"],
    ['in a browser', `shows \${what}`],
    ['is last'],
  ]);
});

test('groups are listed too, each with its line', () => {
  const titles = titlesIn('some.test.ts', source);
  expect(titles.filter(({ isGroup }) => isGroup).map(({ text }) => text)).toEqual(['a group', 'of %s', 'in a browser']);
  expect(titles.at(-1)).toMatchObject({ text: 'is last', line: 17 });
});

test('placeholders and joined titles do not hide a test', () => {
  const pattern = new RegExp(patternOf(['a group', 'of %s', 'adds $a (and %i)']));
  expect('a group > of numbers > adds 1 (and 2)').toMatch(pattern);
  expect('desktop some.spec.ts a group of numbers adds 1 (and 2)').toMatch(pattern);
  expect('a group > of numbers > adds 1').not.toMatch(pattern);
});

test('words match in any case and across groups, and numbers match whole', () => {
  expect(isInTitle('group PRE-1', ['a group', 'pre-1 shows'])).toBe(true);
  expect(isInTitle('PRE-1', ['PRE-12 shows'])).toBe(false);
  expect(isInTitle('how (much)?', ['how (much)?'])).toBe(true);
});
