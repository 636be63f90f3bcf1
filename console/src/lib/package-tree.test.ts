import { expect, test } from 'vitest';
import { blankItem, changedList, differencesOf, leavesOf, placeName, valueAt, withValue } from './package-tree.ts';

const footer = { groups: [{ title: 'Help', links: [{ label: 'Contact', href: '/contact-us' }] }], note: 'Call 300' };

test('a place is named as the server names it', () => {
  expect(placeName(['groups', 0, 'links', 1, 'href'])).toBe('groups[0].links[1].href');
  expect(placeName(['common.back'])).toBe('common.back');
  expect(leavesOf(footer).map(({ place }) => placeName(place))).toEqual([
    'groups[0].title',
    'groups[0].links[0].label',
    'groups[0].links[0].href',
    'note',
  ]);
});

test('a value is put into a copy, also where nothing was yet', () => {
  const place = ['groups', 0, 'title'];
  const changed = withValue(footer, place, 'Aide');
  expect([valueAt(changed, place), valueAt(footer, place)]).toEqual(['Aide', 'Help']);
  expect(withValue({}, ['links', 'more'], 'x')).toEqual({ links: { more: 'x' } });
  expect(valueAt(footer, ['groups', 3, 'title'])).toBeUndefined();
  expect(valueAt('text', ['length'])).toBeUndefined();
});

test('items of a list are added, removed and moved', () => {
  expect(changedList(['a', 'b'], { add: 'c' })).toEqual(['a', 'b', 'c']);
  expect(changedList(undefined, { add: 'c' })).toEqual(['c']);
  expect(changedList(['a', 'b', 'c'], { remove: 1 })).toEqual(['a', 'c']);
  expect(changedList(['a', 'b', 'c'], { move: 2, to: 0 })).toEqual(['c', 'a', 'b']);
  expect(changedList(['a'], { move: 1, to: 0 })).toEqual(['a']);
});

test('a new item has what the shape asks for, or what the first one has, and nothing in it', () => {
  const shape = {
    is: 'an object',
    keys: {
      links: {
        is: 'a list',
        item: { is: 'an object', keys: { label: { is: 'a text' }, rank: { is: 'a number' }, on: { is: 'a choice' } } },
      },
    },
  };
  expect(blankItem(shape, ['links'], [])).toEqual({ label: '', rank: 0, on: false });
  expect(blankItem(undefined, ['groups'], footer.groups)).toEqual({ title: '', links: [] });
  expect(blankItem(undefined, ['features'], [])).toBe('');
});

test('what differs is named once, also where it came or went', () => {
  expect(differencesOf(footer, withValue(footer, ['note'], 'Call 301'))).toEqual([
    { at: 'note', before: 'Call 300', after: 'Call 301' },
  ]);
  expect(differencesOf({ a: 'x', b: 'y' }, { b: 'y', c: 'z' })).toEqual([
    { at: 'c', before: '', after: 'z' },
    { at: 'a', before: 'x', after: '' },
  ]);
});

test('an item that came or went moves no other; a rewritten one faces what it was, a named one keeps its name', () => {
  const list = (...labels: string[]) => ({ links: labels.map((label) => ({ label })) });
  expect(differencesOf(list('a', 'b', 'c'), list('b', 'c'))).toEqual([
    { at: 'links[0].label', before: 'a', after: '' },
  ]);
  expect(differencesOf(list('a', 'c'), list('a', 'b', 'c'))).toEqual([
    { at: 'links[1].label', before: '', after: 'b' },
  ]);
  expect(differencesOf(list('a', 'b', 'c'), list('a', 'B', 'c', 'd'))).toEqual([
    { at: 'links[1].label', before: 'b', after: 'B' },
    { at: 'links[3].label', before: '', after: 'd' },
  ]);
  const asked = (...questions: [id: string, answer: string][]) => questions.map(([id, answer]) => ({ id, answer }));
  expect(differencesOf(asked(['x', 'old'], ['y', 'same']), asked(['n', 'new'], ['x', 'newer'], ['y', 'same']))).toEqual(
    [
      { at: '[0].id', before: '', after: 'n' },
      { at: '[0].answer', before: '', after: 'new' },
      { at: '[1].answer', before: 'old', after: 'newer' },
    ],
  );
  expect(differencesOf({ a: ['x', 'y'] }, { a: ['y'], b: [] })).toEqual([{ at: 'a[0]', before: 'x', after: '' }]);
});
