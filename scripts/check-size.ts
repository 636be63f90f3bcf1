import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotli } from './build.ts';
import { root } from './source-files.ts';

export interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
}
export type Manifest = Record<string, Chunk>;

export interface SizeRow {
  name: string;
  bytes: number;
  limit: number;
}

const entryLimit = 72_000;
const chunkLimit = 25_000;
const mapLimit = 60_000;
const workerLimit = 4_000;

/** What a visitor loads: the entry with its imports, then what each later chunk adds; a part of a screen, to its screen. */
export function sizeRows(manifest: Manifest, sizeOf: (file: string) => number): SizeRow[] {
  const total = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + sizeOf(file), 0);
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const first = closure(manifest, entries);
  const later = new Set(Object.values(manifest).flatMap((chunk) => chunk.dynamicImports ?? []));
  const rows = [...later].map((key) => {
    const askers = Object.keys(manifest).filter((each) => manifest[each]?.dynamicImports?.includes(key));
    const loaded = askers.map((asker) => (isScreen(asker) ? closure(manifest, [asker]) : first));
    const isThere = (each: string) => first.has(each) || loaded.every((files) => files.has(each));
    const added = [...closure(manifest, [key])].filter((each) => !isThere(each));
    const limit = /map/i.test(manifest[key]?.file ?? '') ? mapLimit : chunkLimit;
    return { name: key, bytes: total(filesOf(manifest, added)), limit };
  });
  // The entry's CSS is inlined into the page, so only its scripts count here.
  const scripts = [...first].map((key) => manifest[key]?.file ?? '');
  return [{ name: entries.join(', '), bytes: total(scripts), limit: entryLimit }, ...rows];
}

const isScreen = (key: string) => key.endsWith('.screen.tsx');

function closure(manifest: Manifest, keys: string[], seen = new Set<string>()): Set<string> {
  for (const key of keys) {
    if (seen.has(key)) continue;
    seen.add(key);
    closure(manifest, manifest[key]?.imports ?? [], seen);
  }
  return seen;
}

function filesOf(manifest: Manifest, keys: string[]): Set<string> {
  return new Set(keys.flatMap((key) => [manifest[key]?.file ?? '', ...(manifest[key]?.css ?? [])]));
}

if (import.meta.main) {
  const client = join(root, 'web/dist/client');
  const manifest: Manifest = JSON.parse(await readFile(join(client, '.vite/manifest.json'), 'utf8'));
  const files = new Set(Object.values(manifest).flatMap((chunk) => [chunk.file, ...(chunk.css ?? [])]));
  const sizes = new Map<string, number>();
  for (const file of files) sizes.set(file, (await brotli(await readFile(join(client, file)))).length);
  const worker = await brotli(await readFile(join(root, 'web/dist/worker/sw.js')));
  const rows = [
    ...sizeRows(manifest, (file) => sizes.get(file) ?? 0),
    { name: 'src/offline/worker.ts', bytes: worker.length, limit: workerLimit },
  ];
  for (const { name, bytes, limit } of rows) {
    const verdict = bytes > limit ? 'TOO BIG' : 'ok';
    console.log(
      `${(bytes / 1000).toFixed(1).padStart(7)} kB of ${String(limit / 1000).padStart(3)}  ${verdict.padEnd(8)} ${name}`,
    );
  }
  process.exitCode = rows.some((row) => row.bytes > row.limit) ? 1 : 0;
}
