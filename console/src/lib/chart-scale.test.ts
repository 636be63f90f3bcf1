import { expect, test } from 'vitest';
import { labelledBars, topOf } from './chart-scale.ts';

test('the scale ends at a round number that holds all values, and its half is whole', () => {
  expect([0, 1, 2, 3, 5, 7, 10, 11, 35, 99, 100, 101, 4_321].map(topOf)).toEqual([
    2, 2, 2, 4, 6, 10, 10, 20, 40, 100, 100, 200, 6_000,
  ]);
});

test('the highest and the last bar have their figure, one of them where they are neighbours, none where nothing happened', () => {
  expect(labelledBars([1, 9, 2, 3, 4])).toEqual([1, 4]);
  expect(labelledBars([1, 2, 3])).toEqual([2]);
  expect(labelledBars([...Array.from({ length: 28 }, () => 1), 9, 2])).toEqual([28]);
  expect(labelledBars([3, 0, 0])).toEqual([0]);
  expect(labelledBars([0, 0])).toEqual([]);
  expect(labelledBars([])).toEqual([]);
});
