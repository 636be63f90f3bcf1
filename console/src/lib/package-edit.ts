import { type Layout, layoutOf, namingParts, placeIn, type Row } from '@portal/domain/content/package-rows.ts';
import { type Body, blankItem, isPlainObject, type Place, type Shape, valueAt, withValue } from './package-tree.ts';

/** A package in all its languages, with the rows that align their lists. Places refer to rows. */
export interface Packages {
  bodies: Readonly<Record<string, Body>>;
  layout: Layout;
}

export type ListAct = { add: unknown } | { remove: number } | { move: number; to: number };

/** A removed row: its list, its position, and its item with the index on each page that had it. */
export interface Removed {
  list: Place;
  row: number;
  items: Readonly<Record<string, { at: number; item: unknown }>>;
  key?: number;
}

const isIn = (row: Row, page: string) => row.at[page] !== undefined;

const mapped = <T, R>(record: Readonly<Record<string, T>>, change: (value: T, key: string) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));

/** The rows with the indices of one page mapped. */
const reindexed = (rows: readonly Row[], page: string, indexOf: (index: number) => number): Row[] =>
  rows.map((row) => (row.at[page] === undefined ? row : { ...row, at: { ...row.at, [page]: indexOf(row.at[page]) } }));

const nodeAt = (layout: Layout, place: Place): Layout =>
  place.reduce<Layout>(
    (inner, step) => (typeof step === 'number' ? inner.rows?.[step]?.inner : inner.fields?.[step]) ?? {},
    layout,
  );

function withNode(layout: Layout, [step, ...rest]: Place, node: Layout): Layout {
  if (step === undefined) return node;
  if (typeof step === 'string')
    return { ...layout, fields: { ...layout.fields, [step]: withNode(layout.fields?.[step] ?? {}, rest, node) } };
  const rows = layout.rows?.map((row, index) =>
    index === step ? { ...row, inner: withNode(row.inner, rest, node) } : row,
  );
  return { ...layout, ...(rows ? { rows } : {}) };
}

/** The key of the next row that is added to rows with these keys. */
export const nextKey = (keys: readonly (number | undefined)[]): number =>
  Math.max(-1, ...keys.map((key) => key ?? -1)) + 1;

/** The key of a row that is put back: the one it had, unless another row has it by now. */
export const keyAgain = (keys: readonly (number | undefined)[], key: number | undefined): number =>
  key === undefined || keys.includes(key) ? nextKey(keys) : key;

const freeKey = (rows: readonly Row[]) => nextKey(rows.map(({ key }) => key));

/** Gives each row a key: the one that the row of the same items had before, or a new one. */
export function withKeys(layout: Layout, before: Layout = {}): Layout {
  const { rows, fields } = layout;
  const placesOf = ({ at }: Row) => JSON.stringify(Object.entries(at).sort());
  const known = new Map(before.rows?.map((row) => [placesOf(row), row]));
  let free = freeKey(before.rows ?? []);
  return {
    ...layout,
    ...(rows && {
      rows: rows.map((row) => {
        const same = known.get(placesOf(row));
        return { ...row, key: same?.key ?? free++, inner: withKeys(row.inner, same?.inner) };
      }),
    }),
    ...(fields && { fields: mapped(fields, (inner, name) => withKeys(inner, before.fields?.[name])) }),
  };
}

/** The keys of a list's rows. */
export const keysAt = (layout: Layout, list: Place): (number | undefined)[] =>
  nodeAt(layout, list).rows?.map(({ key }) => key) ?? [];

interface List {
  rows: Row[];
  lists: Record<string, unknown[]>;
}

/** Changes a list on every page that has its parent. */
function withList(packages: Packages, place: Place, change: (list: List) => List): Packages {
  const own = mapped(packages.bodies, (_, page) => placeIn(packages.layout, page, place));
  const lists = Object.entries(own).flatMap(([page, at]): [string, unknown[]][] => {
    const list = at && valueAt(packages.bodies[page], at);
    if (!at || (list !== undefined && !Array.isArray(list))) return [];
    return [[page, list ?? []]];
  });
  const before = Object.fromEntries(lists);
  const node = nodeAt(packages.layout, place);
  const changed = change({ rows: [...(node.rows ?? [])], lists: before });
  const bodies = mapped(packages.bodies, (body, page) => {
    const [at, list] = [own[page], changed.lists[page]];
    return at && list && list !== before[page] ? withValue(body, at, list) : body;
  });
  return { bodies, layout: withNode(packages.layout, place, { ...node, rows: changed.rows }) };
}

/** Inserts items as a new row, each at its index. */
function inserted({ rows, lists }: List, row: number, items: Removed['items'], key?: number): List {
  const present = Object.entries(items).flatMap(([page, { at, item }]) => {
    const list = lists[page];
    return list ? [{ page, item, at: Math.min(at, list.length) }] : [];
  });
  const moved = present.reduce((all, { page, at }) => reindexed(all, page, (one) => (one < at ? one : one + 1)), rows);
  const fresh = {
    at: Object.fromEntries(present.map(({ page, at }) => [page, at])),
    inner: withKeys(layoutOf(Object.fromEntries(present.map(({ page, item }) => [page, item])))),
    key: keyAgain(
      rows.map((one) => one.key),
      key,
    ),
  };
  const changed = present.map(({ page, at, item }) => [page, lists[page]?.toSpliced(at, 0, item) ?? []]);
  return { rows: moved.toSpliced(row, 0, fresh), lists: { ...lists, ...Object.fromEntries(changed) } };
}

