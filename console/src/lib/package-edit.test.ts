import { inRows, layoutOf } from '@portal/domain/content/package-rows.ts';
import { expect, test } from 'vitest';
import {
  isAbove,
  keysAt,
  type Packages,
  removedFrom,
  withAct,
  withKeys,
  withRestored,
  withText,
} from './package-edit.ts';
import type { Body } from './package-tree.ts';

const packagesOf = (bodies: Record<string, Body>): Packages => ({ bodies, layout: withKeys(layoutOf(bodies)) });
const link = (href: string, label: string) => ({ label, href });
const linksOf = ({ bodies }: Packages) =>
  Object.fromEntries(
    Object.entries(bodies).map(([page, body]) => [
      page,
      ((body as { links?: { label: string }[] }).links ?? []).map(({ label }) => label).join(' '),
    ]),
  );
/** Row by row, as in the form. */
const rowsOf = ({ bodies, layout }: Packages) =>
  Object.fromEntries(
    Object.entries(bodies).map(([page, body]) => [
      page,
      (inRows(layout, page, body) as { links: ({ label: string } | undefined)[] }).links.map(
        (one) => one?.label ?? '–',
      ),
    ]),
  );

const header = () =>
  packagesOf({
    en: { links: [link('/recharge', 'Recharge'), link('/bill', 'Bill'), link('/stores', 'Stores')] },
    fr: {
      links: [
        link('/recharge', 'Recharger'),
        link('/bundle', 'Forfaits'),
        link('/bill', 'Facture'),
        link('/stores', 'Points'),
      ],
    },
  });

test('CNS-10 (lists that differ) a removed row takes the same item from each language, and nothing where there is none', () => {
  expect(linksOf(withAct(header(), ['links'], { remove: 1 }))).toEqual({
    en: 'Recharge Bill Stores',
    fr: 'Recharger Facture Points',
  });
  const withoutBill = withAct(header(), ['links'], { remove: 2 });
  expect(linksOf(withoutBill)).toEqual({ en: 'Recharge Stores', fr: 'Recharger Forfaits Points' });
  expect(rowsOf(withoutBill)).toEqual({ en: ['Recharge', '–', 'Stores'], fr: ['Recharger', 'Forfaits', 'Points'] });
});

test('CNS-10 (lists that differ) a removed row comes back at its place in each language that had it', () => {
  for (const row of [0, 1, 2, 3]) {
    const gone = removedFrom(header(), ['links'], row);
    expect(withRestored(withAct(header(), ['links'], { remove: row }), gone)).toEqual(header());
  }
  const [first, second] = [removedFrom(header(), ['links'], 1), withAct(header(), ['links'], { remove: 1 })];
  expect(Object.keys(first.items)).toEqual(['fr']);
  const later = withAct(second, ['links'], { add: link('', 'new') });
  expect(linksOf(withRestored(later, first))).toEqual({
    en: 'Recharge Bill Stores new',
    fr: 'Recharger Forfaits Facture Points new',
  });
  expect([isAbove([], first), isAbove(['links'], first), isAbove(['other'], first)]).toEqual([true, false, false]);
});

test('CNS-10 (lists that differ) a row moves past its neighbour in each language that has both', () => {
  const up = withAct(header(), ['links'], { move: 2, to: 1 });
  expect(linksOf(up)).toEqual({ en: 'Recharge Bill Stores', fr: 'Recharger Facture Forfaits Points' });
  expect(rowsOf(up).en).toEqual(['Recharge', 'Bill', '–', 'Stores']);
  const further = withAct(up, ['links'], { move: 1, to: 0 });
  expect(linksOf(further)).toEqual({ en: 'Bill Recharge Stores', fr: 'Facture Recharger Forfaits Points' });
  const down = withAct(header(), ['links'], { move: 2, to: 3 });
  expect(linksOf(down)).toEqual({ en: 'Recharge Stores Bill', fr: 'Recharger Forfaits Points Facture' });
  expect(rowsOf(withAct(header(), ['links'], { move: 0, to: -1 }))).toEqual(rowsOf(header()));
});

test('CNS-10 (lists that differ) a language with another order keeps it, but for the two that were moved', () => {
  const packages = packagesOf({
    en: { links: [link('/a', 'a'), link('/b', 'b'), link('/c', 'c')] },
    fr: { links: [link('/c', 'C'), link('/x', 'X'), link('/a', 'A'), link('/b', 'B')] },
  });
  const up = withAct(packages, ['links'], { move: 2, to: 1 });
  expect(linksOf(withAct(packages, ['links'], { move: 1, to: 0 }))).toEqual({ en: 'b a c', fr: 'C X B A' });
  expect(linksOf(withAct(packages, ['links'], { move: 2, to: 3 })).fr).toBe('X C A B');
  expect(rowsOf(up).fr?.filter((label) => label !== 'X')).toEqual(['A', 'C', 'B']);
  expect(linksOf(up)).toEqual({ en: 'a c b', fr: 'C X A B' });
});

