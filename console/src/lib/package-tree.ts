import { identityOf } from '@portal/domain/content/package-rows.ts';
import { diffArrays } from 'diff';

/** A content package as a form sees it: a tree of texts, numbers and choices. */
export type Place = readonly (string | number)[];
export type Body = Record<string, unknown> | unknown[];

/** The shape of the pack's own package, as far as a form needs it. */
export interface Shape {
  is: string;
  keys?: Record<string, Shape>;
  item?: Shape;
}

/** A path as the server writes it: `groups[0].title`. */
export const placeName = (place: Place): string =>
  place.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name}[${step}]` : name ? `${name}.${step}` : step),
    '',
  );

export function valueAt(body: unknown, place: Place): unknown {
  return place.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? (inner as Record<string | number, unknown>)[step]
        : undefined,
    body,
  );
}

/** A copy of the package with another value at a path. */
export function withValue<T>(body: T, [step, ...rest]: Place, value: unknown): T {
  if (step === undefined) return value as T;
  if (Array.isArray(body)) {
    const copy: unknown[] = [...body];
    copy[step as number] = withValue(copy[step as number], rest, value);
    return copy as T;
  }
  const inner = (body ?? {}) as Record<string, unknown>;
  return { ...inner, [step]: withValue(inner[step], rest, value) } as T;
}

/** All leaves of a package, with their paths; an item that is not there has none. */
export function leavesOf(body: unknown, place: Place = []): { place: Place; value: unknown }[] {
  if (body === undefined) return [];
  if (Array.isArray(body)) return body.flatMap((one, index) => leavesOf(one, [...place, index]));
  if (typeof body === 'object' && body !== null)
    return Object.entries(body).flatMap(([key, value]) => leavesOf(value, [...place, key]));
  return [{ place, value: body }];
}

const shapeAt = (shape: Shape | undefined, place: Place): Shape | undefined =>
  place.reduce<Shape | undefined>(
    (inner, step) => (typeof step === 'number' ? inner?.item : inner?.keys?.[step]),
    shape,
  );

function blankOf({ is, keys = {} }: Shape): unknown {
  if (is === 'an object') return Object.fromEntries(Object.entries(keys).map(([key, inner]) => [key, blankOf(inner)]));
  if (is === 'a list') return [];
  if (is === 'a number') return 0;
  return is === 'a choice' ? false : '';
}

const shapeOf = (value: unknown): Shape => {
  if (Array.isArray(value)) return { is: 'a list' };
  if (typeof value === 'number') return { is: 'a number' };
  if (typeof value === 'boolean') return { is: 'a choice' };
  if (typeof value !== 'object' || value === null) return { is: 'a text' };
  return {
    is: 'an object',
    keys: Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)])),
  };
};

/** A new, empty item for the list at a path, with all required fields. */
export function blankItem(shape: Shape | undefined, place: Place, list: unknown): unknown {
  const known = shapeAt(shape, place)?.item;
  const first = Array.isArray(list) ? list[0] : undefined;
  return blankOf(known && known.is !== 'anything' ? known : shapeOf(first));
}

/** One of hundreds of texts whose key only programs read is shown by its group and its own text. */
export interface KeyedText {
  key: string;
  says: string;
}

/** A path in people's terms: field names, list items, and keyed texts by their content. */
export type Trail = readonly (string | KeyedText | { index: number; item: unknown })[];

const isKey = (name: string) => name.includes('.');

/** A field by its name, or by its text in the first of these packages where the name is only a key. */
export const stepTo = (name: string, values: readonly unknown[]): string | KeyedText =>
  isKey(name) ? { key: name, says: values.map(written).find(Boolean) ?? '' } : name;

export const trailName = (trail: Trail): string =>
  placeName(trail.map((step) => (typeof step === 'string' ? step : 'key' in step ? step.key : step.index)));

/** The readable path to a place, its items taken from the first of these packages. */
export const trailTo = (place: Place, bodies: readonly unknown[]): Trail =>
  place.map((step, at) => {
    const items = bodies.map((body) => valueAt(body, place.slice(0, at + 1)));
    if (typeof step === 'string') return stepTo(step, items);
    return { index: step, item: items.find((item) => item !== undefined) };
  });

/** Parses a path of the server in that package: where texts are keyed, the rest of the path is one key. */
export const placeNamed = (name: string, body: unknown): Place => {
  if (isPlainObject(body) && Object.keys(body).some(isKey)) return [name];
  return name.split(/[.[]/).flatMap((step) => {
    if (step === '') return [];
    return step.endsWith(']') ? Number(step.slice(0, -1)) : step;
  });
};

export interface Difference {
  at: string;
  trail: Trail;
  before: string;
  after: string;
}

const written = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !Array.isArray(value);

/** Whether two items are versions of the same one. */
const isSameItem = (one: unknown, other: unknown): boolean => {
  const name = identityOf(one);
  if (name !== null) return name === identityOf(other);
  return JSON.stringify(one) === JSON.stringify(other);
};

/**
 * Aligns the items of two lists: additions and removals move nothing else, and a rewritten item faces its old
 * version.
 */
function itemPairs(before: unknown[], after: unknown[]): { at: number; was: unknown; is: unknown }[] {
  const pairs: { at: number; was: unknown; is: unknown }[] = [];
  const gone: unknown[] = [];
  let [old, fresh] = [0, 0];
  const letGo = () => {
    for (const was of gone.splice(0)) pairs.push({ at: fresh, was, is: undefined });
  };
  for (const { count, added, removed } of diffArrays(before, after, { comparator: isSameItem })) {
    if (!removed && !added) letGo();
    for (let step = 0; step < count; step += 1) {
      if (removed) gone.push(before[old++]);
      else pairs.push({ at: fresh, was: added ? gone.shift() : before[old++], is: after[fresh++] });
    }
    if (added) letGo();
  }
  letGo();
  return pairs;
}

/** Each path whose text differs, in the package's order. */
export function differencesOf(before: unknown, after: unknown, trail: Trail = []): Difference[] {
  if ([before, after].every((one) => one === undefined || Array.isArray(one)))
    return itemPairs((before as unknown[]) ?? [], (after as unknown[]) ?? []).flatMap(({ at, was, is }) =>
      differencesOf(was, is, [...trail, { index: at, item: is ?? was }]),
    );
  if ([before, after].every((one) => one === undefined || isObject(one))) {
    const keys = new Set([after, before].flatMap((one) => Object.keys(one ?? {})));
    return [...keys].flatMap((key) => {
      const [was, is] = [valueAt(before, [key]), valueAt(after, [key])];
      return differencesOf(was, is, [...trail, stepTo(key, [was, is])]);
    });
  }
  const [was, is] = [written(before), written(after)];
  return was === is ? [] : [{ at: trailName(trail), trail, before: was, after: is }];
}
