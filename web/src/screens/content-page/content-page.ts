import type { PublicPack } from '@portal/domain/operator.ts';
import type { Api, Failure } from '../../lib/api.ts';
import { moneyPath, paths } from '../../lib/paths.ts';

export interface ContentPage {
  title: string;
  /** Sanitised by the server, on the way in and on the way out. */
  html: string;
}

export interface ContentPageLoaded {
  path: string;
  language: string;
  content: ContentPage | null;
  /** The server's words, where it said why the content did not come. */
  refusal?: string;
}

/** Which package of the content service a page shows. */
function packageOf(path: string, slug: string): string {
  const packages: Record<string, string> = {
    [paths.contactUs]: 'contact-us',
    [paths.privacy]: 'privacy-policy',
    [moneyPath(slug)]: 'mobile-money',
  };
  return packages[path] ?? '';
}

export async function loadContentPage(
  api: Api,
  place: { operator: PublicPack; language: PublicPack['languages'][number]; path: string },
  signal?: AbortSignal,
  onFailure?: (failure: Failure) => void,
): Promise<ContentPageLoaded> {
  const { operator, language, path } = place;
  const pageUrl = `${language.prefix}/${packageOf(path, operator.brand.slug)}`;
  const answer = await api('activePackage', { query: { opco: operator.opco, pageUrl }, ...(signal ? { signal } : {}) });
  const here = { path, language: language.code };
  if (answer.ok) return { ...here, content: JSON.parse(answer.result.packageHtml) as ContentPage };
  if (answer.code !== 'ABORTED') onFailure?.(answer);
  return { ...here, content: null, ...(answer.isSaid ? { refusal: answer.message } : {}) };
}
