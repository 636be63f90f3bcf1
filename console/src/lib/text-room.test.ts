import { expect, test } from 'vitest';
import { announcedRoom, isNearEnd } from './text-room.ts';

test('the room left in a text is shown near its end', () => {
  expect([201, 200].map((left) => isNearEnd(left, 1_000))).toEqual([false, true]);
  expect([51, 50].map((left) => isNearEnd(left, 60))).toEqual([false, true]);
});

test('it is announced in tens, and at the very end by the letter', () => {
  expect([51, 50, 49, 20, 19, 10, 9, 0].map(announcedRoom)).toEqual([null, 50, 40, 20, 10, 10, 9, 0]);
});
