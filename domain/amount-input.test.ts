import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountProblem, readAmount } from './amount-input.ts';

test.each([
  ['5000', 5000],
  ['5 000', 5000],
  ['5\u202f000', 5000],
  ['007', 7],
  ['0', 0],
  ['1000000000000', 1e12],
  ['9007199254740992', Number.MAX_SAFE_INTEGER],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ['2,000', 2000],
  ['2.000', 2000],
  ['2\u00a0000', 2000],
  ['12,345,678', 12345678],
  [' 1.250.000 ', 1250000],
  ['12.5', null],
  ['12.50', null],
  ['45,250.40', null],
  ['1.250,000', null],
  ['2,000.00', 2000],
  ['2.000,00', 2000],
  ['2\u202f000,00', 2000],
  ['45250.00', 45250],
  ['2,00', 2],
  ['2,000,00', null],
  ['2.000.00', null],
  ['2000.0', null],
  ['.00', null],
  ['1e4', null],
  ['\uff12\uff10\uff10\uff10', null],
  ['\u0662\u0660\u0660\u0660', null],
  ['2,0000', null],
  ['1234,567', null],
  ['0.500', null],
  ['00,500', null],
  [',500', null],
  ['2,000,', null],
  ['12,5', null],
  ['-5', null],
  ['1e3', null],
  ['', null],
  [' ', null],
  ['5000 Ar', null],
])('%j reads as %j', (text, expected) => {
  expect(readAmount(text)).toBe(expected);
});

test('any text gives a safe whole amount or nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{1,30}$/)), (text) => {
      const amount = readAmount(text);
      expect(amount === null || (Number.isSafeInteger(amount) && amount >= 0)).toBe(true);
    }),
  );
});

test('an amount is refused below the minimum and above the maximum, and the limits themselves pass', () => {
  const limits = { min: 500, max: 100_000 };
  expect(amountProblem(499, limits)).toEqual({ kind: 'below', min: 500 });
  expect(amountProblem(500, limits)).toBeNull();
  expect(amountProblem(100_000, limits)).toBeNull();
  expect(amountProblem(100_001, limits)).toEqual({ kind: 'above', max: 100_000 });
});
