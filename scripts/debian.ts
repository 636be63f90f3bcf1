import { accessSync, constants, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Refusal, runQuietly } from './progress.mjs';

export const isRoot = process.getuid?.() === 0;

/** The first of the named programs found in the folders; the path's own come first. */
export function findProgram(names: string[], folders: string[] = []): string | null {
  const all = [...(process.env.PATH ?? '').split(delimiter), ...folders].filter(Boolean);
  const candidates = names.flatMap((name) => all.map((folder) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export const canInstall = (): boolean => isRoot && findProgram(['apt-get']) !== null;

/** The program, installed now where it is missing and we may; `sentence` tells what to do by hand. */
export async function ensureProgram(program: string, name: string, sentence: string): Promise<string> {
  const find = () => findProgram([program], ['/usr/bin', '/usr/sbin', '/usr/local/sbin']);
  const found = find();
  if (found) return found;
  if (canInstall()) await installPackage(name, sentence);
  const installed = find();
  if (!installed) throw new Refusal(sentence);
  return installed;
}

/** Installs one of Debian's packages; `sentence` tells what to do by hand where that fails. */
export async function installPackage(name: string, sentence: string): Promise<void> {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  // Checks run side by side, and apt-get does not wait for another one of itself.
  const aptGet = (...args: string[]): [string, string[]] => [
    'flock',
    [join(tmpdir(), 'portal-apt'), 'apt-get', ...args],
  ];
  await runQuietly(`Reading the list of packages for ${name}`, sentence, ...aptGet('update', '-q'), options);
  const install = aptGet('install', '-y', '-q', '--no-install-recommends', name);
  await runQuietly(`Installing ${name}`, sentence, ...install, options);
}
