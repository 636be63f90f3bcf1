import type { LoadContext, Loaded } from '../../lib/screen.ts';
import { type ContentPageLoaded, contentPageKey, fetchContentPage } from './content-page.ts';

export async function load(context: LoadContext): Promise<Loaded<ContentPageLoaded>> {
  const answer = await fetchContentPage(context.api, context);
  return { loaded: { key: contentPageKey(context), answer }, status: answer.ok ? 200 : 503, noindex: !answer.ok };
}
