import { expect, test } from 'vitest';
import { identityOf, inRows, layoutOf, placeIn, placeInRows } from './package-rows.ts';

const rowsOf = (values: Record<string, unknown[]>) => layoutOf(values).rows?.map(({ at }) => at);
const link = (href: string, label = href) => ({ label, href });

test('CNS-10 (lists that differ) items are paired by what names them, and an item that a language lacks has a row of its own', () => {
  const en = [link('/recharge', 'Recharge'), link('/bill', 'Bill'), link('/stores', 'Find a store')];
  const fr = [link('/recharge', 'Recharge'), link('/bundle', 'Forfaits'), link('/bill', 'Facture'), link('/stores')];
  expect(rowsOf({ en, fr })).toEqual([{ en: 0, fr: 0 }, { fr: 1 }, { en: 1, fr: 2 }, { en: 2, fr: 3 }]);
  const layout = layoutOf({ en: { links: en }, fr: { links: fr } });
  expect(inRows(layout, 'en', { links: en })).toEqual({ links: [en[0], undefined, en[1], en[2]] });
  expect(inRows(layout, 'fr', { links: fr })).toEqual({ links: fr });
  expect(placeIn(layout, 'en', ['links', 2, 'label'])).toEqual(['links', 1, 'label']);
  expect(placeIn(layout, 'en', ['links', 1, 'label'])).toBeNull();
  expect(placeIn(layout, 'en', ['links', 9])).toBeNull();
  expect(placeInRows(layout, 'en', ['links', 1, 'label'])).toEqual(['links', 2, 'label']);
  expect(placeInRows(layout, 'en', ['links', 9])).toBeNull();
  expect(placeIn(layout, 'fr', ['links', 1, 'label'])).toEqual(['links', 1, 'label']);
  expect(placeIn(layout, 'fr', ['note'])).toEqual(['note']);
});

test('CNS-10 (lists that differ) another order keeps the pairs, and the rows stand as on the first page', () => {
  expect(rowsOf({ en: [{ id: 'a' }, { id: 'b' }], fr: [{ id: 'b' }, { id: 'c' }, { id: 'a' }] })).toEqual([
    { en: 0, fr: 2 },
    { en: 1, fr: 0 },
    { fr: 1 },
  ]);
});

test('CNS-10 (lists that differ) two items with the same link are paired in their order', () => {
  expect(rowsOf({ en: [link('/a', 'one'), link('/a', 'two')], fr: [link('/a', 'un')] })).toEqual([
    { en: 0, fr: 0 },
    { en: 1 },
  ]);
});

test('CNS-10 (lists that differ) a group of links is told by its links, whatever its title', () => {
  const group = (title: string, ...links: string[]) => ({ title, links: links.map((href) => link(href)) });
  const en = [group('Services', '/a', '/b'), group('About', '/x')];
  const fr = [group('Services', '/a', '/b'), group('Aide', '/h'), group('À propos', '/x', '/y')];
  expect(rowsOf({ en, fr })).toEqual([{ en: 0, fr: 0 }, { fr: 1 }, { en: 1, fr: 2 }]);
  const layout = layoutOf({ en, fr });
  expect(placeIn(layout, 'en', [2, 'links', 0, 'label'])).toEqual([1, 'links', 0, 'label']);
  expect(placeIn(layout, 'en', [2, 'links', 1, 'label'])).toBeNull();
  expect(placeInRows(layout, 'en', [1, 'links', 0, 'label'])).toEqual([2, 'links', 0, 'label']);
  expect(inRows(layout, 'en', en)).toEqual([en[0], undefined, { title: 'About', links: [link('/x'), undefined] }]);
});

test('CNS-10 (lists that differ) items that nothing names are paired by their position', () => {
  expect(rowsOf({ en: ['fast', 'cheap'], fr: ['rapide'] })).toEqual([{ en: 0, fr: 0 }, { en: 1 }]);
  expect(rowsOf({ en: [link('/a'), link('', 'new')], fr: [link('/b'), link('', 'nouveau'), link('/a')] })).toEqual([
    { fr: 0 },
    { en: 0, fr: 2 },
    { en: 1, fr: 1 },
  ]);
  expect(rowsOf({ en: [link('/a'), link('/new')], fr: [link('/a'), link('', 'nouveau')] })).toEqual([
    { en: 0, fr: 0 },
    { en: 1, fr: 1 },
  ]);
});

test('CNS-10 (lists that differ) a link that leads elsewhere in one language stays beside the others, between the same neighbours alone', () => {
  const list = (...links: string[]) => links.map((href) => link(href));
  const together = [
    { en: 0, fr: 0 },
    { en: 1, fr: 1 },
    { en: 2, fr: 2 },
  ];
  expect(rowsOf({ en: list('/a', '/b#en', '/c'), fr: list('/a', '/b', '/c') })).toEqual(together);
  expect(rowsOf({ en: list('/a#en', '/b', '/c'), fr: list('/a', '/b', '/c') })).toEqual(together);
  expect(rowsOf({ en: list('/a', '/b', '/c#en'), fr: list('/a', '/b', '/c') })).toEqual(together);
  expect(rowsOf({ en: list('/a', '/x', '/c'), fr: list('/a', '/y', '/z', '/c') })).toHaveLength(5);
  expect(rowsOf({ en: list('/a', '/c', '/x'), fr: list('/a', '/y', '/c') })).toHaveLength(4);
  expect(rowsOf({ en: list('/a', '/c'), fr: list('/y', '/a', '/c') })).toHaveLength(3);
  const ids = (...names: string[]) => names.map((id) => ({ id }));
  expect(rowsOf({ en: ids('a', 'x', 'c'), fr: ids('a', 'y', 'c') })).toHaveLength(4);
});

test('a page without the list has nothing in its rows, and an empty list stays one', () => {
  const layout = layoutOf({ en: { links: [link('/a')], more: [] }, fr: { more: [] } });
  expect(inRows(layout, 'fr', { more: [] })).toEqual({ more: [] });
  expect(inRows(layout, 'fr', undefined)).toBeUndefined();
  expect(inRows(layout, 'fr', { links: [], more: [] })).toEqual({ links: [undefined], more: [] });
});

test('an item is named by its id, its link or its path, and by its name where people read its label', () => {
  expect(identityOf({ id: 'a', href: '/b' })).toBe('id a');
  expect(identityOf({ id: '', href: '/b' })).toBe('href /b');
  expect(identityOf({ path: '/c', title: 'x' })).toBe('path /c');
  expect(identityOf({ name: 'email', label: 'Email' })).toBe('name email');
  expect([{ name: 'Roaming' }, { title: 'x' }, 'x', null, ['x']].map(identityOf)).toEqual(Array(5).fill(null));
});
