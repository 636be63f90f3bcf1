import { expect, test } from 'vitest';
import { isGuessingClosed } from './guessing.ts';

test('guessing closes at the limit of wrong codes, and only while they outnumber the right ones', () => {
  const closed = (wrong: number, right: number) => isGuessingClosed({ wrong, right, most: 20 });
  expect([closed(19, 0), closed(20, 0), closed(20, 19), closed(20, 20), closed(500, 501)]).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});
