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

/**
 * The first place where a package is built otherwise, in a sentence; null where it is not. What was stored already may
 * lack a text at its top, as one that was edited before a release brought another does: it is told apart from a wreck.
 */
export function shapeProblem(shape: Shape, body: unknown, { at = '', isStored = false } = {}): string | null {
  if (shape.is === 'anything') return null;
  const is = kindOf(body);
  if (is !== shape.is) return `${at || 'The package'} must be ${shape.is}.`;
  if (Array.isArray(body)) {
    for (const [index, one] of body.entries()) {
      const problem = shape.item && shapeProblem(shape.item, one, { at: `${at}[${index}]` });
      if (problem) return problem;
    }
    return null;
  }
  for (const [key, inner] of Object.entries(shape.keys ?? {})) {
    const place = at ? `${at}.${key}` : key;
    const isThere = Object.hasOwn(body as object, key);
    if (!isThere && !(isStored && inner.is === 'a text')) return `${place} is missing.`;
    const problem = isThere && shapeProblem(inner, (body as Record<string, unknown>)[key], { at: place });
    if (problem) return problem;
  }
  return null;
}
