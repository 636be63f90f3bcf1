import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canSubmit, fieldProblem, formProblems, isFilled, problemText } from './form-rules.ts';
import { byRank, type FormField, type FormValue, shownCountryCode } from './form-schema.ts';

const field = (over: Partial<FormField>): FormField => ({
  name: 'fullName',
  label: 'Full name',
  type: 'text',
  rank: 1,
  ...over,
});

const textOf = (over: Partial<FormField>, value: FormValue | undefined) => {
  const problem = fieldProblem(field(over), value);
  return problem && problemText(problem);
};

describe('ordinary fields', () => {
  test('an empty required field is named; a checkbox is exempt; an optional one may stay empty', () => {
    expect(textOf({ required: true }, '')).toBe('Full name is required');
    expect(textOf({ required: true }, '   ')).toBe('Full name is required');
    expect(textOf({ required: true }, undefined)).toBe('Full name is required');
    expect(textOf({ required: true, type: 'checkbox' }, false)).toBeNull();
    expect(textOf({ minLength: 3, pattern: '^a' }, '')).toBeNull();
  });

  test('lengths, with the limits themselves allowed', () => {
    expect(textOf({ minLength: 3 }, 'ab')).toBe('Full name must be at least 3 characters');
    expect(textOf({ minLength: 3 }, 'abc')).toBeNull();
    expect(textOf({ maxLength: 3 }, 'abcd')).toBe('Full name must be no more than 3 characters');
    expect(textOf({ maxLength: 3 }, 'abc')).toBeNull();
  });

  test('patterns', () => {
    expect(textOf({ pattern: '^[a-z]+$' }, 'ab1')).toBe('Invalid Full name');
    expect(textOf({ pattern: '^[a-z]+$' }, 'ab')).toBeNull();
  });

  test('SEC-23 a pattern with catastrophic backtracking is evaluated at once', () => {
    expect(textOf({ pattern: '^(([A-Za-z]+) ?)+$' }, `${'a'.repeat(1_999)}!`)).toBe('Invalid Full name');
    expect(textOf({ pattern: '^(([A-Za-z]+) ?)+$' }, 'Lova Rabe')).toBeNull();
  });

  test("the field's own message replaces ours, except for a missing value", () => {
    const own = { errorMessage: 'Names only', required: true, minLength: 2, maxLength: 4, pattern: '^[a-z]+$' };
    for (const value of ['a', 'abcde', 'a1']) expect(textOf(own, value)).toBe('Names only');
    expect(textOf(own, '')).toBe('Full name is required');
  });

  test('an invalid pattern in the content refuses nobody', () => {
    expect(textOf({ pattern: '(' }, 'anything')).toBeNull();
  });
});

describe.each([
  ['installationAddress', 'Please enter a valid address'],
  ['landmark', 'Please enter a valid landmark'],
])('%s', (name, sentence) => {
  const place = { name, label: 'Place', pattern: '^(?=.*[A-Za-z])[A-Za-z0-9 ,/-]+$', minLength: 3 };

  test('may be empty, even if it is required', () => {
    expect(textOf({ ...place, required: true }, '')).toBeNull();
  });

  test('must be long enough', () => {
    expect(textOf(place, 'ab')).toBe('Place must be at least 3 characters');
    expect(textOf({ ...place, errorMessage: 'Too vague' }, 'ab')).toBe('Too vague');
  });

  test('is valid when it matches its pattern', () => {
    expect(textOf(place, 'Lot II 12, Analakely')).toBeNull();
  });

  test.each(['12345', '---', '/ , -'])('%j is not an address, whatever the field’s own message', (value) => {
    expect(textOf({ ...place, errorMessage: 'Own words' }, value)).toBe(sentence);
  });

  test('any other failure gets the field’s message or the default one', () => {
    expect(textOf(place, 'Lot #12!')).toBe('Invalid Place');
    expect(textOf({ ...place, errorMessage: 'Own words' }, 'Lot #12!')).toBe('Own words');
  });
});

