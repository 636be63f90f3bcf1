import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Node's compile cache, shared by the processes that tests start: a portal starts with two thirds of the processor
 * time.
 */
export const compileCache = { NODE_COMPILE_CACHE: `${root}node_modules/.cache/node` };

const foreign = new Set(['node_modules', 'dist', 'test-results', '.data']);

/** The repository's files that match, by path from the root, sorted. */
export async function sourceFiles(...patterns: string[]): Promise<Map<string, string>> {
  const paths: string[] = [];
  const found = glob(patterns, { cwd: root, withFileTypes: true, exclude: (entry) => foreign.has(entry.name) });
  for await (const entry of found) {
    if (entry.isFile()) paths.push(`${entry.parentPath}/${entry.name}`.slice(root.length));
  }
  const contents = await Promise.all(paths.sort().map((path) => readFile(root + path, 'utf8')));
  return new Map(paths.map((path, index) => [path, contents[index] ?? '']));
}

export const isTest = (path: string): boolean => /\.(test|fixture)\.tsx?$/.test(path);
