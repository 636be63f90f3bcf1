import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addMoney,
  digitsOf,
  formatMoney,
  minorDigits,
  money,
  parseMajor,
  roundUpToMajor,
  toMajorString,
} from './money.ts';

const digitCounts = fc.integer({ min: 0, max: 3 });
const amounts = fc.integer({ min: -1e12, max: 1e12 });

describe('money', () => {
  test('holds safe, non-negative integers with a currency only', () => {
    expect(money(5000, 'MGA')).toEqual({ amount: 5000, currency: 'MGA' });
    expect(() => money(12.5, 'MGA')).toThrow(RangeError);
    expect(() => money(2 ** 53, 'MGA')).toThrow(RangeError);
    expect(() => money(Number.NaN, 'MGA')).toThrow(RangeError);
    expect(() => money(-1, 'MGA')).toThrow(RangeError);
    expect(() => money(1, 'mga')).toThrow(RangeError);
    expect(money(-1, 'MGA', { allowNegative: true }).amount).toBe(-1);
  });

  test('adds one currency to itself and refuses another', () => {
    expect(addMoney(money(1, 'USD'), money(2, 'USD'))).toEqual(money(3, 'USD'));
    expect(() => addMoney(money(1, 'USD'), money(2, 'CDF'))).toThrow('cannot add CDF to USD');
  });

  test('the operator decides how many minor digits its currency has', () => {
    expect(minorDigits('USD')).toBe(2);
    expect(minorDigits('JPY')).toBe(0);
    expect(minorDigits('USD', 0)).toBe(0);
  });
});

describe('decimal text', () => {
  test.each([
    ['45250.40', 2, 4525040],
    ['45250.4', 2, 4525040],
    ['5000', 0, 5000],
    ['5000.00', 0, 5000],
    ['0.29', 2, 29],
    ['-3.05', 2, -305],
    [' 7 ', 0, 7],
    ['-0', 0, 0],
  ])('%s with %i digits is %i', (text, digits, expected) => {
    expect(parseMajor(text, digits)).toBe(expected);
  });

  test.each(['', '.', '1.', '.5', '1,5', '1e3', '0x10', '1 000', 'NaN', '12.345', '99999999999999999'])(
    'refuses %j',
    (text) => {
      expect(parseMajor(text, 2)).toBeNull();
    },
  );

  test('reading what was written gives the same amount', () => {
    fc.assert(
      fc.property(amounts, digitCounts, (amount, digits) => {
        expect(parseMajor(toMajorString(amount, digits), digits)).toBe(amount);
      }),
    );
  });
});

describe('shown money', () => {
  const spaced = (text: string) => text.replace(/\s/g, ' ');

  test('is code, space, grouped amount', () => {
    expect(spaced(formatMoney(money(5000, 'MGA'), 'fr-FR', 0))).toBe('MGA 5 000');
    expect(formatMoney(money(5000, 'MGA'), 'en-GB', 0)).toBe('MGA 5,000');
    expect(formatMoney(money(1234567, 'USD'), 'en-US', 2)).toBe('USD 12,345.67');
    expect(formatMoney(money(1200, 'USD'), 'en-US', 2)).toBe('USD 12');
  });

  test('shows every digit of the largest amounts', () => {
    expect(formatMoney(money(Number.MAX_SAFE_INTEGER, 'USD'), 'en-US', 2)).toBe('USD 90,071,992,547,409.91');
  });
});

describe('rounding up', () => {
  test('a fractional outstanding amount rounds up to the next whole unit and says so', () => {
    expect(roundUpToMajor(4525040, 2)).toEqual({ amount: 45251, rounded: true });
    expect(roundUpToMajor(1200000, 2)).toEqual({ amount: 12000, rounded: false });
    expect(roundUpToMajor(45250, 0)).toEqual({ amount: 45250, rounded: false });
    expect(roundUpToMajor(-50, 2)).toEqual({ amount: 0, rounded: true });
  });

  test('never asks for less than is owed, nor for a whole unit more', () => {
    fc.assert(
      fc.property(amounts, digitCounts, (minor, digits) => {
        const { amount } = roundUpToMajor(minor, digits);
        const excess = amount * 10 ** digits - minor;
        expect(excess).toBeGreaterThanOrEqual(0);
        expect(excess).toBeLessThan(10 ** digits);
      }),
    );
  });
});

describe('invalid money', () => {
  test('is refused with the given value in the error', () => {
    expect(() => money(12.5, 'MGA')).toThrow('an amount must be a safe integer, not 12.5');
    expect(() => money(-1, 'MGA')).toThrow('an amount must not be negative: -1');
    expect(() => money(1, 'mga')).toThrow('not a currency code: mga');
    expect(() => toMajorString(0.5, 2)).toThrow('an amount must be a safe integer, not 0.5');
    expect(() => roundUpToMajor(0.5, 2)).toThrow('an amount must be a safe integer, not 0.5');
  });

  test.each(['MGAX', 'XMGA', 'MG', ''])('%j is not a currency', (code) => {
    expect(() => money(1, code)).toThrow(RangeError);
  });

  test('zero is valid, and is written without a sign', () => {
    expect(money(0, 'MGA')).toEqual({ amount: 0, currency: 'MGA' });
    expect(toMajorString(0, 2)).toBe('0.00');
    expect(toMajorString(-5, 2)).toBe('-0.05');
  });

  test('a difference may be negative', () => {
    const owed = money(-5, 'USD', { allowNegative: true });
    expect(addMoney(money(2, 'USD'), owed)).toEqual({ amount: -3, currency: 'USD' });
  });
});

test('an operator with one currency has the digits of that one', () => {
  const currency = { code: 'MGA', digits: 0 };
  expect(digitsOf({ currency }, 'MGA')).toBe(0);
  expect(minorDigits('KWD')).toBe(3);
});
