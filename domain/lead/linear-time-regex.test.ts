import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePattern } from './linear-time-regex.ts';

const matches = (pattern: string, text: string) => compilePattern(pattern)?.(text);

describe('what a pattern means', () => {
  test.each([
    ["^[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ'’ .-]*$", ['Lova Rabe', 'Éric', "d'Or", '1', 'a1', '']],
    ['^3[2-9][0-9]{7}$', ['390000001', '300000001', '39000000', '3900000011']],
    ['^(?=.*[A-Za-z])[A-Za-z0-9 ,/-]+$', ['Lot II 12', '12345', '- , /', 'Lot #', '']],
    ['^(?!.*--)[a-z-]+$', ['a-b', 'a--b', '-']],
    ['\\bMG\\b', ['MG', 'xMG', 'a MG b', 'MG_']],
    ['a{2,3}b?c{2}|^$', ['aacc', 'acc', 'aaabcc', '', 'b']],
    ['^\\d{2}\\/\\d{2}\\x2f\\u0032$', ['01/02/2', '01/02/3']],
    ['^[^\\d\\s]+$', ['abc', 'a c', '1']],
    ['^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$', ['a.b@c.mg', 'a@b', '@c.mg']],
    ['^[]$|^[^]$', ['', 'a']],
    ['a{,2}}]', ['a{,2}}]', 'aa}]']],
    ['^.$', ['a', '\n', '😀']],
    ['^(?<year>\\d+?)-(?:a|b|)$', ['1-', '12-a', '-a', '1-c']],
  ])('%s, as the browser’s own engine has it', (pattern, texts) => {
    for (const text of texts) expect(matches(pattern, text), text).toBe(new RegExp(pattern).test(text));
  });

  const leaf = fc.constantFrom('a', 'b', 'ab', '.', '[ab]', '[^a]', '\\w', '\\b', '^', '$', '(?=a)', '(?!b)', '');
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
      fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(${one}|${other})`),
      fc
        .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,2}', '*?'))
        .map(([one, count]) => `(${one})${count}`),
      tie('pattern').map((one) => `(?=${one})`),
      tie('pattern').map((one) => `(?!${one})`),
    ),
  }));

  test('any pattern over any short text, as the browser’s own engine has it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 5 });
    fc.assert(
      fc.property(pattern, text, (given, tried) => {
        const own = compilePattern(given);
        if (own) expect(own(tried), `${given} over "${tried}"`).toBe(new RegExp(given).test(tried));
      }),
      { numRuns: 3_000 },
    );
  });
});

test.each([
  '(',
  ')',
  'a**',
  '*a',
  '[b-a]',
  '[a',
  'a{3,2}',
  '\\',
  '(a)\\1',
  '(?<=a)b',
  '(?<!a)b',
  '\\k<a>',
  '(?i:a)',
  '\\p{L}',
])('%s cannot be used', (pattern) => {
  expect(compilePattern(pattern)).toBeNull();
});

describe('SEC-23 the cost of a pattern is its size times the length of the text', () => {
  test('one that took a backtracking engine 14 seconds for 27 letters', () => {
    expect(matches('^(([A-Za-z]+) ?)+$', `${'a'.repeat(27)}!`)).toBe(false);
    expect(matches('^(([A-Za-z]+) ?)+$', 'Lova Rabe')).toBe(true);
  });

  /** Patterns on which backtracking engines take years, for a text that almost matches. */
  const slow = [
    '(a+)+',
    '(a|a)*',
    '(a|aa)+',
    '(a*)*',
    '([a-z]+)*',
    '(.*a){12}',
    '(a?){30}a{30}',
    '((a+)+)+',
    'a*a*a*a*a*b',
  ];

  test('each letter is read once for the whole pattern', () => {
    const looksFor = (pattern: string, letters: number) => {
      let looked = 0;
      const text = `${'a'.repeat(letters)}!`;
      // Counts reads of the text instead of measuring time.
      const counted = new Proxy(Object(text), {
        get(target, name) {
          if (name !== 'charCodeAt') return name === 'length' ? target.length : Reflect.get(target, name);
          return (at: number) => {
            looked += 1;
            return text.charCodeAt(at);
          };
        },
      }) as string;
      expect(compilePattern(pattern)?.(counted)).toBe(false);
      return looked;
    };
    for (const pattern of slow) expect(looksFor(`^${pattern}$`, 2_000), pattern).toBe(2_002);
  });

  test.each(slow)('%s over 2,000 letters', (pattern) => {
    for (const whole of [`^${pattern}$`, `^(?=${pattern}$)${pattern}$`, `(?!${pattern}b)${pattern}!!`])
      expect(matches(whole, `${'a'.repeat(2_000)}!`)).toBe(false);
  });

  test('one that would grow too large is refused', () => {
    for (const pattern of [
      '(((a{99}){99}){99}){99}',
      '(((((){99}){99}){99}){99}){99}',
      '((?=(?=a{99}){1}a){9}){9}',
      'a{9999999}',
      'a'.repeat(301),
    ])
      expect(compilePattern(pattern)).toBeNull();
  });
});
