import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  acceptedLanguages,
  defaultLanguage,
  languageByCode,
  languageOfPath,
  preferredLanguage,
  withPrefix,
} from './language.ts';

const english = { code: 'EN', locale: 'en-GB', prefix: '' };
const french = { code: 'FR', locale: 'fr-FR', prefix: '/sw' };
const malagasy = { code: 'MG', locale: 'mg-MG', prefix: '/mg' };
const languages = [english, french, malagasy];

describe('language of a URL', () => {
  test.each([
    ['/prepaid-recharge', english, '/prepaid-recharge', false],
    ['/sw/prepaid-recharge', french, '/prepaid-recharge', true],
    ['/mg', malagasy, '/', true],
    ['/sw/', french, '/', true],
    ['/sw?id=1', french, '/?id=1', true],
    ['/swim', english, '/swim', false],
    ['/', english, '/', false],
    ['', english, '/', false],
  ])('%s', (path, language, rest, isPrefixed) => {
    expect(languageOfPath(path, languages)).toEqual({ language, path: rest, isPrefixed });
  });

  test('adding and removing the prefix gives the same path', () => {
    const paths = fc.array(fc.stringMatching(/^[a-z-]{3,12}$/), { maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
    fc.assert(
      fc.property(
        paths,
        fc.constantFrom('', '?id=1', '#top'),
        fc.constantFrom(...languages),
        (path, tail, language) => {
          const read = languageOfPath(withPrefix(path + tail, language), languages);
          expect(read.language).toBe(language);
          expect(read.path).toBe(path + tail);
        },
      ),
    );
  });

  test('content pages are named with the same prefix', () => {
    expect(withPrefix('/footer', english)).toBe('/footer');
    expect(withPrefix('/footer', french)).toBe('/sw/footer');
    expect(withPrefix('/', french)).toBe('/sw');
  });
});

describe('language of a reader', () => {
  test('the first supported language, else English', () => {
    expect(preferredLanguage(['de-DE', 'fr-CA', 'en'], languages)).toBe(french);
    expect(preferredLanguage(['mg'], languages)).toBe(malagasy);
    expect(preferredLanguage(['de', '*'], languages)).toBe(english);
    expect(preferredLanguage([], languages)).toBe(english);
  });

  test('reads the Accept-Language header by preference', () => {
    expect(acceptedLanguages('de;q=0.3, fr-FR;q=0.9, mg, en;q=0')).toEqual(['mg', 'fr-FR', 'de']);
    expect(acceptedLanguages('')).toEqual([]);
    expect(acceptedLanguages('fr;q=nonsense,,;')).toEqual([]);
  });

  test('finds a stored code in any case', () => {
    expect(languageByCode('fr', languages)).toBe(french);
    expect(languageByCode('XX', languages)).toBeUndefined();
  });
});

describe('an operator’s own language', () => {
  test('is the one without a prefix wherever it stands, else the first', () => {
    expect(defaultLanguage([french, english])).toBe(english);
    expect(defaultLanguage([french, malagasy])).toBe(french);
    expect(() => defaultLanguage([])).toThrow('an operator needs at least one language');
  });

  test('has paths without a prefix, including the empty one', () => {
    expect(withPrefix('', english)).toBe('/');
    expect(withPrefix('', french)).toBe('/sw');
    expect(withPrefix('/help/?q=1', french)).toBe('/sw/help/?q=1');
    expect(withPrefix('/?q=1', french)).toBe('/sw?q=1');
  });
});

test('a tag is understood in any case and with spaces around it', () => {
  expect(preferredLanguage([' FR-ca '], languages)).toBe(french);
  expect(preferredLanguage(['MG_mg'], languages)).toBe(malagasy);
});

test('a header is parsed up to its twentieth language, and parameters other than q are ignored', () => {
  const header = Array.from({ length: 21 }, (_, index) => `x${index}`).join(',');
  expect(acceptedLanguages(header)).toHaveLength(20);
  expect(acceptedLanguages('de;v=2;q=0.1, fr;q=0.5')).toEqual(['fr', 'de']);
});
