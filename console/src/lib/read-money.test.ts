import { expect, test } from 'vitest';
import { readMoney, readSums } from './read-money.ts';

test.each([
  ['1250', 0, 1250],
  ['1 250', 0, 1250],
  ['1\u202f250', 0, 1250],
  ['1.250', 0, 1250],
  ['1,250,000', 0, 1_250_000],
  ['12.50', 2, 1250],
  ['12,5', 2, 1250],
  ['1,250.50', 2, 125_050],
  ['1.250,50', 2, 125_050],
  ['1 250,50', 2, 125_050],
  ['1.250.000', 2, 125_000_000],
  ['12', 2, 1200],
] as const)('"%s" in a currency with %i digits is %i of its smallest unit', (text, digits, amount) => {
  expect(readMoney(text, digits)).toEqual({ amount });
});

test.each([
  ['12.50', 0, 'noCents'],
  ['1.250,50', 0, 'noCents'],
  ['1.250', 2, 'unclearAmount'],
  ['1,250', 2, 'unclearAmount'],
  ['12.3456', 2, 'tooManyCents'],
  ['1.25.000', 0, 'noAmount'],
  ['1,250,50', 2, 'noAmount'],
  ['-5', 0, 'noAmount'],
  ['1e3', 0, 'noAmount'],
  ['0', 0, 'noAmount'],
  ['', 0, 'noAmount'],
  ['twelve', 2, 'noAmount'],
] as const)('"%s" in a currency with %i digits is not guessed: %s', (text, digits, problem) => {
  expect(readMoney(text, digits)).toEqual({ problem });
});

test.each([
  ['5 000', [5_000, 500_000]],
  ['12.50', [null, 1_250]],
  ['1.250', [1_250, null]],
] as const)('"%s" is accepted in any currency that can represent it', (text, [ariary, euro]) => {
  const sums = [
    ...(ariary ? [{ amount: ariary, currency: 'MGA' }] : []),
    ...(euro ? [{ amount: euro, currency: 'EUR' }] : []),
  ];
  expect(readSums(text, { MGA: 0, EUR: 2 })).toEqual({ sums });
});

test('an amount that no currency can represent is refused with the reason of the first', () => {
  expect(readSums('12.50', { MGA: 0 })).toEqual({ problem: 'noCents' });
  expect(readSums('about', { MGA: 0, EUR: 2 })).toEqual({ problem: 'noAmount' });
});
