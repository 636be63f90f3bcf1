import type { ContentFaultCode, Parameters } from '@portal/contract/console/refusals.ts';
import { marked } from 'marked';
import { isMarkdown } from './clean-package.ts';

/** How a package is built: what the pages that draw it may rely on. */
export interface Shape {
  is: 'a list' | 'an object' | 'a text' | 'a number' | 'a choice' | 'anything';
  keys?: Record<string, Shape>;
  /** Of a list that was never seen with anything in it, nothing is known. */
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

/** What all of several have; a key that only some have is nobody's to rely on. */
function common(one: Shape | undefined, other: Shape | undefined): Shape | undefined {
  if (!one || !other) return one ?? other;
  if (one.is !== other.is) return { is: 'anything' };
  const keys = Object.entries(one.keys ?? {}).flatMap(([key, shape]): [string, Shape][] => {
    const both = other.keys && Object.hasOwn(other.keys, key) ? common(shape, other.keys[key]) : undefined;
    return both ? [[key, both]] : [];
  });
  return { is: one.is, keys: Object.fromEntries(keys), item: common(one.item, other.item) };
}

/** What is wrong with a package: the place, as `groups[0].title`, and why; the sentence is for who reads at a terminal. */
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
 * The first place where a package is built otherwise; null where there is none. What was stored already may lack a text
 * at its top, as one that was edited before a release brought another does: it is told apart from a wreck.
 */
export function shapeFault(shape: Shape, body: unknown, { at = '', isStored = false } = {}): Fault | null {
  if (shape.is === 'anything') return null;
  const is = kindOf(body);
  if (is !== shape.is) return { at, code: wrongKinds[shape.is], says: `${at || 'The package'} must be ${shape.is}.` };
  if (Array.isArray(body)) {
    for (const [index, one] of body.entries()) {
      const fault = shape.item && shapeFault(shape.item, one, { at: `${at}[${index}]` });
      if (fault) return fault;
    }
    return null;
  }
  for (const [key, inner] of Object.entries(shape.keys ?? {})) {
    const place = at ? `${at}.${key}` : key;
    const isThere = Object.hasOwn(body as object, key);
    if (!isThere && !(isStored && inner.is === 'a text'))
      return { at: place, code: 'missing', says: `${place} is missing.` };
    const fault = isThere && shapeFault(inner, (body as Record<string, unknown>)[key], { at: place });
    if (fault) return fault;
  }
  return null;
}

/** Every text of a package with its place. */
export function textsIn(body: unknown, at = ''): [at: string, key: string, text: string][] {
  if (typeof body === 'string') return [[at, at.slice(at.lastIndexOf('.') + 1), body]];
  if (Array.isArray(body)) return body.flatMap((one, index) => textsIn(one, `${at}[${index}]`));
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => textsIn(value, at ? `${at}.${key}` : key));
}

const generalPlace = (at: string) => at.replace(/\[\d+\]/g, '[]');

/** Where these packages say nothing themselves, the items of a list as one: `groups[].note`. */
export const emptyPlaces = (bodies: readonly unknown[]): ReadonlySet<string> =>
  new Set(bodies.flatMap((body) => textsIn(body).flatMap(([at, , text]) => (text.trim() ? [] : [generalPlace(at)]))));

/** Texts that every such package has and that say nothing here, but for those that may: customers would see a gap. */
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

/** Every place of a package, the items of a list as one: `groups[].title`. */
function placesIn(body: unknown, at = ''): string[] {
  if (Array.isArray(body)) return body.flatMap((one) => placesIn(one, `${at}[]`));
  if (typeof body !== 'object' || body === null) return [at];
  return [at, ...Object.entries(body).flatMap(([key, value]) => placesIn(value, at ? `${at}.${key}` : key))];
}

const placeholdersIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** What a draft may hold: the places and placeholders of packages that pages are made for. */
export interface KnownPlaces {
  places: ReadonlySet<string>;
  placeholders: ReadonlySet<string>;
}

export const knownIn = (bodies: readonly unknown[]): KnownPlaces => ({
  places: new Set(bodies.flatMap((body) => placesIn(body))),
  // Of the operator's name alone every package may speak.
  placeholders: new Set([
    'brand',
    ...bodies.flatMap((body) => textsIn(body).flatMap(([, , text]) => placeholdersIn(text))),
  ]),
});

/** Keys that no page reads, and placeholders that nobody fills in: a typing error that customers would see, or miss. */
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
  // Of a list that was never seen with anything in it, nothing is known.
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

/** What a link may lead to; the words of `badLink` say so. */
const isLink = (target: string): boolean => /^(?:https:\/\/|mailto:|tel:|#|\/(?![/\\]))/i.test(target);
const isUnsafe = (target: string): boolean => /^http:\/\//i.test(target);

/** In prose: as Markdown writes a link, and as HTML does. What is filled in later is looked at then. */
const linksIn = (text: string): string[] =>
  [...text.matchAll(/(?<!!)\]\(\s*<?([^)\s>]+)|<a\b[^>]*?\bhref\s*=\s*["']?([^"'\s>]+)/gi)].flatMap(
    ([, written, marked]) => written ?? marked ?? [],
  );

/** Addresses without words, from which Markdown makes links too; those in code are none. */
function addressesIn(markdown: string): string[] {
  const found: string[] = [];
  if (!/http:/i.test(markdown)) return found;
  marked.walkTokens(marked.lexer(markdown), ({ type, raw }) => {
    if (type === 'link' && /^<?http:/i.test(raw)) found.push(raw.replace(/[<>]/g, ''));
  });
  return found;
}

/** Links that lead neither to a page of ours nor to a whole address: in prose they would be left out without a word. */
export const linkFaults = (body: unknown): Fault[] =>
  textsIn(body).flatMap(([at, key, text]): Fault[] => {
    const written = [...linksIn(text), ...(isMarkdown(key) ? addressesIn(text) : [])];
    const links = key === 'href' ? [text] : written.filter((link) => !link.startsWith('{'));
    const refused = links.filter((link) => !isLink(link));
    if (refused.length === 0) return [];
    // Pages show a link without encryption that was published before, so they do not leave it out.
    const dropped = refused.filter((link) => !isUnsafe(link));
    if (key === 'href' || dropped.length === 0)
      return [{ at, code: 'badLink', says: `${at} must begin with /, https://, mailto: or tel:.` }];
    const named = dropped.join(', ');
    const says = `${at} links to ${named}, which no page shows.`;
    return [{ at, code: 'droppedLink', parameters: { links: named }, says }];
  });

const idPattern = /^[a-z0-9-]{1,64}$/;

/** The names of questions and topics stand in addresses, and votes are counted by them. */
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
