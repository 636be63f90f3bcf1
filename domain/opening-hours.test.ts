import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openingHoursExample, openState, readOpeningHours } from './opening-hours.ts';

describe('opening hours as they are written', () => {
  test('days alone or from one to another, one or more times each', () => {
    expect(readOpeningHours('Mo-Tu 08:00-12:00,14:00-18:00; Sa 08:00-12:30')).toEqual([
      { day: 0, from: '08:00', to: '12:00' },
      { day: 1, from: '08:00', to: '12:00' },
      { day: 0, from: '14:00', to: '18:00' },
      { day: 1, from: '14:00', to: '18:00' },
      { day: 5, from: '08:00', to: '12:30' },
    ]);
    expect(readOpeningHours(openingHoursExample)).not.toBeNull();
  });

  test.each([
    '',
    'always',
    'Mo',
    'Mo-Fr',
    'Mo-Fr 8:00-17:00',
    'Mo-Fr 08:00-24:00',
    'Mo-Fr 08:60-17:00',
    'Mo-Fr 17:00-08:00',
    'Mo-Fr 08:00-08:00',
    'Fr-Mo 08:00-17:00',
    'Xx 08:00-17:00',
    'Mo-Fr 08:00-17:00;',
    'Mo-Fr 08:00-17:00,',
    'Mo-Fr 08:00-17:00 and later',
  ])('%j is none', (text) => expect(readOpeningHours(text)).toBeNull());
});

describe('open now', () => {
  const hours = 'Mo-Fr 08:00-12:00,14:00-18:00; Sa 08:00-12:00';
  // 2 March 2026 is a Monday; Antananarivo is three hours ahead of UTC.
  const at = (utc: string) => openState(hours, new Date(`${utc}:00Z`), 'Indian/Antananarivo');

  test.each([
    ['2026-03-02T04:59', { isOpen: false, opens: '08:00', inDays: 0, day: 0 }],
    ['2026-03-02T05:00', { isOpen: true, until: '12:00' }],
    ['2026-03-02T08:59', { isOpen: true, until: '12:00' }],
    ['2026-03-02T09:00', { isOpen: false, opens: '14:00', inDays: 0, day: 0 }],
    ['2026-03-02T15:00', { isOpen: false, opens: '08:00', inDays: 1, day: 1 }],
    ['2026-03-01T22:00', { isOpen: false, opens: '08:00', inDays: 0, day: 0 }],
    ['2026-03-07T09:00', { isOpen: false, opens: '08:00', inDays: 2, day: 0 }],
    ['2026-03-08T09:00', { isOpen: false, opens: '08:00', inDays: 1, day: 0 }],
  ] as const)('%s UTC', (utc, expected) => expect(at(utc)).toEqual(expected));

  test('a shop of one day a week opens next week', () => {
    const monday = (utc: string) => openState('Mo 08:00-09:00', new Date(utc), 'UTC');
    expect(monday('2026-03-02T10:00:00Z')).toEqual({ isOpen: false, opens: '08:00', inDays: 7, day: 0 });
    expect(monday('2026-03-03T10:00:00Z')).toEqual({ isOpen: false, opens: '08:00', inDays: 6, day: 0 });
  });

  test('hours that cannot be read say nothing', () => expect(openState('', new Date(), 'UTC')).toBeNull());

  test('at any moment it is open or will be', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }), (moment) => {
        const state = openState(hours, moment, 'Indian/Antananarivo');
        expect(state?.isOpen ? state.until : state?.opens).toMatch(/^(08|12|14|18):00$/);
      }),
    );
  });
});
