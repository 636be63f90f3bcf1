import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const here = new URL('./', import.meta.url);
const elsewhere = new Map<string, URL>();

/** Where a pack lies: here, or in the folder it was loaded from. */
export const packFolder = (code: string): URL => elsewhere.get(code) ?? new URL(`${code}/`, here);

/** The same for a person to read. */
export const packName = (code: string): string => elsewhere.get(code)?.pathname ?? `operators/${code}/`;

export const textsFolder = (language: string): URL => new URL(`texts/${language.toLowerCase()}/`, here);

/** An operator may keep its pack in a folder of its own; that one goes before a pack of the same name here. */
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
