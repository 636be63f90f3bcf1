import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const here = new URL('./', import.meta.url);
const elsewhere = new Map<string, URL>();

/** The folder of a pack: in this repository, or where it was loaded from. */
export const packFolder = (code: string): URL => elsewhere.get(code) ?? new URL(`${code}/`, here);

/** The same for messages. */
export const packName = (code: string): string => elsewhere.get(code)?.pathname ?? `operators/${code}/`;

/** Texts that all operators share, in a language; without one, those that are the same in all. */
export const textsFolder = (language = ''): URL => new URL(`./${language.toLowerCase()}/`, new URL('texts/', here));

/** An operator may keep its pack outside of the repository; that one overrides a pack of the same name here. */
export function findPack(code: string, folder: string | null): URL | null {
  const homes = [...(folder ? [pathToFileURL(`${resolve(folder)}/`)] : []), here];
  const home = homes.find((one) => existsSync(new URL(`${code}/pack.ts`, one)));
  if (!home) return null;
  const found = new URL(`${code}/`, home);
  if (home === here) elsewhere.delete(code);
  else elsewhere.set(code, found);
  return found;
}

export function knownPacks(folder: string | null): string[] {
  const homes = [...(folder && existsSync(folder) ? [pathToFileURL(`${resolve(folder)}/`)] : []), here];
  const names = homes.flatMap((home) =>
    readdirSync(home).filter((name) => existsSync(new URL(`${name}/pack.ts`, home))),
  );
  return [...new Set(names)].sort();
}