describe('a whole form', () => {
  const schema = {
    fields: [
      field({ required: true }),
      field({ name: 'landmark', label: 'Landmark' }),
      field({ name: 'installationAddress', label: 'Address', required: true }),
      field({ name: 'terms', label: 'Terms', type: 'checkbox', required: true }),
    ],
    actions: [],
  };
  const complete = { fullName: 'Rabe', installationAddress: 'Lot II 12', terms: true };

  test('may be sent only with every required field filled, the box ticked and no error', () => {
    expect(canSubmit(schema, complete)).toBe(true);
    expect(canSubmit(schema, { ...complete, terms: false })).toBe(false);
    expect(canSubmit(schema, { ...complete, fullName: '  ' })).toBe(false);
    expect(canSubmit(schema, { ...complete, installationAddress: '' })).toBe(false);
  });

  test('lists its problems by field', () => {
    expect(formProblems(schema, {})).toEqual({ fullName: { kind: 'required', label: 'Full name' } });
  });

  test('is never sendable with a problem in it', () => {
    const values = fc.record({
      fullName: fc.string(),
      landmark: fc.string(),
      installationAddress: fc.string(),
      terms: fc.boolean(),
    });
    fc.assert(
      fc.property(values, (some) => {
        if (canSubmit(schema, some)) expect(formProblems(schema, some)).toEqual({});
      }),
    );
  });
});

test('fields and actions are sorted by rank, without changing the given list', () => {
  const items = [{ rank: 2 }, { rank: 1 }];
  expect(byRank(items)).toEqual([{ rank: 1 }, { rank: 2 }]);
  expect(items[0]).toEqual({ rank: 2 });
});

test('a country code is shown with two plus signs', () => {
  expect(shownCountryCode({ countryCode: '261' })).toBe('++261');
  expect(shownCountryCode({})).toBeUndefined();
});

describe('what people type into a form', () => {
  test('must be an email address in an email field, unless the field has its own pattern', () => {
    expect(textOf({ type: 'email' }, 'nobody')).toBe('Invalid Full name');
    expect(textOf({ type: 'email' }, 'lova@example.mg')).toBeNull();
    expect(textOf({ type: 'email', pattern: '^n' }, 'nobody')).toBeNull();
    expect(textOf({ type: 'text' }, 'nobody')).toBeNull();
  });

  test('counts as empty if it is only spaces, and spaces do not count towards its length', () => {
    expect(textOf({ name: 'landmark', minLength: 3 }, '   ')).toBeNull();
    expect(textOf({ minLength: 3 }, ' ab ')).toBe('Full name must be at least 3 characters');
  });

  test('is limited in length before a pattern is tried, even if the field allows more', () => {
    expect(textOf({ pattern: '^a+$', maxLength: 5_000 }, 'a'.repeat(2_000))).toBeNull();
    expect(textOf({ pattern: '^a+$', maxLength: 5_000 }, 'a'.repeat(2_001))).toBe('Invalid Full name');
    expect(textOf({}, 'a'.repeat(2_001))).toBe('Full name must be no more than 2000 characters');
  });

  test.each([' 12345 ', ' -- '])('%j is not an address, even with spaces around it', (value) => {
    expect(textOf({ name: 'landmark', pattern: '^[A-Z]' }, value)).toBe('Please enter a valid landmark');
  });

  test.each(['12a', 'a12', '-a', 'a-'])('%j may be an address, though not one the field accepts', (value) => {
    expect(textOf({ name: 'landmark', label: 'Landmark', pattern: '^[A-Z]' }, value)).toBe('Invalid Landmark');
  });

  test('fills a required text field with text, not with a tick', () => {
    const required = field({ required: true });
    expect([undefined, '', '  ', 'a', true].map((value) => isFilled(required, value))).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
    expect(isFilled(field({}), undefined)).toBe(true);
  });
});
