import { describe, expect, test } from 'vitest';
import { activeAfterKey, closedCombobox, comboboxReducer, matchingChoices } from './combobox-state.ts';

const towns = ['Antsirabe', 'Fianarantsoa', 'Île Sainte-Marie', 'Toliara'].map((label) => ({ value: label, label }));
const labels = (query: string | null) => matchingChoices(towns, query).map(({ label }) => label);

describe('matching choices', () => {
  test('ignores case and position in the word', () => {
    expect(labels('ANTS')).toEqual(['Antsirabe', 'Fianarantsoa']);
  });

  test('ignores accents on both sides', () => {
    expect(labels('ile')).toEqual(['Île Sainte-Marie']);
    expect(labels('Tólíara')).toEqual(['Toliara']);
  });

  test('nothing typed, or only blanks, matches all', () => {
    expect(labels(null)).toHaveLength(4);
    expect(labels('  ')).toHaveLength(4);
  });

  test('an unknown text matches none', () => {
    expect(labels('zzz')).toEqual([]);
  });
});

describe('state', () => {
  test('typing opens the list and starts at its first match', () => {
    expect(comboboxReducer(closedCombobox, { type: 'search', query: 'a' })).toEqual({
      isOpen: true,
      query: 'a',
      active: 0,
    });
  });

  test('opening an open list keeps what was typed', () => {
    const typed = comboboxReducer(closedCombobox, { type: 'search', query: 'a' });
    expect(comboboxReducer(typed, { type: 'open', active: 3 })).toBe(typed);
  });

  test('closing forgets what was typed', () => {
    const typed = comboboxReducer(closedCombobox, { type: 'search', query: 'a' });
    expect(comboboxReducer(typed, { type: 'close' })).toEqual(closedCombobox);
  });
});

describe('keys', () => {
  test('arrows go round, Home and End go to the ends', () => {
    expect(activeAfterKey('ArrowDown', 3, 4)).toBe(0);
    expect(activeAfterKey('ArrowDown', -1, 4)).toBe(0);
    expect(activeAfterKey('ArrowUp', 0, 4)).toBe(3);
    expect(activeAfterKey('ArrowUp', -1, 4)).toBe(3);
    expect(activeAfterKey('Home', 2, 4)).toBe(0);
    expect(activeAfterKey('End', 2, 4)).toBe(3);
  });

  test('other keys do not move', () => {
    expect(activeAfterKey('a', 2, 4)).toBeUndefined();
  });
});
