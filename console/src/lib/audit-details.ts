/** A changed field by name; `before` is undefined where it was not recorded. */
export interface Detail {
  name: string;
  before: unknown;
  after: unknown;
}

type Said = Readonly<Record<string, unknown>>;

const isSaid = (given: unknown): given is Said => typeof given === 'object' && given !== null && !Array.isArray(given);

/**
 * What a value of an act is called. A search or an erasure counts rows by table: these are called as on the page of the
 * person.
 */
export function detailName(name: string, sayOr: (key: string) => string): string {
  const word = sayOr(`detail.${name}`);
  const table = sayOr(`known.held.${name}`);
  return word === name && table !== `held ${name}` ? table : word;
}

/** Pairs the values before and after; unchanged ones are left out. An amount keeps its currency. */
export function detailsOf(before: unknown, after: unknown): Detail[] {
  const [old, now] = [isSaid(before) ? before : {}, isSaid(after) ? after : {}];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names
    .filter((name) => !(name === 'currency' && ('amount' in now || 'amount' in old)))
    .map((name) => ({ name, before: old[name], after: now[name] }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
}
