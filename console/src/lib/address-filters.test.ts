import { expect, test } from 'vitest';
import { addressFilters, anyText, dayIn, oneOf, timeIn } from './address-filters.ts';

test('invalid parameters of a URL are ignored and listed', () => {
  const search = new URLSearchParams('state=xyz&from=2026-99-99&until=2026-03-02&person=%20a@b.mg%20&more=1&day=');
  const readers = { state: oneOf(['PAID']), from: dayIn, until: dayIn, person: anyText, day: dayIn };
  expect(addressFilters(search, readers)).toEqual({
    filters: { until: '2026-03-02', person: 'a@b.mg' },
    unread: ['state', 'from'],
  });
});

test.each([
  ['2026-03-02', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-02-31', false],
  ['2026-99-99', false],
  ['2026-3-2', false],
  ['yesterday', false],
])('%s is a day of the calendar: %s', (text, isOne) => {
  expect(dayIn(text)).toBe(isOne ? text : undefined);
});

test.each([
  ['00:00', true],
  ['23:59', true],
  ['24:00', false],
  ['9:30', false],
  ['09:60', false],
])('%s is a time of day: %s', (text, isOne) => {
  expect(timeIn(text)).toBe(isOne ? text : undefined);
});
