import { expect, test } from 'vitest';
import { nearestOf } from './nearest.ts';

const codes = ['D1G3', 'D1G7', 'D100M1', 'S0001', 'S0002', 'price', 'period'];

test.each([
  ['D1G33', 'D1G3'],
  ['D10M1', 'D100M1'],
  ['pirce', 'price'],
  ['PRICE', 'price'],
  ['colour', null],
  ['X', null],
  ['', null],
  ['Q9Z8', null],
])('of %j it is %j that was meant', (name, meant) => {
  expect(nearestOf(name, codes)).toBe(meant);
});
