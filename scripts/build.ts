import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { endWith, npmCommand, runQuietly, withProgress } from './progress.mjs';
import { isTest, root, sourceFiles } from './source-files.ts';

/** What is built: where it is, what it is made of, and the folder of what browsers are given. */
const apps = [
  { name: 'web app', folder: 'web', sources: ['web/{src,public}/**/*'], served: 'dist/client' },
  { name: 'console', folder: 'console', sources: ['console/{src/**/*,index.html}'], served: 'dist' },
] as const;
type App = (typeof apps)[number];

const compressible = new Set(['.js', '.css', '.svg', '.json', '.webmanifest', '.html', '.txt']);

const compress = promisify(brotliCompress);

export const brotli = (content: Buffer): Promise<Buffer> =>
  compress(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });

async function sourceHash({ folder, sources }: App): Promise<string> {
  const files = await sourceFiles(
    ...sources,
    `${folder}/{vite.config.ts,package.json,tsconfig.json}`,
    '{domain,contract}/**/*.{ts,json}',
    'package-lock.json',
  );
  const hash = createHash('sha256');
  for (const [path, content] of files) if (!isTest(path)) hash.update(`${path}\0${content}\0`);
  return hash.digest('hex');
}

/** The customers' pages and the console, each only when what was built is not what its sources would give now. */
export async function buildWebWhenStale(): Promise<void> {
  for (const app of apps) await buildWhenStale(app);
}

export const buildConsoleWhenStale = (): Promise<void> => buildWhenStale(apps[1]);

async function buildWhenStale(app: App): Promise<void> {
  const { name, folder, served } = app;
  const stamp = join(root, folder, 'dist/.build-stamp');
  // What production was given built is served as it is; its sources may not even be there.
  if (process.env.NODE_ENV === 'production' && existsSync(stamp)) return;
  const hash = await sourceHash(app);
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === hash) return;
  await rm(stamp, { force: true });
  // A NODE_ENV from outside would put React's development build into the bundle.
  const env = { ...process.env, NODE_ENV: 'production' };
  const sentence = `The ${name} could not be built: see what Vite says above.`;
  await runQuietly(`Building the ${name}`, sentence, ...npmCommand('run', 'build', '-w', folder), { cwd: root, env });
  await withProgress(`Compressing the ${name}`, () => precompress(join(root, folder, served)));
  await mkdir(join(root, folder, 'dist'), { recursive: true });
  await writeFile(stamp, hash);
}

/** Writes `x.br` beside each `x` worth it, at a quality too slow for answering requests. */
async function precompress(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && compressible.has(extname(entry.name)));
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const content = await readFile(join(parentPath, name));
      const small = await brotli(content);
      if (small.length < content.length) await writeFile(join(parentPath, `${name}.br`), small);
    }),
  );
}

if (import.meta.main) await buildWebWhenStale().catch(endWith);
