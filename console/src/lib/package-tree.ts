import { diffArrays } from 'diff';

/** A package of content as a form sees it: a tree of texts, figures and choices. */
export type Place = readonly (string | number)[];
export type Body = Record<string, unknown> | unknown[];

/** How the pack's own package is built, as far as a form has to know. */
export interface Shape {
  is: string;
  keys?: Record<string, Shape>;
  item?: Shape;
}

/** As the server writes a place: `groups[0].title`. */
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

/** The same package with another value at a place; the one that was given stays as it is. */
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

export type ListAct = { add: unknown } | { remove: number } | { move: number; to: number };

export function changedList(list: unknown, act: ListAct): unknown[] {
  const copy: unknown[] = Array.isArray(list) ? [...list] : [];
  if ('add' in act) return [...copy, act.add];
  if ('remove' in act) return copy.filter((_, index) => index !== act.remove);
  if (Math.max(act.move, act.to) >= copy.length) return copy;
  copy.splice(act.to, 0, ...copy.splice(act.move, 1));
  return copy;
}

/** Everything in a package that is no list and no object, with its place. */
export function leavesOf(body: unknown, place: Place = []): { place: Place; value: unknown }[] {
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

/** A new item for the list at a place: what each has to have, and nothing in it. */
export function blankItem(shape: Shape | undefined, place: Place, list: unknown): unknown {
  const known = shapeAt(shape, place)?.item;
  const first = Array.isArray(list) ? list[0] : undefined;
  return blankOf(known && known.is !== 'anything' ? known : shapeOf(first));
}

export interface Difference {
  at: string;
  before: string;
  after: string;
}

const written = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The same item in another version, though something in it may be new. */
const isSameItem = (one: unknown, other: unknown): boolean => {
  if (isObject(one) && isObject(other) && one.id !== undefined) return one.id === other.id;
  return JSON.stringify(one) === JSON.stringify(other);
};

/** Items of two lists beside each other: what came or went moves nothing else, what was rewritten faces what it was. */
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

/** Each place whose text is another one, in the order of the package. */
export function differencesOf(before: unknown, after: unknown, place: Place = []): Difference[] {
  if ([before, after].every((one) => one === undefined || Array.isArray(one)))
    return itemPairs((before as unknown[]) ?? [], (after as unknown[]) ?? []).flatMap(({ at, was, is }) =>
      differencesOf(was, is, [...place, at]),
    );
  if ([before, after].every((one) => one === undefined || isObject(one))) {
    const keys = new Set([after, before].flatMap((one) => Object.keys(one ?? {})));
    return [...keys].flatMap((key) => differencesOf(valueAt(before, [key]), valueAt(after, [key]), [...place, key]));
  }
  const [was, is] = [written(before), written(after)];
  return was === is ? [] : [{ at: placeName(place), before: was, after: is }];
}
