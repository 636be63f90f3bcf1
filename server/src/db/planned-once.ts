import { createHash } from 'node:crypto';

/** So many at most, for lists of different lengths are different texts and each is kept by every connection. */
const mostNames = 300;
const names = new Map<string, string>();
/** By text, since looking for a star took longer than finding it here. */
const starred = new Map<string, boolean>();

/**
 * A statement with a name is planned once for each connection, which is half of what a small one costs. Not those whose
 * answer has all columns of a table: after an upgrade adds one, the server would refuse them until the connection ends.
 */
export function plannedOnce(parameters: unknown[]): unknown[] {
  return answersAllColumns(parameters[0]) ? parameters : named(parameters);
}

/** With a name for every text that has values; many statements in one text have none, and cannot have a name. */
export function named(parameters: unknown[]): unknown[] {
  const [text, values, ...rest] = parameters;
  if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return parameters;
  let name = names.get(text);
  if (!name && names.size < mostNames) {
    name = createHash('sha1').update(text).digest('base64url');
    names.set(text, name);
  }
  return name ? [{ name, text, values }, ...rest] : parameters;
}

function answersAllColumns(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  let isStarred = starred.get(text);
  if (isStarred === undefined) {
    isStarred = /(select|returning|,|\.)\s*\*/i.test(text);
    if (starred.size < mostNames) starred.set(text, isStarred);
  }
  return isStarred;
}
