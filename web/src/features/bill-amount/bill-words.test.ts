import { expect, test } from 'vitest';
import { calendarDate, statedMoney } from './bill-words.ts';

test('POS-3 an amount due is written with its cents, and a whole one without', () => {
  expect(statedMoney(45_250.4, 'MGA', 'en-GB')).toBe('MGA 45,250.40');
  expect(statedMoney(12_000, 'MGA', 'en-GB')).toBe('MGA 12,000');
  expect(statedMoney(0.29, 'MGA', 'en-GB')).toBe('MGA 0.29');
  expect(statedMoney(94_500.5, 'MGA', 'fr-FR').replaceAll(/\s/g, ' ')).toBe('MGA 94 500,50');
});

test('a date does not shift to another day', () => {
  expect(calendarDate('2026-03-01', { formats: 'en-GB' })).toBe('1 Mar 2026');
  expect(calendarDate('2026-12-31', { formats: 'fr-FR' })).toBe('31 déc. 2026');
});
