import { readFile } from 'node:fs/promises';
import type { ContentEditing } from './content.editing.ts';
import { ContentRefused } from './content-refused.ts';

export const contentUsage = [
  'npm run content -- list                            every page and its versions; * is shown',
  'npm run content -- preview <page> [version]        what a version says',
  'npm run content -- import <page> <file> <name>     keeps a draft and gives its version',
  'npm run content -- activate <page> <version> <name>',
  'npm run content -- rollback <page> <name>',
  'npm run content -- changes <page>                  who changed it, and when',
].join('\n');

/** Returns the exit code: 0 done, 1 refused, 2 usage error. */
export async function runContentCommand(
  words: string[],
  editing: ContentEditing,
  print: (line: string) => void,
): Promise<number> {
  const [verb, page = '', ...rest] = words;
  try {
    if (verb === 'list') {
      for (const one of await editing.list())
        print(`${one.active ? '*' : ' '} ${one.page} ${one.version}  ${one.importedAt.toISOString()}`);
      return 0;
    }
    if (verb === 'preview' && page) {
      const shown = JSON.stringify(await editing.show(page, rest[0] ? versionIn(rest[0]) : undefined), null, 2);
      for (const line of shown.split('\n')) print(line);
      return 0;
    }
    if (verb === 'import' && rest[0] && rest[1]) {
      const version = await editing.draft(page, await readText(rest[0]), rest[1]);
      print(`Draft ${version} of ${page} is kept. Show it with: npm run content -- activate ${page} ${version} <name>`);
      return 0;
    }
    if (verb === 'activate' && rest[0] && rest[1]) {
      await editing.activate(page, versionIn(rest[0]), rest[1]);
      print(`${page} shows version ${rest[0]}; the portal follows within ten seconds.`);
      return 0;
    }
    if (verb === 'rollback' && rest[0]) {
      print(`${page} shows version ${await editing.rollBack(page, rest[0])} again.`);
      return 0;
    }
    if (verb === 'changes' && page) {
      for (const { at, action, version, by } of await editing.changes(page))
        print(`${at.toISOString()}  ${action} ${version}  by ${by}`);
      return 0;
    }
  } catch (error) {
    if (!(error instanceof ContentRefused)) throw error;
    print(error.message);
    return 1;
  }
  for (const line of contentUsage.split('\n')) print(line);
  return 2;
}

function versionIn(word: string): number {
  if (!/^[1-9]\d{0,8}$/.test(word)) throw new ContentRefused(`"${word}" is no version; they are numbered from 1.`);
  return Number(word);
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new ContentRefused(`The file ${file} cannot be read.`);
  });
}