function removed({ rows, lists }: List, row: number): List {
  const gone = rows[row]?.at ?? {};
  const left = Object.entries(gone).reduce(
    (all, [page, at]) => reindexed(all, page, (one) => (one > at ? one - 1 : one)),
    rows.toSpliced(row, 1),
  );
  return {
    rows: left,
    lists: mapped(lists, (list, page) => (gone[page] === undefined ? list : list.toSpliced(gone[page], 1))),
  };
}

/** Moves an item past its neighbour on each page that has both, unless they are in that order already. */
function moved({ rows, lists }: List, row: number, to: number): List {
  const [one, other] = [rows[row], rows[to]];
  if (!one || !other) return { rows, lists };
  const swapped = rows.toSpliced(row, 1).toSpliced(to, 0, one);
  return Object.keys(lists).reduce<List>(
    (all, page) => {
      const [from, past] = [one.at[page], other.at[page]];
      const list = all.lists[page];
      if (from === undefined || past === undefined || !list || from < past !== row < to) return all;
      const indexOf = (index: number) => {
        if (index === from) return past;
        if (index > from && index <= past) return index - 1;
        return index < from && index >= past ? index + 1 : index;
      };
      return {
        rows: reindexed(all.rows, page, indexOf),
        lists: { ...all.lists, [page]: list.toSpliced(from, 1).toSpliced(past, 0, list[from]) },
      };
    },
    { rows: swapped, lists },
  );
}

/** Changes a list in all languages; acting on a row acts on each of its items. */
export const withAct = (packages: Packages, place: Place, act: ListAct): Packages =>
  withList(packages, place, (list) => {
    if ('remove' in act) return removed(list, act.remove);
    if ('move' in act) return moved(list, act.move, act.to);
    const items = mapped(list.lists, ({ length }) => ({ at: length, item: act.add }));
    return inserted(list, list.rows.length, items);
  });

export function removedFrom({ bodies, layout }: Packages, list: Place, row: number): Removed {
  const items = Object.entries(bodies).flatMap(([page, body]) => {
    const place = placeIn(layout, page, [...list, row]);
    return place ? [[page, { at: Number(place.at(-1)), item: valueAt(body, place) }]] : [];
  });
  const key = keysAt(layout, list)[row];
  return { list, row, items: Object.fromEntries(items), ...(key === undefined ? {} : { key }) };
}

export const withRestored = (packages: Packages, { list, row, items, key }: Removed): Packages =>
  withList(packages, list, (all) => inserted(all, Math.min(row, all.rows.length), items, key));

/** Whether items before it were moved, so that its position has changed. */
export const isAbove = (list: Place, gone: Removed): boolean =>
  list.length < gone.list.length && list.every((step, index) => gone.list[index] === step);

/** The first row of the path that the page lacks. */
function lacking({ layout }: Packages, page: string, place: Place): Place | null {
  const at = place.findIndex((step, index) => {
    const row = typeof step === 'number' ? nodeAt(layout, place.slice(0, index)).rows?.[step] : undefined;
    return row !== undefined && !isIn(row, page);
  });
  return at < 0 ? null : place.slice(0, at + 1);
}

/** A new item for a row, empty except for its identifying field, which keeps it aligned with the other languages. */
function blankFor({ bodies, layout }: Packages, place: Place, shape: Shape | undefined): unknown {
  const others = Object.entries(bodies).flatMap(([page, body]) => {
    const own = placeIn(layout, page, place);
    return own ? [{ item: valueAt(body, own), list: valueAt(body, own.slice(0, -1)) }] : [];
  });
  const blank = blankItem(shape, place.slice(0, -1), others[0]?.list);
  const named = others.map(({ item }) => namingParts(item)).find((parts) => parts.length > 0) ?? [];
  return isPlainObject(blank) ? { ...blank, ...Object.fromEntries(named) } : blank;
}

/** The first input into a missing item creates it, after its predecessor and with all required fields. */
export function withText(
  packages: Packages,
  page: string,
  place: Place,
  value: unknown,
  shape: Shape | undefined,
): Packages {
  const missing = lacking(packages, page, place);
  if (missing) {
    const [list, row] = [missing.slice(0, -1), Number(missing.at(-1))];
    const item = blankFor(packages, missing, shape);
    const made = withList(packages, list, ({ rows, lists }) => {
      const before = rows.slice(0, row).findLast((one) => isIn(one, page))?.at[page] ?? -1;
      const placed = inserted({ rows, lists }, row, { [page]: { at: before + 1, item } });
      const [fresh, other] = [placed.rows[row], placed.rows[row + 1]];
      const joined: Row = { ...other, at: { ...other?.at, ...fresh?.at }, inner: other?.inner ?? {} };
      return { ...placed, rows: placed.rows.toSpliced(row, 2, joined) };
    });
    return placeIn(made.layout, page, missing) ? withText(made, page, place, value, shape) : packages;
  }
  const own = placeIn(packages.layout, page, place);
  const body = packages.bodies[page];
  if (!own || !body) return packages;
  return { ...packages, bodies: { ...packages.bodies, [page]: withValue(body, own, value) } };
}
