import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readHelp } from './help.ts';
import { packFolder, textsFolder } from './pack-folder.ts';

/**
 * Content packages are files: `texts/<language>/` has what all operators share, `<pack>/content/<language>/` the
 * operator's own. The translation package merges both, and the operator's texts win.
 */
function folders(pack: string, language: string): URL[] {
  const own = new URL(`content/${language.toLowerCase()}/`, packFolder(pack));
  return [textsFolder(language), own].filter((url) => existsSync(url));
}

const extension = /\.(json|md)$/;

function files(folder: URL): string[] {
  return readdirSync(folder).filter((file) => extension.test(file));
}

/** A prose page is a Markdown file whose first line is its title. */
export interface Prose {
  title: string;
  markdown: string;
}

function read(url: URL): unknown {
  const text = readFileSync(url, 'utf8');
  if (url.pathname.endsWith('.json')) return JSON.parse(text);
  const [first = '', ...rest] = text.split('\n');
  return { title: first.replace(/^# /, ''), markdown: rest.join('\n').trim() } satisfies Prose;
}

export function packageNames(pack: string, language: string): string[] {
  const names = folders(pack, language).flatMap((folder) => files(folder).map((file) => file.replace(extension, '')));
  return [...new Set([...names, 'faq'])].sort();
}

export function readPackage(pack: string, language: string, name: string): unknown {
  if (name === 'faq') return readHelp(pack, language);
  const found = folders(pack, language)
    .flatMap((folder) => [new URL(`${name}.json`, folder), new URL(`${name}.md`, folder)])
    .filter((url) => existsSync(url))
    .map(read);
  if (name === 'translation') return Object.assign({}, ...found.map((one) => flatten(one as Nested)));
  return found.at(-1) ?? null;
}

/** Pages that are the same in every language, by name: facts about the country rather than texts. */
const shared: Record<string, string> = { 'fetch-sites-data-5g': 'places/sites.json' };

export function sharedNames(pack: string): string[] {
  return Object.keys(shared).filter((name) => existsSync(new URL(shared[name] ?? '', packFolder(pack))));
}

export const readShared = (pack: string, name: string): unknown => read(new URL(shared[name] ?? '', packFolder(pack)));

interface Nested {
  [key: string]: string | Nested;
}

/** Files group keys by namespace for translators; on the wire they are flat, as `namespace.key`. */
function flatten(nested: Nested, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(nested).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' ? [[prefix + key, value]] : Object.entries(flatten(value, `${prefix}${key}.`)),
    ),
  );
}
