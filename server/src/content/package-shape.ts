import type { ContentFaultCode, Parameters } from '@portal/contract/console/refusals.ts';
import { marked } from 'marked';
import { isMarkdown } from './clean-package.ts';

/** The structure of a package that the pages rendering it rely on. */
export interface Shape {
  is: 'a list' | 'an object' | 'a text' | 'a number' | 'a choice' | 'anything';
  keys?: Record<string, Shape>;
  /** Undefined if the list was always empty. */
  item?: Shape | undefined;
}

const kinds: Partial<Record<string, Shape['is']>> = {
  object: 'an object',
  string: 'a text',
  number: 'a number',
  boolean: 'a choice',
};
const kindOf = (body: unknown): Shape['is'] =>
  Array.isArray(body) ? 'a list' : (body !== null && kinds[typeof body]) || 'anything';

export function shapeOf(body: unknown): Shape {
  if (Array.isArray(body))
    return { is: 'a list', item: body.map(shapeOf).reduce<Shape | undefined>(common, undefined) };
  const is = kindOf(body);
  if (is !== 'an object') return { is };
  const entries = Object.entries(body as object).map(([key, value]): [string, Shape] => [key, shapeOf(value)]);
  return { is, keys: Object.fromEntries(entries) };
}

/** The intersection of two shapes: pages cannot rely on a key that is only in some. */
function common(one: Shape | undefined, other: Shape | undefined): Shape | undefined {
  if (!one || !other) return one ?? other;
  if (one.is !== other.is) return { is: 'anything' };
  const keys = Object.entries(one.keys ?? {}).flatMap(([key, shape]): [string, Shape][] => {
    const both = other.keys && Object.hasOwn(other.keys, key) ? common(shape, other.keys[key]) : undefined;
    return both ? [[key, both]] : [];
  });
  return { is: one.is, keys: Object.fromEntries(keys), item: common(one.item, other.item) };
}

/** An error in a package: its path, such as `groups[0].title`, its code, and a sentence for the command line. */
export interface Fault {
  at: string;
  code: ContentFaultCode;
  parameters?: Parameters;
  says: string;
}

const wrongKinds = {
  'a list': 'notList',
  'an object': 'notObject',
  'a text': 'notText',
  'a number': 'notNumber',
  'a choice': 'notChoice',
} as const;

/**
 * Every place where the structure differs. A stored package may lack texts at its top level, if it was edited before a
 * release added them; that is no error.
 */
export function shapeFaults(shape: Shape, body: unknown, { at = '', isStored = false } = {}): Fault[] {
  if (shape.is === 'anything') return [];
  const is = kindOf(body);
  if (is !== shape.is) return [{ at, code: wrongKinds[shape.is], says: `${at || 'The package'} must be ${shape.is}.` }];
  if (Array.isArray(body)) {
    const { item } = shape;
    return item ? body.flatMap((one, index) => shapeFaults(item, one, { at: `${at}[${index}]` })) : [];
  }
  return Object.entries(shape.keys ?? {}).flatMap(([key, inner]): Fault[] => {
    const place = at ? `${at}.${key}` : key;
    if (Object.hasOwn(body as object, key))
      return shapeFaults(inner, (body as Record<string, unknown>)[key], { at: place });
    return isStored && inner.is === 'a text' ? [] : [{ at: place, code: 'missing', says: `${place} is missing.` }];
  });
}

const wrongWholes: ReadonlySet<ContentFaultCode> = new Set([
  ...Object.values(wrongKinds),
  'missing',
  'notForm',
  'isTable',
]);

/** Each fault once; of a part that is wrong as a whole, nothing else. */
export function outermost(faults: readonly Fault[]): Fault[] {
  const wholes = new Set(faults.flatMap(({ at, code }) => (wrongWholes.has(code) ? [at] : [])));
  const isWithin = (at: string) =>
    wholes.has('') || [...at.matchAll(/[.[]/g)].some(({ index }) => wholes.has(at.slice(0, index)));
  return faults.filter(
    ({ at, code }, index) =>
      !(at !== '' && isWithin(at)) &&
      !(wholes.has(at) && !wrongWholes.has(code)) &&
      faults.findIndex((one) => one.at === at && one.code === code) === index,
  );
}

/** Every text of a package with its path. */
export function textsIn(body: unknown, at = ''): [at: string, key: string, text: string][] {
  if (typeof body === 'string') return [[at, at.slice(at.lastIndexOf('.') + 1), body]];
  if (Array.isArray(body)) return body.flatMap((one, index) => textsIn(one, `${at}[${index}]`));
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => textsIn(value, at ? `${at}.${key}` : key));
}

const generalPlace = (at: string) => at.replace(/\[\d+\]/g, '[]');

/** Paths where all these packages have an empty text, with list items as one: `groups[].note`. */
export const emptyPlaces = (bodies: readonly unknown[]): ReadonlySet<string> =>
  new Set(bodies.flatMap((body) => textsIn(body).flatMap(([at, , text]) => (text.trim() ? [] : [generalPlace(at)]))));

/** Required texts that are empty: customers would see a gap. */
export function emptyFaults(shape: Shape, body: unknown, mayBeEmpty: ReadonlySet<string>, at = ''): Fault[] {
  if (typeof body === 'string') {
    const isGap = shape.is === 'a text' && body.trim() === '' && !mayBeEmpty.has(generalPlace(at));
    return isGap ? [{ at, code: 'saysNothing', says: `${at} says nothing.` }] : [];
  }
  if (Array.isArray(body))
    return body.flatMap((one, index) =>
      shape.item ? emptyFaults(shape.item, one, mayBeEmpty, `${at}[${index}]`) : [],
    );
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(shape.keys ?? {}).flatMap(([key, inner]) =>
    Object.hasOwn(body, key)
      ? emptyFaults(inner, (body as Record<string, unknown>)[key], mayBeEmpty, at ? `${at}.${key}` : key)
      : [],
  );
}

