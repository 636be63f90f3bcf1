import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { baseBits, difficultyBits, isStillWorth, questionPrice } from './difficulty.ts';

const quiet = { count: 0, most: 2 };

describe('SEC-19 the price of a challenge', () => {
  test('is lowest for a network with few requests, while most of the reserve is left', () => {
    for (const left of [1, 0.2, 0.11])
      for (const count of [0, 1, 2, 3]) expect(difficultyBits({ asked: [{ count, most: 2 }], left })).toBe(baseBits);
  });

  test('doubles with each doubling of the network’s requests; the highest of its networks counts', () => {
    const price = (count: number) => difficultyBits({ asked: [{ count, most: 2 }, quiet], left: 0.2 }) - baseBits;
    expect([2, 4, 7, 8, 16, 60].map(price)).toEqual([0, 1, 1, 2, 3, 4]);
    const wide = { count: 64, most: 32 };
    expect(difficultyBits({ asked: [{ count: 1, most: 2 }, { count: 4, most: 8 }, wide], left: 0.2 })).toBe(
      baseBits + 1,
    );
  });

  test('doubles with each halving of the reserve, at most four times', () => {
    const price = (left: number) => difficultyBits({ asked: [quiet], left }) - baseBits;
    expect([0.2, 0.1, 0.05, 0.025, 0.0125, 0.001, 0, -3].map(price)).toEqual([0, 1, 2, 3, 4, 4, 4, 4]);
  });

  test('never falls with more requests or less reserve, and never exceeds a minute on an old phone', () => {
    const share = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e6), share, share, (one, other, left, right) => {
        const price = (count: number, of: number) => difficultyBits({ asked: [{ count, most: 2 }], left: of });
        const dearer = price(Math.max(one, other), Math.min(left, right));
        expect(dearer).toBeGreaterThanOrEqual(price(Math.min(one, other), Math.max(left, right)));
        expect(dearer).toBeLessThanOrEqual(baseBits + 6);
      }),
    );
  });

  test('is checked again when a solution is spent, less one doubling', () => {
    expect(isStillWorth(baseBits, 0.1)).toBe(true);
    expect(isStillWorth(baseBits, 0.05)).toBe(false);
    expect(isStillWorth(baseBits + 1, 0.05)).toBe(true);
    expect(isStillWorth(baseBits + 3, 0)).toBe(true);
    expect(isStillWorth(baseBits + 2, 0)).toBe(false);
  });
});

test('SEC-19 the sum without script doubles its wait and grows with each doubling of the solutions from a network', () => {
  const prices = [0, 1, 2, 3, 7, 15, 1_000].map((count) => questionPrice([{ count, most: 1 }]));
  expect(prices.map(({ waitSeconds }) => waitSeconds)).toEqual([10, 20, 20, 40, 80, 120, 120]);
  expect(prices.map(({ largest }) => largest)).toEqual([
    [9, 9],
    [99, 9],
    [99, 9],
    [999, 99],
    [999, 99],
    [999, 999],
    [999, 999],
  ]);
  const quietNear = { count: 0, most: 1 };
  expect(questionPrice([quietNear, { count: 31, most: 16 }]).waitSeconds).toBe(20);
  expect(questionPrice([]).waitSeconds).toBe(10);
});
