/**
 * Aligns the items of a package's lists across languages. Lists may differ, because an item may be published in one
 * language only.
 */
export interface Layout {
  /** For a list. */
  rows?: readonly Row[];
  /** For an object: its fields that contain lists. */
  fields?: Readonly<Record<string, Layout>>;
}

/** One item: its index on each page that has it. */
export interface Row {
  at: Readonly<Record<string, number>>;
  inner: Layout;
  /** Stays with the item in a form, however its position changes. */
  key?: number;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields that identify an item in every language. A name beside a label is for programs; people read the label. */
export function namingParts(item: unknown): [part: string, name: string][] {
  if (!isObject(item)) return [];
  const parts = ['id', 'href', 'path', ...('label' in item ? ['name'] : [])];
  return parts.flatMap((part): [string, string][] => {
    const name = item[part];
    return typeof name === 'string' && name !== '' ? [[part, name]] : [];
  });
}

/** An item's identity within its list; null if it has only its position. */
export function identityOf(item: unknown): string | null {
  const [first] = namingParts(item);
  return first ? first.join(' ') : null;
}

const isLinkNamed = (item: unknown) => /^(?:href|path) /.test(identityOf(item) ?? '');

/** The identities of nested items: a group of links is identified by its links. */
function innerIdentities(item: unknown): string[] {
  if (Array.isArray(item)) return item.flatMap((one) => identityOf(one) ?? innerIdentities(one));
  return isObject(item) ? Object.values(item).flatMap(innerIdentities) : [];
}

type Lists = Readonly<Record<string, readonly unknown[]>>;
type Places = Record<string, number>;

/** The rows of one list, in the order of the first page; an item that it lacks follows its predecessor. */
function rowsOf(lists: Lists): Places[] {
  const rows: Places[] = [];
  for (const [page, list] of Object.entries(lists)) {
    const found = matches(rows, lists, list);
    let last = -1;
    for (const index of list.keys()) {
      const row = found.get(index) ?? {};
      row[page] = index;
      if (!rows.includes(row)) rows.splice(last + 1, 0, row);
      last = rows.indexOf(row);
    }
  }
  return rows;
}

/** The row of each item that matches one. */
function matches(rows: readonly Places[], lists: Lists, list: readonly unknown[]): Map<number, Places> {
  const found = new Map<number, Places>();
  const free = new Set(rows);
  const samplesOf = (row: Places) => Object.entries(row).map(([page, index]) => lists[page]?.[index]);
  const take = (index: number, row: Places | undefined) => {
    if (!row) return;
    free.delete(row);
    found.set(index, row);
  };
  const rest = () => [...list.entries()].filter(([index]) => !found.has(index));

  for (const [index, item] of list.entries()) {
    const identity = identityOf(item);
    if (identity !== null)
      take(
        index,
        [...free].find((row) => samplesOf(row).some((one) => identityOf(one) === identity)),
      );
  }
  for (const [index, item] of rest().filter(([, one]) => identityOf(one) === null)) {
    const inner = new Set(innerIdentities(item));
    const shared = (row: Places) =>
      Math.max(0, ...samplesOf(row).map((one) => innerIdentities(one).filter((name) => inner.has(name)).length));
    const [closest] = [...free].toSorted((one, other) => shared(other) - shared(one));
    if (closest && shared(closest) > 0) take(index, closest);
  }
  // A link may have another target in one language: between the same neighbours it is the same item.
  for (const [index, item] of rest()) {
    if (!isLinkNamed(item)) continue;
    const [before, after] = [found.get(index - 1), found.get(index + 1)];
    const at = before ? rows.indexOf(before) + 1 : 0;
    const [row, next] = [rows[at], rows[at + 1]];
    const isBetween = (index === 0 || before) && (index === list.length - 1 ? !next : next && next === after);
    if (row && isBetween && free.has(row) && samplesOf(row).every(isLinkNamed)) take(index, row);
  }
  // By position if neither item has an identity, then if one has none because its name is still to be written.
  const isNamed = (item: unknown) => identityOf(item) !== null || innerIdentities(item).length > 0;
  for (const mayBeNamed of [false, true])
    for (const [index, item] of rest()) {
      const named = isNamed(item);
      if (named && !mayBeNamed) continue;
      const isFitting = (row: Places) => (mayBeNamed && !named) || !samplesOf(row).some(isNamed);
      take(index, [...free].find(isFitting));
    }
  return found;
}

const valuesAt = (values: Readonly<Record<string, unknown>>, at: Places): Record<string, unknown> =>
  Object.fromEntries(Object.entries(at).map(([page, index]) => [page, (values[page] as unknown[])[index]]));

/** Aligns the lists of a package, from the value of each page. */
export function layoutOf(values: Readonly<Record<string, unknown>>): Layout {
  const lists = Object.entries(values).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  if (lists.length > 0)
    return {
      rows: rowsOf(Object.fromEntries(lists)).map((at) => ({ at, inner: layoutOf(valuesAt(values, at)) })),
    };
  const objects = Object.entries(values).filter((entry): entry is [string, Record<string, unknown>] =>
    isObject(entry[1]),
  );
  const keys = new Set(
    objects.flatMap(([, value]) => Object.keys(value).filter((key) => typeof value[key] === 'object')),
  );
  const fields = [...keys].map((key): [string, Layout] => [
    key,
    layoutOf(Object.fromEntries(objects.map(([page, value]) => [page, value[key]]))),
  ]);
  return { fields: Object.fromEntries(fields) };
}

/** A page's package with its lists in row order, and undefined where it lacks an item. */
export function inRows({ rows, fields = {} }: Layout, page: string, body: unknown): unknown {
  if (rows && (body === undefined || Array.isArray(body)))
    return body?.length === 0 && rows.length === 0
      ? body
      : rows.map(({ at, inner }) => (at[page] === undefined ? undefined : inRows(inner, page, body?.[at[page]])));
  if (!isObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, fields[key] ? inRows(fields[key], page, value) : value]),
  );
}

/** The page's own path for a place in rows; null if the page lacks an item on the way. */
export function placeIn(
  layout: Layout,
  page: string,
  [step, ...rest]: readonly (string | number)[],
): (string | number)[] | null {
  if (step === undefined) return [];
  const row = typeof step === 'number' ? layout.rows?.[step] : undefined;
  const own = typeof step === 'number' ? row?.at[page] : step;
  if (own === undefined) return null;
  const inner = row ? row.inner : (layout.fields?.[step] ?? {});
  const place = placeIn(inner, page, rest);
  return place && [own, ...place];
}

/** The reverse: the place in rows of a page's own path; null if no row has that item. */
export function placeInRows(
  layout: Layout,
  page: string,
  [step, ...rest]: readonly (string | number)[],
): (string | number)[] | null {
  if (step === undefined) return [];
  const index = typeof step === 'number' ? (layout.rows ?? []).findIndex(({ at }) => at[page] === step) : -1;
  if (typeof step === 'number' && layout.rows && index < 0) return null;
  const inner = layout.rows?.[index]?.inner ?? layout.fields?.[step] ?? {};
  const place = placeInRows(inner, page, rest);
  return place && [index < 0 ? step : index, ...place];
}
