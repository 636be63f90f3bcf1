import { stripVTControlCharacters } from 'node:util';
import type { ResultOf } from '@portal/contract/contract.ts';
import type { PageAnswer, PageRequest, RenderPage } from '@portal/contract/render-page.ts';
import { ModuleRunner } from 'vite/module-runner';
import { type DevState, type DevStyle, entryModule, questions } from './pages.ts';

/** What entry-server.tsx exports. */
interface Renderer {
  renderPage: RenderPage;
  questionPaths(faqs: ResultOf<'faqs'>): string[];
}

/** Renders pages from the sources as they are, by asking the development server for each module. */
export async function openRenderer(devServerUrl: string) {
  async function ask<T>(question: string, asked: unknown = null): Promise<T> {
    const answer = await fetch(devServerUrl + question, { method: 'POST', body: JSON.stringify(asked) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json() as Promise<T>;
  }
  const runner = new ModuleRunner({ transport: { invoke: (asked) => ask(questions.module, asked) }, hmr: false });
  let version = 0;
  let renderer: Renderer | null = null;

  async function load(): Promise<DevState> {
    const state = await ask<DevState>(questions.state);
    if (state.version !== version) runner.clearCache();
    version = state.version;
    renderer = await runner.import<Renderer>('/src/app/entry-server.tsx');
    return state;
  }

  const renderPage: RenderPage = async (request) => {
    try {
      const { replaced } = await load();
      const scriptOf = (module: string) => `/${module}${replaced[`/${module}`] ? `?t=${replaced[`/${module}`]}` : ''}`;
      const drawn = [entryModule];
      const answer = await (renderer as Renderer).renderPage({
        ...request,
        entryScript: scriptOf(entryModule),
        assetsOf: (module, parts) => {
          drawn.push(module, ...parts);
          return { scripts: [scriptOf(module)], styles: '', styleFiles: [] };
        },
      });
      if (answer.kind === 'redirect') return answer;
      const styles = await ask<DevStyle[]>(questions.styles, drawn);
      const head = headOf(styles, request.nonce);
      // What is cached would hide the next change.
      return { ...answer, cacheable: false, html: answer.html.replace('</head>', () => `${head}</head>`) };
    } catch (error) {
      return problemPage(error as Error, request);
    }
  };

  // A screen that cannot be loaded now is told of by the page that wants it; it may be mended by then.
  await load().catch(() => {});
  return {
    renderPage,
    questionPaths: (faqs: ResultOf<'faqs'>) => renderer?.questionPaths(faqs) ?? [],
    entryScript: `/${entryModule}`,
    assetsOf: () => ({ scripts: [], styles: '', styleFiles: [] }),
    /** Pictures and maps as they lie in the sources. */
    folder: new URL('../public/', import.meta.url).pathname,
    // Pages under development are cached by no service worker.
    build: '',
    worker: '',
    precachedFiles: [],
  };
}

/** The styles stand in the page as in production, each for itself: Vite's client finds them there and replaces them. */
const headOf = (styles: DevStyle[], nonce: string): string =>
  [
    `<meta property="csp-nonce" nonce="${nonce}">`,
    ...styles.map(
      ({ id, css }) => `<style nonce="${nonce}" data-vite-dev-id="${id}">${css.replaceAll('</', '<\\/')}</style>`,
    ),
  ].join('');

/** Says what is wrong, and loads itself anew once it was mended. */
function problemPage({ message, stack = '' }: Error, { nonce }: PageRequest): PageAnswer {
  const text = stripVTControlCharacters(stack.includes(message) ? stack : `${message}\n${stack}`);
  const shown = text.replace(/[<&]/g, (each) => `&#${each.charCodeAt(0)};`);
  const html = `<!doctype html><title>This page cannot be rendered</title><h1>This page cannot be rendered</h1><pre>${shown}</pre>
<script type="module" nonce="${nonce}">import { createHotContext } from '/@vite/client';
createHotContext('/problem').on('vite:beforeUpdate', () => location.reload());</script>`;
  return { kind: 'page', status: 500, html, language: 'EN', remember: false, cacheable: false };
}