/** Every path of a package, with list items as one: `groups[].title`. */
function placesIn(body: unknown, at = ''): string[] {
  if (Array.isArray(body)) return body.flatMap((one) => placesIn(one, `${at}[]`));
  if (typeof body !== 'object' || body === null) return [at];
  return [at, ...Object.entries(body).flatMap(([key, value]) => placesIn(value, at ? `${at}.${key}` : key))];
}

const placeholdersIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The paths and placeholders that a draft may have. */
export interface KnownPlaces {
  places: ReadonlySet<string>;
  placeholders: ReadonlySet<string>;
}

export const knownPlacesIn = (bodies: readonly unknown[]): KnownPlaces => ({
  places: new Set(bodies.flatMap((body) => placesIn(body))),
  // Every package may use the operator's name.
  placeholders: new Set([
    'brand',
    ...bodies.flatMap((body) => textsIn(body).flatMap(([, , text]) => placeholdersIn(text))),
  ]),
});

/** Keys that no page reads and placeholders that nothing fills in are typing errors, which customers would see. */
export function unknownFaults(body: unknown, { places, placeholders }: KnownPlaces, at = '', general = ''): Fault[] {
  if (typeof body === 'string') {
    const names = placeholdersIn(body).filter((name) => !placeholders.has(name));
    if (names.length === 0) return [];
    const written = names.map((name) => `{${name}}`).join(', ');
    const says = `${at} holds ${written}, which nothing fills in.`;
    return [{ at, code: 'unknownPlaceholder', parameters: { names: written }, says }];
  }
  if (Array.isArray(body))
    return body.flatMap((one, index) =>
      unknownFaults(one, { places, placeholders }, `${at}[${index}]`, `${general}[]`),
    );
  // Nothing is known about the items of a list that was always empty.
  if (typeof body !== 'object' || body === null || !places.has(general)) return [];
  return Object.entries(body).flatMap(([key, value]): Fault[] => {
    const [place, known] = [at ? `${at}.${key}` : key, general ? `${general}.${key}` : key];
    // A list is known by its items.
    const isKnown = places.has(known) || [...places].some((one) => one.startsWith(`${known}[`)) || isEmptyList(value);
    if (!isKnown) return [{ at: place, code: 'unknownKey', says: `${place} is no part of this package.` }];
    return unknownFaults(value, { places, placeholders }, place, known);
  });
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** The targets that a link may have; the text of `badLink` lists them. */
const isLink = (target: string): boolean => /^(?:https:\/\/|mailto:|tel:|#|\/(?![/\\]))/i.test(target);
const isUnsafe = (target: string): boolean => /^http:\/\//i.test(target);

/** Links in prose, in Markdown or HTML. Targets with placeholders are checked when those are filled in. */
const linksIn = (text: string): string[] =>
  [...text.matchAll(/(?<!!)\]\(\s*<?([^)\s>]+)|<a\b[^>]*?\bhref\s*=\s*["']?([^"'\s>]+)/gi)].flatMap(
    ([, written, marked]) => written ?? marked ?? [],
  );

/** Bare addresses, from which Markdown makes links too, except in code. */
function addressesIn(markdown: string): string[] {
  const found: string[] = [];
  if (!/http:/i.test(markdown)) return found;
  marked.walkTokens(marked.lexer(markdown), ({ type, raw }) => {
    if (type === 'link' && /^<?http:/i.test(raw)) found.push(raw.replace(/[<>]/g, ''));
  });
  return found;
}

/** Links that the sanitiser would silently remove: neither a page of ours nor a complete URL. */
export const linkFaults = (body: unknown): Fault[] =>
  textsIn(body).flatMap(([at, key, text]): Fault[] => {
    const written = [...linksIn(text), ...(isMarkdown(key) ? addressesIn(text) : [])];
    const links = key === 'href' ? [text] : written.filter((link) => !link.startsWith('{'));
    const refused = links.filter((link) => !isLink(link));
    if (refused.length === 0) return [];
    // An http link that is already published stays, so it is not removed.
    const dropped = key === 'href' ? [] : refused.filter((link) => !isUnsafe(link));
    const named = dropped.join(', ');
    const says = `${at} links to ${named}, which no page shows.`;
    const faults: Fault[] = [{ at, code: 'droppedLink', parameters: { links: named }, says }];
    if (dropped.length === refused.length) return faults;
    const bad: Fault = { at, code: 'badLink', says: `${at} must begin with /, https://, mailto: or tel:.` };
    return dropped.length === 0 ? [bad] : [bad, ...faults];
  });

const idPattern = /^[a-z0-9-]{1,64}$/;

/** Ids of questions and topics are part of URLs, and votes are counted by them. */
export function helpFaults(body: unknown): Fault[] {
  const seen = new Set<string>();
  return textsIn(body)
    .filter(([, key]) => key === 'id')
    .flatMap(([at, , id]): Fault[] => {
      if (!idPattern.test(id))
        return [{ at, code: 'badName', says: `${at} must be of small letters, digits and hyphens.` }];
      if (at.includes('questions[') && seen.has(id))
        return [{ at, code: 'sameName', parameters: { name: id }, says: `${at}: another question is named ${id}.` }];
      seen.add(id);
      return [];
    });
}
