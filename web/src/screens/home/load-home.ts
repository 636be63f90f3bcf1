import { bundlesBody } from '../../features/bundle-list/use-bundles.ts';
import type { Api } from '../../lib/api.ts';
import type { Page } from '../../lib/page.tsx';
import type { HomeContent, HomeLoaded } from './home-content.ts';

/** The same two calls on the server and in the browser; the page works without either. */
export async function loadHome(
  api: Api,
  { operator, language }: Pick<Page, 'operator' | 'language'>,
  signal?: AbortSignal,
): Promise<HomeLoaded> {
  const options = signal ? { signal } : {};
  const [popular, content] = await Promise.all([
    api('bundles', { body: bundlesBody({ popular: true }), ...options }),
    api('activePackage', { query: { opco: operator.opco, pageUrl: `${language.prefix}/homepage` }, ...options }),
  ]);
  return {
    language: language.code,
    popular: popular.ok ? popular.result : [],
    content: content.ok ? (JSON.parse(content.result.packageHtml) as HomeContent) : null,
  };
}
