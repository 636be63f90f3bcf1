import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toMajorString } from './money.ts';
import { knowMarks, numberFormat, numberMarks, writeNumber } from './number-format.ts';

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

test('a format is made once and used again, a locale is asked once', () => {
  const options = { useGrouping: 'always' } as const;
  expect(numberFormat('en-GB', options)).toBe(numberFormat('en-GB', { ...options }));
  expect(numberFormat('en-GB', options)).not.toBe(numberFormat('fr-FR', options));
  expect(numberMarks('de-DE')).toBe(numberMarks('de-DE'));
});

test('marks are what the locale itself writes', () => {
  expect(numberMarks('en-AU')).toEqual([',', '.']);
  expect(numberMarks('de-AT')).toEqual(['\u00a0', ',']);
  expect(numberMarks('hi-IN')).toBeNull();
  expect(numberMarks('ar-SA')).toBeNull();
});
