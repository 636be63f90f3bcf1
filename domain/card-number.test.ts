import { expect, test } from 'vitest';
import { maskCards } from './card-number.ts';

test('card numbers are masked, other numbers are not', () => {
  for (const [written, kept] of [
    ['my card 4242424242424242 was charged', 'my card •••• 4242 was charged'],
    ['4000 0000 0000 0002, exp 12/29', '•••• 0002, exp 12/29'],
    ['5555-5555-5555-4444', '•••• 4444'],
    ['Amex 3782 822463 10005', 'Amex •••• 0005'],
  ] as const)
    expect(maskCards(written)).toBe(kept);
  for (const other of [
    ...['4242424242424243', '034 12 345 67', '+261 34 12 345 67 and 034 98 765 43', 'ref 7HJ2K9', '2026-11-19 10:30'],
    ...['MGA 1 250 000', '12345678901', 'x4242424242424242x', '1234 5678 9012 3456'],
  ])
    expect(maskCards(other)).toBe(other);
});
