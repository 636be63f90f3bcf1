import { describe, expect, test } from 'vitest';
import { readFormSchema, schemaProblems } from './schema-check.ts';

const field = { name: 'fullName', label: 'Full name', type: 'text', rank: 1 };
const action = { type: 'submit', label: 'Send', rank: 1 };
const withField = (over: object) => ({ fields: [{ ...field, ...over }], actions: [action] });

test('a whole schema has no problem and is given back', () => {
  expect(schemaProblems(withField({}))).toEqual([]);
  expect(readFormSchema(withField({}))).toEqual(withField({}));
  expect(readFormSchema(withField({ name: 'town', type: 'select' }))).not.toBeNull();
});

describe('FRM-1 what an editor got wrong is said in words', () => {
  test.each([
    ['an unknown type', { type: 'colour' }, 'unknown type'],
    ['a pattern that grows beyond measure', { pattern: '^(a{999}){999}$' }, 'pattern'],
    ['a pattern that is none', { pattern: '(' }, 'pattern'],
    ['no options', { type: 'select' }, 'no options'],
    ['an option without a value', { type: 'select', options: [{ label: 'x' }] }, 'without a value'],
    ['no label', { label: '' }, 'label'],
    ['a length that is none', { minLength: -1 }, 'length'],
  ])('%s', (_what, over, words) => {
    const problems = schemaProblems(withField(over));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(words);
    expect(readFormSchema(withField(over))).toBeNull();
  });

  test('two fields of one rank, and a field named twice', () => {
    const twice = { fields: [field, field], actions: [action, action] };
    expect(schemaProblems(twice)).toEqual([
      'Two fields are named fullName.',
      'Two fields have the rank 1.',
      'Two actions have the rank 1.',
    ]);
  });

  test.each([null, 'x', [], {}, { fields: [] }, { fields: [null], actions: [7] }])('%j is no schema', (given) => {
    expect(schemaProblems(given).length).toBeGreaterThan(0);
  });
});

test('SEC-23 a pattern that other engines hang on is a pattern here; one that refers back is not', () => {
  for (const pattern of ['^(([A-Za-z]+) ?)+$', '^(a|a)*$', '^(?=.*[A-Za-z])[A-Za-z0-9 ,/-]+$'])
    expect(schemaProblems(withField({ pattern })), pattern).toEqual([]);
  expect(schemaProblems(withField({ pattern: '^(a)\\1$' }))).toHaveLength(1);
});
