import { expect, test } from 'vitest';
import { calendarDay, dayPlus, startOfDay } from './calendar-day.ts';

test('a day is that of the time zone, not of UTC', () => {
  expect(calendarDay(new Date('2026-03-01T21:30:00Z'), 'Indian/Antananarivo')).toBe('2026-03-02');
  expect(calendarDay(new Date('2026-03-02T02:30:00Z'), 'America/New_York')).toBe('2026-03-01');
});

test('days are counted over the ends of months and years', () => {
  expect(dayPlus('2024-02-28', 1)).toBe('2024-02-29');
  expect(dayPlus('2026-01-01', -1)).toBe('2025-12-31');
});

test.each([
  ['2026-03-02', 'Indian/Antananarivo', '2026-03-01T21:00:00.000Z'],
  ['2026-03-02', 'UTC', '2026-03-02T00:00:00.000Z'],
  ['2026-03-02', 'America/St_Johns', '2026-03-02T03:30:00.000Z'],
  // A change at two or three in the morning does not affect the start of the day.
  ['2026-03-29', 'Europe/Paris', '2026-03-28T23:00:00.000Z'],
  ['2026-10-25', 'Europe/Paris', '2026-10-24T22:00:00.000Z'],
  // Clocks go from midnight to one: the day begins at one.
  ['2024-04-26', 'Africa/Cairo', '2024-04-25T22:00:00.000Z'],
  // Clocks go from midnight back to eleven: the day begins at the second midnight.
  ['2024-11-01', 'Africa/Cairo', '2024-10-31T22:00:00.000Z'],
])('%s begins in %s at %s', (day, timeZone, at) => {
  expect(startOfDay(day, timeZone).toISOString()).toBe(at);
  expect(calendarDay(startOfDay(day, timeZone), timeZone)).toBe(day);
  expect(calendarDay(new Date(startOfDay(day, timeZone).getTime() - 1), timeZone)).toBe(dayPlus(day, -1));
});
