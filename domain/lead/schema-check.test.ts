import { describe, expect, test } from 'vitest';
import { readFormSchema, schemaProblems } from './schema-check.ts';

const field = { name: 'fullName', label: 'Full name', type: 'text', rank: 1 };
const action = { type: 'submit', label: 'Send', rank: 1 };
const withField = (over: object) => ({ fields: [{ ...field, ...over }], actions: [action] });

test('a valid schema has no problem and is returned', () => {
  expect(schemaProblems(withField({}))).toEqual([]);
  expect(readFormSchema(withField({}))).toEqual(withField({}));
  expect(readFormSchema(withField({ name: 'town', type: 'select' }))).not.toBeNull();
});

describe('FRM-1 an editor’s mistake is explained', () => {
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

  test('two fields of one rank, and a duplicate name', () => {
    const twice = { fields: [field, field], actions: [action, action] };
    expect(schemaProblems(twice)).toEqual([
      'Two fields are named fullName.',
      'Two fields have the rank 1.',
      'Two actions have the rank 1.',
    ]);
  });

  test.each([null, 'x', [], {}, { fields: [] }, { fields: [null], actions: [7] }])('%j is not a schema', (given) => {
    expect(schemaProblems(given).length).toBeGreaterThan(0);
  });
});

test('SEC-23 a pattern with catastrophic backtracking is accepted; one with a backreference is not', () => {
  for (const pattern of ['^(([A-Za-z]+) ?)+$', '^(a|a)*$', '^(?=.*[A-Za-z])[A-Za-z0-9 ,/-]+$'])
    expect(schemaProblems(withField({ pattern })), pattern).toEqual([]);
  expect(schemaProblems(withField({ pattern: '^(a)\\1$' }))).toHaveLength(1);
});

describe('FRM-1 each part of a field and of an action is checked', () => {
  const problems = (over: object) => schemaProblems(withField(over));
  const second = { ...field, name: 'town', rank: 2 };

  test.each([
    [{ name: undefined }, 'The field 1 needs a name.'],
    [{ name: 7 }, 'The field 1 needs a name.'],
    [{ name: '' }, 'The field 1 needs a name.'],
    [{ name: '1st' }, 'The field 1 needs a name.'],
    [{ name: 'full name' }, 'The field 1 needs a name.'],
    [{ name: `a${'b'.repeat(40)}` }, 'The field 1 needs a name.'],
    [{ label: 7 }, 'The field 1 needs a label.'],
    [{ rank: '1' }, 'The field 1 needs a rank.'],
    [{ type: undefined }, 'The field 1 is of the unknown type "undefined".'],
    [{ type: 'select', options: [{ value: 'a' }, {}] }, 'The field 1 has options without a value.'],
    [{ type: 'select', options: [{ value: '' }] }, 'The field 1 has options without a value.'],
    [{ type: 'select', options: [{ value: 7 }] }, 'The field 1 has options without a value.'],
    [{ type: 'select', options: ['a'] }, 'The field 1 has options without a value.'],
    [{ type: 'select', options: { value: 'a' } }, 'The field 1 has options without a value.'],
    [{ pattern: 7 }, 'The pattern of the field 1 cannot be used.'],
    [{ maxLength: 1.5 }, 'A length of the field 1 is no number.'],
    [{ maxLength: '5' }, 'A length of the field 1 is no number.'],
  ])('%j', (over, sentence) => {
    expect(problems(over)).toEqual([sentence]);
  });

  test.each([
    [{ name: `a${'b'.repeat(39)}` }],
    [{ type: 'select', options: [{ value: 'a' }, { value: 'b', label: 'B' }] }],
    [{ options: 'unused where nothing is chosen' }],
    [{ minLength: 0, maxLength: 20 }],
    [{ pattern: '^[a-z]+$' }],
  ])('%j is valid', (over) => {
    expect(problems(over)).toEqual([]);
  });

  test.each([[{ type: 7 }], [{ label: 7 }], [{ label: '' }], [{ rank: '1' }], [{ type: undefined }]])(
    'an action is whole: %j is not',
    (over) => {
      const given = { fields: [field], actions: [{ ...action, ...over }] };
      expect(schemaProblems(given)).toEqual(['The action 1 needs a type, a label and a rank.']);
    },
  );

  test('an invalid field or action is named by its position, from one', () => {
    expect(schemaProblems({ fields: [field, null, second, []], actions: [action, 'x'] })).toEqual([
      'The field 2 is no field.',
      'The field 4 is no field.',
      'The action 2 is no action.',
    ]);
    expect(schemaProblems(7)).toEqual(['A form schema has a list of fields and a list of actions.']);
  });

  test('two missing values are not duplicates', () => {
    const nameless = { ...field, name: undefined, rank: undefined };
    expect(schemaProblems({ fields: [nameless, nameless], actions: [] })).toEqual([
      'The field 1 needs a name.',
      'The field 1 needs a rank.',
      'The field 2 needs a name.',
      'The field 2 needs a rank.',
    ]);
  });
});
