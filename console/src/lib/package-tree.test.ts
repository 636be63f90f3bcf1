import { expect, test } from 'vitest';
import * as tree from './package-tree.ts';
import { blankItem, leavesOf, placeName, valueAt, withValue } from './package-tree.ts';

const differencesOf = (before: unknown, after: unknown) =>
  tree.differencesOf(before, after).map(({ at, before: was, after: is }) => ({ at, before: was, after: is }));

const footer = { groups: [{ title: 'Help', links: [{ label: 'Contact', href: '/contact-us' }] }], note: 'Call 300' };

test('a path is written as the server writes it', () => {
  expect(placeName(['groups', 0, 'links', 1, 'href'])).toBe('groups[0].links[1].href');
  expect(placeName(['common.back'])).toBe('common.back');
  expect(leavesOf(footer).map(({ place }) => placeName(place))).toEqual([
    'groups[0].title',
    'groups[0].links[0].label',
    'groups[0].links[0].href',
    'note',
  ]);
  expect(leavesOf([undefined, 'x'])).toEqual([{ place: [1], value: 'x' }]);
});

test('a value is set in a copy, and missing parents are created', () => {
  const place = ['groups', 0, 'title'];
  const changed = withValue(footer, place, 'Aide');
  expect([valueAt(changed, place), valueAt(footer, place)]).toEqual(['Aide', 'Help']);
  expect(withValue({}, ['links', 'more'], 'x')).toEqual({ links: { more: 'x' } });
  expect(valueAt(footer, ['groups', 3, 'title'])).toBeUndefined();
  expect(valueAt('text', ['length'])).toBeUndefined();
});

test('a new item has the fields of its schema, or of the first item, and they are empty', () => {
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

test('each difference is listed once, additions and removals too', () => {
  expect(differencesOf(footer, withValue(footer, ['note'], 'Call 301'))).toEqual([
    { at: 'note', before: 'Call 300', after: 'Call 301' },
  ]);
  expect(differencesOf({ a: 'x', b: 'y' }, { b: 'y', c: 'z' })).toEqual([
    { at: 'c', before: '', after: 'z' },
    { at: 'a', before: 'x', after: '' },
  ]);
});

test('an added or removed item shifts no other; a changed one is compared with its former text, and a named one keeps its name', () => {
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

test('CNS-10 (lists that differ) a rewritten link is compared with itself, although its neighbour was removed', () => {
  const links = (...all: [href: string, label: string][]) => all.map(([href, label]) => ({ href, label }));
  expect(differencesOf(links(['/a', 'A'], ['/b', 'B'], ['/c', 'C']), links(['/b', 'B2'], ['/c', 'C']))).toEqual([
    { at: '[0].href', before: '/a', after: '' },
    { at: '[0].label', before: 'A', after: '' },
    { at: '[0].label', before: 'B', after: 'B2' },
  ]);
});

test('a removed item is named by its own text, not by the item that is there now', () => {
  const [gone] = tree.differencesOf({ links: [{ label: 'a' }, { label: 'b' }] }, { links: [{ label: 'b' }] });
  expect(gone?.trail).toEqual(['links', { index: 0, item: { label: 'a' } }, 'label']);
  expect(tree.placeNamed('groups[0].links[1].href', {})).toEqual(['groups', 0, 'links', 1, 'href']);
  expect(tree.placeNamed('[3].topics[0]', [])).toEqual([3, 'topics', 0]);
  expect(tree.trailTo(['groups', 0, 'title'], [{}, footer])).toEqual([
    'groups',
    { index: 0, item: footer.groups[0] },
    'title',
  ]);
});

test('a text with a technical key only is named by its content, in the first package that has any', () => {
  const [mg, en] = [{ 'payment.pay': '' }, { 'payment.pay': 'Pay now', 'payment.wait': 'Wait' }];
  expect(tree.placeNamed('payment.pay', mg)).toEqual(['payment.pay']);
  expect(tree.valueAt(en, tree.placeNamed('payment.pay', en))).toBe('Pay now');
  const trail = tree.trailTo(['payment.pay'], [mg, en]);
  expect(trail).toEqual([{ key: 'payment.pay', says: 'Pay now' }]);
  expect(tree.trailName(trail)).toBe('payment.pay');
  expect(tree.differencesOf(mg, en).map((one) => one.trail)).toEqual([
    [{ key: 'payment.pay', says: 'Pay now' }],
    [{ key: 'payment.wait', says: 'Wait' }],
  ]);
});
