import type { PublicPack } from '@portal/domain/operator.ts';
import { moneyPath, paths } from '@portal/domain/paths.ts';
import type { Answer, Api } from '../../lib/api.ts';
import type { LoadContext, Loaded } from '../../lib/screen.ts';
import type { Keyed } from '../../lib/use-call.ts';

export interface ContentPage {
  title: string;
  /** Sanitised by the server, when stored and when sent. */
  html: string;
}

/** The content package that a page shows. */
function packageOf(path: string, slug: string): string {
  const packages: Record<string, string> = {
    [paths.contactUs]: 'contact-us',
    [paths.privacy]: 'privacy-policy',
    [moneyPath(slug)]: 'mobile-money',
  };
  return packages[path] ?? '';
}

interface Place {
  operator: PublicPack;
  language: PublicPack['languages'][number];
  path: string;
}

export const contentPageKey = ({ language, path }: Place): string => `${language.code} ${path}`;

export async function fetchContentPage(
  api: Api,
  { operator, language, path }: Place,
  signal?: AbortSignal,
): Promise<Answer<ContentPage>> {
  const pageUrl = `${language.prefix}/${packageOf(path, operator.brand.slug)}`;
  const answer = await api('activePackage', { query: { opco: operator.opco, pageUrl }, ...(signal ? { signal } : {}) });
  return answer.ok ? { ok: true, result: JSON.parse(answer.result.packageHtml) as ContentPage } : answer;
}

export async function load(context: LoadContext): Promise<Loaded<Keyed<ContentPage>>> {
  const answer = await fetchContentPage(context.api, context);
  return { loaded: { key: contentPageKey(context), answer }, status: answer.ok ? 200 : 503, noindex: !answer.ok };
}
