import { expect, test } from 'vitest';
import { amountDigits } from './amount-digits.ts';

test.each([
  ['5000', '5000'],
  ['5 000', '5000'],
  ['XTS 5\u00a0000', '5000'],
  ['5,000', '5000'],
  ['5.000', '5000'],
  ['45,250.40', '45250'],
  ['45 250,4 ', '45250'],
  ['500.', '500'],
  ['-5', '5'],
  ['', ''],
  ['abc', ''],
])('the whole text %j is %j', (text, digits) => {
  expect(amountDigits(text, true)).toBe(digits);
});

test('a point typed among the digits takes none of them away', () => {
  expect(amountDigits('50.00', false)).toBe('5000');
});
