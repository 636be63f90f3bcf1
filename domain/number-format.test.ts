import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { toMajorString } from './money.ts';
import { knowMarks, numberMarks, writeNumber } from './number-format.ts';

const locales = ['en-GB', 'fr-FR', 'en-NG', 'mg-MG', 'de-CH', 'sw-KE', 'ar-EG', 'en-IN', 'es-ES', 'pt-PT'];

test('numbers are formatted by the locale, also if it groups by two or has other digits', () => {
  const amounts = fc.tuple(fc.constantFrom(...locales), fc.maxSafeInteger(), fc.integer({ min: 0, max: 3 }));
  fc.assert(
    fc.property(amounts, ([locale, amount, digits]) => {
      const decimal = toMajorString(amount, digits);
      const format = new Intl.NumberFormat(locale, {
        useGrouping: 'always',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
      expect(writeNumber(decimal, locale)).toBe(format.format(decimal as Intl.StringNumericLiteral));
    }),
  );
});

test('separators from the page are used, and a locale with other grouping sends none', () => {
  knowMarks('xx-TEST', ['_', ';']);
  expect(writeNumber('-1234567.05', 'xx-TEST')).toBe('-1_234_567;05');
  expect(numberMarks('en-IN')).toBeNull();
  expect(numberMarks('fr-FR')).toEqual(['\u202f', ',']);
});

describe('first use', () => {
  // Results are cached in the module, so import a fresh one.
  const unasked = async () => {
    vi.resetModules();
    return import('./number-format.ts');
  };

  test('a locale returns its own separators', async () => {
    const fresh = await unasked();
    expect(fresh.numberMarks('en-AU')).toEqual([',', '.']);
    expect(fresh.numberMarks('es-ES')).toEqual(['.', ',']);
    expect(fresh.numberMarks('hi-IN')).toBeNull();
    expect(fresh.numberMarks('ar-EG')).toBeNull();
    expect(fresh.writeNumber('-1234567.25', 'es-ES')).toBe('-1.234.567,25');
  });

  test('a locale is cached, and a format is created once', async () => {
    const fresh = await unasked();
    expect(fresh.numberMarks('de-DE')).toBe(fresh.numberMarks('de-DE'));
    const options = { useGrouping: 'always' } as const;
    expect(fresh.numberFormat('en-GB', options)).toBe(fresh.numberFormat('en-GB', { ...options }));
    expect(fresh.numberFormat('en-GB', options)).not.toBe(fresh.numberFormat('fr-FR', options));
  });
});
