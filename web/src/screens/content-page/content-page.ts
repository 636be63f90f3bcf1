import type { PublicPack } from '@portal/domain/operator.ts';
import type { Api } from '../../lib/api.ts';
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
): Promise<ContentPageLoaded> {
  const { operator, language, path } = place;
  const pageUrl = `${language.prefix}/${packageOf(path, operator.brand.slug)}`;
  const answer = await api('activePackage', { query: { opco: operator.opco, pageUrl }, ...(signal ? { signal } : {}) });
  const content = answer.ok ? (JSON.parse(answer.result.packageHtml) as ContentPage) : null;
  return { path, language: language.code, content };
}
