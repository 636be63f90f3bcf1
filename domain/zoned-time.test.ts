import { expect, test } from 'vitest';
import { fromWall, toWall } from './zoned-time.ts';

test.each([
  ['Indian/Antananarivo', '2027-03-02T12:00', '2027-03-02T09:00:00.000Z'],
  ['America/New_York', '2027-03-14T12:00', '2027-03-14T16:00:00.000Z'],
  ['Asia/Kathmandu', '2027-01-01T00:15', '2026-12-31T18:30:00.000Z'],
])('local time in %s converts to UTC and back', (zone, wall, moment) => {
  expect(fromWall(wall, zone)).toBe(moment);
  expect(toWall(moment, zone)).toBe(wall);
});

test('an empty field is null', () => {
  expect(fromWall('', 'Indian/Antananarivo')).toBeNull();
});