test('CNS-10 (lists that differ) a new item comes into every language, as one row', () => {
  const added = withAct(header(), ['links'], { add: link('', '') });
  expect(rowsOf(added)).toEqual({
    en: ['Recharge', '–', 'Bill', 'Stores', ''],
    fr: ['Recharger', 'Forfaits', 'Facture', 'Points', ''],
  });
  const typed = withText(added, 'en', ['links', 4, 'href'], '/new', undefined);
  expect(rowsOf(withText(typed, 'fr', ['links', 4, 'label'], 'Neuf', undefined))).toEqual({
    en: ['Recharge', '–', 'Bill', 'Stores', ''],
    fr: ['Recharger', 'Forfaits', 'Facture', 'Points', 'Neuf'],
  });
  const groups = packagesOf({ en: { groups: [] }, fr: { groups: [{ id: 'a', links: [] }] } });
  const inner = withAct(groups, ['groups', 0, 'links'], { add: link('/x', 'x') });
  expect(inner.bodies).toEqual({ en: { groups: [] }, fr: { groups: [{ id: 'a', links: [link('/x', 'x')] }] } });
});

test('CNS-10 (lists that differ) what is written goes to the item of that row; where the language lacks it, it begins with its name', () => {
  const written = withText(header(), 'en', ['links', 2, 'label'], 'Pay a bill', undefined);
  expect(linksOf(written).en).toBe('Recharge Pay a bill Stores');
  const made = withText(header(), 'en', ['links', 1, 'label'], 'Bundles', undefined);
  expect((made.bodies.en as { links: object[] }).links[1]).toEqual(link('/bundle', 'Bundles'));
  expect(rowsOf(made)).toEqual({
    en: ['Recharge', 'Bundles', 'Bill', 'Stores'],
    fr: ['Recharger', 'Forfaits', 'Facture', 'Points'],
  });
  expect(withKeys(layoutOf(made.bodies))).toEqual(made.layout);
  expect(made.bodies.fr).toEqual(header().bodies.fr);
});

test('CNS-10 (lists that differ) text within an item that a language lacks makes what it stands in', () => {
  const help = packagesOf({
    en: { topics: [] },
    fr: { topics: [{ id: 'pin', name: 'PIN', questions: [{ id: 'lost', question: 'Perdu ?' }] }] },
  });
  const made = withText(help, 'en', ['topics', 0, 'questions', 0, 'question'], 'Lost?', undefined);
  expect(made.bodies.en).toEqual({
    topics: [{ id: 'pin', name: '', questions: [{ id: 'lost', question: 'Lost?' }] }],
  });
});

test('another list that a page lacks stays away when a row is removed or moved', () => {
  const packages = packagesOf({ en: { links: [link('/a', 'a'), link('/b', 'b')] }, fr: {} });
  expect(withAct(packages, ['links'], { remove: 0 }).bodies.fr).toEqual({});
  expect(withAct(packages, ['links'], { move: 0, to: 1 }).bodies.fr).toEqual({});
  expect(withAct(packages, ['links'], { add: link('', '') }).bodies.fr).toEqual({ links: [link('', '')] });
});

test('a row keeps its key when others are removed, moved or added, and when the package was saved', () => {
  const before = header();
  const [recharge, bundles, bill, stores] = keysAt(before.layout, ['links']);
  const shorter = withAct(before, ['links'], { remove: 0 });
  expect(keysAt(shorter.layout, ['links'])).toEqual([bundles, bill, stores]);
  const moved = withAct(shorter, ['links'], { move: 0, to: 1 });
  expect(keysAt(moved.layout, ['links'])).toEqual([bill, bundles, stores]);
  const longer = withAct(moved, ['links'], { add: link('', '') });
  expect(keysAt(longer.layout, ['links']).slice(0, 3)).toEqual([bill, bundles, stores]);
  expect(new Set([...keysAt(longer.layout, ['links']), recharge]).size).toBe(5);
  expect(withKeys(layoutOf(longer.bodies), longer.layout)).toEqual(longer.layout);
  const written = withText(before, 'en', ['links', 1, 'label'], 'Bundles', undefined);
  expect(keysAt(written.layout, ['links'])).toEqual([recharge, bundles, bill, stores]);
});
