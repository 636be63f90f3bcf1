import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { createServer, type DevEnvironment, type Plugin, type RunnableDevEnvironment, type ViteDevServer } from 'vite';
import { type DevState, type DevStyle, entryModule, questions } from './pages.ts';

export interface DevServer {
  /** Answers what belongs to Vite; false for what belongs to the portal. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Also watches these folders, and tells of every file that changes in them. */
  watch(folders: string[], onChange: (file: string) => void): void;
  reloadPages(): void;
  /** Shown over every open page, until the next change. */
  showProblem(sentence: string): void;
  close(): Promise<void>;
}

const ofVite = /^\/(@|src\/|node_modules\/)/;

/** A page imports its screen and its entry side by side, and either has to find Fast Refresh ready. */
const refreshFirst = (): Plugin => ({
  name: 'refresh-first',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: {
    filter: { id: /(\.screen|\/entry-client)\.tsx$/ },
    handler: (code) => ({ code: `import '@vitejs/plugin-react/preamble';${code}`, map: null }),
  },
});

/** Vite behind the address of the portal: modules with hot replacement for browsers, and for the process that renders. */
export async function startDevServer(http: Server): Promise<DevServer> {
  let version = 0;
  // Called when Vite has dropped what it knew of the changed file; earlier, a page could still be made of that.
  const countChanges: Plugin = {
    name: 'count-changes',
    hotUpdate: ({ type, modules }) => {
      if (modules.length > 0 || type !== 'update') version += 1;
    },
  };
  const vite = await createServer({
    root: new URL('..', import.meta.url).pathname,
    appType: 'custom',
    logLevel: 'warn',
    clearScreen: false,
    plugins: [refreshFirst(), countChanges],
    server: { middlewareMode: true, hmr: { server: http } },
    // All are known at once: a dependency that is found later would load open pages anew.
    optimizeDeps: { entries: [entryModule, 'src/screens/**/*.screen.tsx'] },
  });
  const answers: Record<string, (asked: never) => unknown> = {
    [questions.module]: (asked: Parameters<DevEnvironment['hot']['handleInvoke']>[0]) =>
      vite.environments.ssr.hot.handleInvoke(asked),
    [questions.state]: (): DevState => ({ version, replaced: replacedModules(vite) }),
    [questions.styles]: (modules: string[]) => stylesOf(vite, modules),
  };
  return {
    answer(request, response) {
      const { url = '' } = request;
      const ours = answers[url];
      if (ours) void reply(request, response, ours);
      else if (ofVite.test(url)) vite.middlewares(request, response);
      else return false;
      return true;
    },
    watch(folders, onChange) {
      vite.watcher.add(folders);
      vite.watcher.on('all', (event, file) => {
        if (!event.endsWith('Dir')) onChange(file);
      });
    },
    reloadPages: () => vite.environments.client.hot.send({ type: 'full-reload' }),
    showProblem: (message) => vite.environments.client.hot.send({ type: 'error', err: { message, stack: '' } }),
    close: () => vite.close(),
  };
}

async function reply(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (asked: never) => unknown,
): Promise<void> {
  try {
    const result = await answer((await json(request)) as never);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(result));
  } catch (error) {
    response.writeHead(500).end((error as Error).message);
  }
}

function replacedModules(vite: ViteDevServer): DevState['replaced'] {
  const modules = [...vite.environments.client.moduleGraph.urlToModuleMap.values()];
  return Object.fromEntries(
    modules.filter((each) => each.lastHMRTimestamp > 0).map((each) => [each.url, each.lastHMRTimestamp]),
  );
}

/** The styles of modules and of all that these import, in the order in which a browser would meet them. */
async function stylesOf(vite: ViteDevServer, modules: string[]): Promise<DevStyle[]> {
  // Vite's own kind of environment, unless it is configured to be another.
  const ssr = vite.environments.ssr as RunnableDevEnvironment;
  const seen = new Set<string>();
  const found: DevStyle[] = [];
  async function visit(url: string): Promise<void> {
    if (seen.has(url)) return;
    seen.add(url);
    const result = await ssr.transformRequest(url);
    const id = ssr.moduleGraph.urlToModuleMap.get(url)?.id;
    if (id?.endsWith('.css')) {
      const { default: css } = await ssr.runner.import(`${url}?inline`);
      found.push({ id, css });
    }
    for (const imported of result?.deps ?? []) await visit(imported);
  }
  for (const module of modules) await visit(`/${module}`);
  return found;
}
