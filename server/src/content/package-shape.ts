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

/** What is wrong with a package: the place, as `groups[0].title`, and a sentence for whoever wrote it. */
export interface Fault {
  at: string;
  says: string;
}

/**
 * The first place where a package is built otherwise; null where there is none. What was stored already may lack a text
 * at its top, as one that was edited before a release brought another does: it is told apart from a wreck.
 */
export function shapeFault(shape: Shape, body: unknown, { at = '', isStored = false } = {}): Fault | null {
  if (shape.is === 'anything') return null;
  const is = kindOf(body);
  if (is !== shape.is) return { at, says: `${at || 'The package'} must be ${shape.is}.` };
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
    if (!isThere && !(isStored && inner.is === 'a text')) return { at: place, says: `${place} is missing.` };
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

const linkTarget = /^(?:https?:\/\/|mailto:|tel:|#|\/(?![/\\]))/i;

/** Links that lead neither to a page of ours nor to a whole address. */
export const linkFaults = (body: unknown): Fault[] =>
  textsIn(body)
    .filter(([, key, text]) => key === 'href' && !linkTarget.test(text))
    .map(([at]) => ({ at, says: `${at} must begin with /, https://, mailto: or tel:.` }));

const idPattern = /^[a-z0-9-]{1,64}$/;

/** The names of questions and topics stand in addresses, and votes are counted by them. */
export function helpFaults(body: unknown): Fault[] {
  const seen = new Set<string>();
  return textsIn(body)
    .filter(([, key]) => key === 'id')
    .flatMap(([at, , id]): Fault[] => {
      if (!idPattern.test(id)) return [{ at, says: `${at} must be of small letters, digits and hyphens.` }];
      if (at.includes('questions[') && seen.has(id)) return [{ at, says: `${at}: another question is named ${id}.` }];
      seen.add(id);
      return [];
    });
}
