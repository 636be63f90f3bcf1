import { expect, test } from 'vitest';
import { brandProblems } from './check-brand.ts';

const brand = { name: 'Acme Tel', slug: 'acme' };
const problemsOf = (source: string, path = 'web/src/ui/button.tsx') => brandProblems(new Map([[path, source]]), brand);

test.each(['Acme Tel', 'ACME_MONEY', "code: 'MGA'", "'+261'", 'prefix 261.', "'261'"])(
  'refuses %s and says where',
  (text) => {
    expect(problemsOf(`one\n${text}`)).toEqual([expect.stringMatching(/^web\/src\/ui\/button\.tsx:2 spells/)]);
  },
);

test.each(['0.261', '2610', '261px', 'a261', 'IMGAGE', '261.5'])('lets %s pass', (text) => {
  expect(problemsOf(text)).toEqual([]);
});

test('tests may spell it', () => {
  expect(problemsOf("'MGA'", 'domain/money.test.ts')).toEqual([]);
});
