import { createHash } from 'node:crypto';

/** A limit, because lists of different lengths are different statements, and each connection stores every one. */
const maxNames = 300;
const names = new Map<string, string>();
/** Cached by statement, since the regular expression takes longer than this lookup. */
const starred = new Map<string, boolean>();

/**
 * Makes a named (prepared) statement, which each connection plans once; planning is half the cost of a small statement.
 * Statements that return all columns of a table are left unnamed: after a migration adds a column, the server would
 * refuse them until the connection is closed.
 */
export function plannedOnce(parameters: unknown[]): unknown[] {
  return returnsAllColumns(parameters[0]) ? parameters : named(parameters);
}

/**
 * Names a statement that has parameters. One without them may be several statements in one text, which cannot be
 * prepared.
 */
function named(parameters: unknown[]): unknown[] {
  const [text, values, ...rest] = parameters;
  if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return parameters;
  let name = names.get(text);
  if (!name && names.size < maxNames) {
    name = createHash('sha1').update(text).digest('base64url');
    names.set(text, name);
  }
  return name ? [{ name, text, values }, ...rest] : parameters;
}

function returnsAllColumns(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  let isStarred = starred.get(text);
  if (isStarred === undefined) {
    isStarred = /(select|returning|,|\.)\s*\*/i.test(text);
    if (starred.size < maxNames) starred.set(text, isStarred);
  }
  return isStarred;
}
