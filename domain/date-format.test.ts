import { expect, test } from 'vitest';
import { writeDate } from './date-format.ts';

const months = 'Jan Feb Mar Apr Mey Jon Jol Aog Sep Okt Nov Des'.split(' ');
const evening = new Date('2026-02-28T21:30:00Z');
const timeZone = 'Indian/Antananarivo';

test('D1 a date is written by the tables of its language, or by the months that the pack gives', () => {
  const options = { timeZone, dateStyle: 'medium', timeStyle: 'short' } as const;
  expect(writeDate(evening, { formats: 'en-GB' }, options)).toBe('1 Mar 2026, 00:30');
  expect(writeDate(evening, { formats: 'fr-FR' }, options)).toBe('1 mars 2026, 00:30');
  expect(writeDate(evening, { formats: 'fr-FR', months }, options)).toBe('1 Mar 2026, 00:30');
  expect(writeDate(evening, { formats: 'fr-FR', months }, { ...options, timeZone: 'UTC' })).toBe('28 Feb 2026, 21:30');
});

test('a day alone has no time', () => {
  expect(writeDate(evening, { formats: 'fr-FR', months }, { timeZone, dateStyle: 'long' })).toBe('1 Mar 2026');
});
