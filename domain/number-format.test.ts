import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { toMajorString } from './money.ts';
import { knowMarks, numberMarks, writeNumber } from './number-format.ts';

const locales = ['en-GB', 'fr-FR', 'en-NG', 'mg-MG', 'de-CH', 'sw-KE', 'ar-EG', 'en-IN', 'es-ES', 'pt-PT'];

test('numbers are written as the locale writes them, also where it groups by two or has other digits', () => {
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

test('what the page brings is believed, and where a locale groups otherwise nothing is brought', () => {
  knowMarks('xx-TEST', ['_', ';']);
  expect(writeNumber('-1234567.05', 'xx-TEST')).toBe('-1_234_567;05');
  expect(numberMarks('en-IN')).toBeNull();
  expect(numberMarks('fr-FR')).toEqual(['\u202f', ',']);
});

describe('asked for the first time', () => {
  // What was asked before is remembered, so this is a module that nobody has asked yet.
  const unasked = async () => {
    vi.resetModules();
    return import('./number-format.ts');
  };

  test('a locale gives the marks that it writes itself', async () => {
    const fresh = await unasked();
    expect(fresh.numberMarks('en-AU')).toEqual([',', '.']);
    expect(fresh.numberMarks('es-ES')).toEqual(['.', ',']);
    expect(fresh.numberMarks('hi-IN')).toBeNull();
    expect(fresh.numberMarks('ar-EG')).toBeNull();
    expect(fresh.writeNumber('-1234567.25', 'es-ES')).toBe('-1.234.567,25');
  });

  test('a locale is remembered, and a format is made once', async () => {
    const fresh = await unasked();
    expect(fresh.numberMarks('de-DE')).toBe(fresh.numberMarks('de-DE'));
    const options = { useGrouping: 'always' } as const;
    expect(fresh.numberFormat('en-GB', options)).toBe(fresh.numberFormat('en-GB', { ...options }));
    expect(fresh.numberFormat('en-GB', options)).not.toBe(fresh.numberFormat('fr-FR', options));
  });
});
