import { readFile } from 'node:fs/promises';
import type { ResultOf } from '@portal/contract/contract.ts';
import type { RenderPage, ScreenAssets } from '@portal/contract/render-page.ts';

interface ManifestEntry {
  file: string;
  css?: string[];
  imports?: string[];
}

export interface WebBuild {
  folder: string;
  renderPage: RenderPage;
  /** Paths of the help centre's questions, without language prefix. */
  questionPaths(faqs: ResultOf<'faqs'>): string[];
  entryScript: string;
  /** Identifies the build. */
  build: string;
  /** The service worker's script. */
  worker: string;
  /** Scripts and styles that the service worker precaches. */
  precachedFiles: string[];
  assetsOf(module: string, parts: readonly string[]): ScreenAssets;
}

type Renderer = Pick<WebBuild, 'renderPage' | 'questionPaths'> & {
  precachedModules: readonly string[];
};

const dist = new URL('../../../web/dist/', import.meta.url);
const entryModule = 'src/app/entry-client.tsx';

/** Loads the built web app: its renderer, and the files of each screen, computed once from the build's manifest. */
export async function openWebBuild(): Promise<WebBuild> {
  const [build, worker] = await Promise.all([
    readFile(new URL('client/.vite/manifest.json', dist), 'utf8'),
    readFile(new URL('worker/sw.js', dist), 'utf8'),
  ]).catch(() => {
    throw new Error('The web app has not been built: run "npm run build".');
  });
  const manifest = JSON.parse(build) as Record<string, ManifestEntry>;
  const { renderPage, questionPaths, precachedModules } = await importRenderer();
  const styles = new Map<string, string>();
  for (const entry of Object.values(manifest))
    for (const file of entry.css ?? [])
      if (!styles.has(file)) styles.set(file, await readFile(new URL(`client/${file}`, dist), 'utf8'));

  /** A module and its static imports, dependencies first. */
  function withImports(module: string, seen: Set<string>): ManifestEntry[] {
    const entry = manifest[module];
    if (!entry || seen.has(module)) return [];
    seen.add(module);
    return [...(entry.imports ?? []).flatMap((imported) => withImports(imported, seen)), entry];
  }

  const precached = [entryModule, ...precachedModules].flatMap((module) => withImports(module, new Set()));
  // Every page has the entry's styles already.
  const filesOf = (entry: ManifestEntry) => [entry.file, ...(entry === manifest[entryModule] ? [] : (entry.css ?? []))];
  const known = new Map<string, ScreenAssets>();
  return {
    folder: new URL('client/', dist).pathname,
    renderPage,
    questionPaths,
    build,
    worker,
    precachedFiles: [...new Set(precached.flatMap(filesOf))].map((file) => `/${file}`),
    entryScript: `/${manifest[entryModule]?.file}`,
    assetsOf(module, parts) {
      let assets = known.get(module);
      if (!assets) {
        const seen = new Set<string>();
        const entries = [...withImports(entryModule, seen), ...withImports(module, seen)];
        const rendered = [...entries, ...parts.flatMap((part) => withImports(part, seen))];
        const files = new Set(rendered.flatMap((entry) => entry.css ?? []));
        assets = {
          scripts: entries.map((entry) => `/${entry.file}`),
          styleFiles: [...files],
          styles: [...files]
            .map((name) => styles.get(name) ?? '')
            .join('')
            .trim(),
        };
        known.set(module, assets);
      }
      return assets;
    },
  };
}

/**
 * React chooses its build by NODE_ENV when it is first imported. The development build takes twice as long to render
 * and reports nothing here that the browser's build would not.
 */
async function importRenderer(): Promise<Renderer> {
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    return (await import(new URL('server/entry-server.js', dist).href)) as Renderer;
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}
