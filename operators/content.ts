import { existsSync, readdirSync, readFileSync } from 'node:fs';

const here = new URL('./', import.meta.url);

/**
 * Content packages are files: `texts/<language>/` holds what every operator says alike, `<pack>/content/<language>/` what
 * is the operator's own. The translation package is the union of both, the operator's words winning.
 */
function folders(pack: string, language: string): URL[] {
  const name = language.toLowerCase();
  return [new URL(`texts/${name}/`, here), new URL(`${pack}/content/${name}/`, here)].filter((url) => existsSync(url));
}

function files(folder: URL): string[] {
  return readdirSync(folder).filter((file) => file.endsWith('.json'));
}

const readJson = (url: URL): unknown => JSON.parse(readFileSync(url, 'utf8'));

export function packageNames(pack: string, language: string): string[] {
  const names = folders(pack, language).flatMap((folder) => files(folder).map((file) => file.replace(/\.json$/, '')));
  return [...new Set(names)].sort();
}

export function readPackage(pack: string, language: string, name: string): unknown {
  const found = folders(pack, language)
    .map((folder) => new URL(`${name}.json`, folder))
    .filter((url) => existsSync(url))
    .map(readJson);
  if (name === 'translation') return flatten(Object.assign({}, ...found) as Nested);
  return found.at(-1) ?? null;
}

interface Nested {
  [key: string]: string | Nested;
}

/** Files group keys by namespace for the translator's eyes; the wire carries them flat, as `namespace.key`. */
function flatten(nested: Nested, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(nested).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' ? [[prefix + key, value]] : Object.entries(flatten(value, `${prefix}${key}.`)),
    ),
  );
}
