import { expect, test } from 'vitest';
import { functionProblems } from './check-functions.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `  call(${index});`).join('\n');
const problemsOf = (source: string, path = 'server/src/a.ts') => functionProblems(new Map([[path, source]]));

test('a function of more than a hundred lines is refused with its location', () => {
  expect(problemsOf(`const before = 1;\nexport function long(): void {\n${lines(99)}\n}`)).toEqual([
    'server/src/a.ts:2 a function has 101 lines of its own, above 100',
  ]);
  expect(problemsOf(`export function fits(): void {\n${lines(98)}\n}`)).toEqual([]);
});

test('nested functions count separately, so a factory of a service may be long', () => {
  const inner = (name: string) => `  function ${name}(): void {\n${lines(60)}\n  }`;
  expect(
    problemsOf(`export function createAll() {\n${inner('one')}\n${inner('two')}\n  return { one, two };\n}`),
  ).toEqual([]);
  expect(problemsOf(`export const create = () => {\n${inner('one')}\n${lines(100)}\n};`)).toHaveLength(1);
});

test('the JSX of a component does not count', () => {
  const rows = Array.from({ length: 101 }, () => '    <p>row</p>').join('\n');
  expect(problemsOf(`export const Page = () => (\n  <>\n${rows}\n  </>\n);`, 'web/src/page.tsx')).toHaveLength(1);
});
