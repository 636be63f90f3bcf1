import type { OperatorPack } from '@portal/domain/operator.ts';
import { describe, expect, test } from 'vitest';
import { packProblems } from './check-pack.ts';
import { loadPack } from './load-pack.ts';
import { knownPacks } from './pack-folder.ts';

const dual = await loadPack('cd');

/** The pack with one key changed or removed. */
function changed(path: string, value: unknown): unknown {
  const copy = structuredClone(dual) as unknown as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const owner = keys.reduce<Record<string, unknown>>((inner, key) => inner[key] as Record<string, unknown>, copy);
  if (value === undefined) delete owner[last];
  else owner[last] = value;
  return copy;
}

const leaves = (value: unknown, path = ''): string[] =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? [path]
    : Object.entries(value).flatMap(([key, inner]) => leaves(inner, path ? `${path}.${key}` : key));

test.each(knownPacks(null))('D9 %s can run', async (code) => {
  expect(packProblems(code, await loadPack(code))).toEqual([]);
});

describe('D9 a pack with a missing key is refused with the key and the file', () => {
  const keys = leaves({ ...dual, catalogue: [], methods: [], languages: [] }).filter(
    (path) => !path.startsWith('brand.tokens.') && path !== 'brand.mark',
  );

  test.each(keys)('%s', (path) => {
    expect(packProblems('cd', changed(path, undefined)).join()).toContain(
      `operators/cd/pack.ts misses "${path}", which must be`,
    );
  });

  test('these are all the keys of the type', () => {
    expect(keys.length).toBeGreaterThan(45);
  });
});

describe('D9 invalid values are refused in words', () => {
  test.each<[string, unknown, string]>([
    ['currency.digits', '2', '"currency.digits" in operators/cd/pack.ts must be a whole number up to 4, not "2"'],
    ['numbering.mobilePattern', '[', '"numbering.mobilePattern" in operators/cd/pack.ts must be a regular expression'],
    ['timeZone', 'Mars', 'must be a time zone such as Africa/Lagos'],
    ['code', 'xx', '"code" is "xx" in the folder "cd"'],
    ['defaultLocale', 'en-GB', '"defaultLocale" en-GB is the locale of no language'],
    ['numbering.groups', [2, 2], '"numbering.groups" do not add up to "numbering.nationalLength"'],
    ['numbering.ownPrefixes', ['39'], '"numbering.ownPrefixes" are no mobile numbers'],
    ['amountChips', [1], '"amountChips" lie outside "limits.prepaid"'],
    ['brand.slug', 'other', 'the wallet\'s "route" must be other-money'],
    ['catalogue', [dual.catalogue[0], dual.catalogue[0]], 'two bundles have the same "productCode"'],
    ['features.dualCurrency', false, '"secondCurrency" needs "features.dualCurrency"'],
    ['secondCurrency', undefined, '"features.dualCurrency" needs "secondCurrency"'],
    ['currency.digits', 0, 'with two currencies "currency.digits" must be 2'],
    [
      'methods',
      [{ ...dual.methods[0], type: 'CASH' }],
      '"methods.0.type" in operators/cd/pack.ts must be one of PG, AM',
    ],
    [
      'catalogue',
      [{ ...dual.catalogue[0], amount: 0.5 }],
      '"catalogue.0.amount" in operators/cd/pack.ts must be a whole',
    ],
    ['budgets', { codeNumberSoon: { most: 0, seconds: 60 } }, '"budgets.codeNumberSoon.most" in operators/cd/pack.ts'],
    ['budgets', { codesForFree: { most: 1, seconds: 60 } }, 'must be known budgets, not {"codesForFree"'],
    ['risk', { nobody: {} }, '"risk" in operators/cd/pack.ts must be rules as in domain/risk.ts'],
    ['languages', [{ ...dual.languages[0], months: ['Yanwali'] }], 'twelve months where it names any'],
    ['languages', [{ ...dual.languages[0], prefix: '/sw' }], 'exactly one language has an empty "prefix"'],
    [
      'languages',
      [...dual.languages, { code: 'LN', locale: 'ln-CD', prefix: '/ln', name: 'Lingála', formats: 'fr-FR' }],
      'has no words in one of the languages',
    ],
  ])('%s as %j', (path, value, words) => {
    expect(packProblems('cd', changed(path, value)).join('; ')).toContain(words);
  });

  test('a language without texts and a file without a pack are refused', () => {
    const swahili: OperatorPack = {
      ...dual,
      catalogue: [],
      languages: [{ code: 'SW', locale: 'fr-CD', prefix: '', name: 'Kiswahili', formats: 'sw' }],
    };
    expect(packProblems('cd', swahili).join('; ')).toMatch(
      /operators\/texts\/sw\/translation\.json misses "common\.\w+" and \d+ more.*operators\/cd\/content\/sw\/header\.json is missing/,
    );
    expect(packProblems('cd', undefined)).toEqual(['operators/cd/pack.ts exports no "pack"']);
  });
});
