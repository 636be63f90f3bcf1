import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

const require = createRequire(import.meta.url);
/** Imports of a module; type imports are erased. */
const imported = /^(?:import|export) (?!type )(?:[^'";]*? from )?'([^']+)'/gms;

function modulesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  if (!/\.tsx?$/.test(file) || !existsSync(file)) return found;
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(imported)) {
    if (name.startsWith('.')) modulesOf(new URL(name, `file://${file}`).pathname, found);
    else if (name.startsWith('@portal/')) modulesOf(require.resolve(name), found);
    else found.add(name);
  }
  return found;
}

test('the console bundles no library that evaluates code from strings, which its policy forbids', () => {
  const modules = modulesOf(new URL('./main.tsx', import.meta.url).pathname);
  expect([...modules].some((name) => name.endsWith('contract/console/acts.ts'))).toBe(true);
  expect([...modules]).not.toContain('zod');
});
