import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertAmount, formatRate, keepsOnlyWallet, readRate, takesCurrency } from './exchange.ts';
import { digitsOf } from './money.ts';

const cents = { from: 2, to: 0 };
const dual = {
  currency: { code: 'USD', digits: 2 },
  secondCurrency: { code: 'CDF', digits: 0, plausible: { least: 1_000, most: 9_000 } },
};

describe('a rate', () => {
  test.each([
    [2800, '2800'],
    [2813.37, '2813.37'],
    ['2813.3750', '2813.3750'],
    [0.000_5, '0.0005'],
  ])('%s is one', (given, read) => expect(readRate(given)).toBe(read));

  test.each([
    0,
    -2800,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e21,
    1e-9,
    '',
    '0.00',
    '2,800',
    '<html>',
    null,
    true,
    {},
  ])('%s is none', (given) => expect(readRate(given)).toBeNull());
});

describe('PAY-5 conversion', () => {
  test.each([
    [250, '2800', 7_000],
    [100, '2800', 2_800],
    [1, '2800', 28],
    [99, '2813.37', 2_786],
    [0, '2800', 0],
  ])('%i cents at %s are %i francs', (amount, rate, francs) => expect(convertAmount(amount, rate, cents)).toBe(francs));

  test('is never below the price, and never a whole franc above it', () => {
    const whole = fc.integer({ min: 1, max: 9_999 });
    const rest = fc.integer({ min: 0, max: 999_999 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), whole, rest, (amount, units, millionths) => {
        const rate = `${units}.${String(millionths).padStart(6, '0')}`;
        const exact = BigInt(amount) * (BigInt(units) * 1_000_000n + BigInt(millionths));
        const converted = BigInt(convertAmount(amount, rate, cents)) * 100_000_000n;
        expect(converted >= exact && converted - exact < 100_000_000n).toBe(true);
      }),
    );
  });

  test('an invalid amount or rate is refused, not guessed', () => {
    expect(() => convertAmount(-1, '2800', cents)).toThrow(RangeError);
    expect(() => convertAmount(1.5, '2800', cents)).toThrow(RangeError);
    expect(() => convertAmount(100, 'x', cents)).toThrow(RangeError);
    expect(() => convertAmount(Number.MAX_SAFE_INTEGER, '999999999', cents)).toThrow(RangeError);
  });
});

test('PAY-5 below one unit only the wallet is offered, and only with two currencies', () => {
  expect(keepsOnlyWallet(99, dual)).toBe(true);
  expect(keepsOnlyWallet(100, dual)).toBe(false);
  expect(keepsOnlyWallet(50, { currency: { code: 'XTS', digits: 0 } })).toBe(false);
});

test('each currency has its own digits, and a way to pay its own currencies', () => {
  expect([digitsOf(dual, 'USD'), digitsOf(dual, 'CDF')]).toEqual([2, 0]);
  expect(takesCurrency({}, 'USD', dual)).toBe(true);
  expect(takesCurrency({}, 'CDF', dual)).toBe(false);
  expect(takesCurrency({ currencies: ['USD', 'CDF'] }, 'CDF', dual)).toBe(true);
});

test('a rate is trimmed, and text that only resembles one is refused', () => {
  expect(readRate(' 2800 ')).toBe('2800');
  expect(readRate([2800])).toBeNull();
});

test('the error names what cannot be converted', () => {
  expect(() => convertAmount(-1, '2800', cents)).toThrow('cannot convert -1 at 2800');
  expect(() => convertAmount(Number.MAX_SAFE_INTEGER, '999999999', cents)).toThrow(
    `${Number.MAX_SAFE_INTEGER} at 999999999 is more than can be counted`,
  );
});

test('into a currency with smaller units there are more of them', () => {
  expect(convertAmount(7_000, '0.0004', { from: 0, to: 2 })).toBe(280);
});

test('a rate is shown with every digit it has, grouped as the language groups', () => {
  expect(formatRate({ from: 'USD', to: 'CDF', value: '2813.3750001' }, 'en-GB')).toBe('1 USD = 2,813.3750001 CDF');
  expect(formatRate({ from: 'USD', to: 'CDF', value: '2800' }, 'es-ES')).toBe('1 USD = 2.800 CDF');
});
