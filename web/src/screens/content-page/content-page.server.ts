import type { LoadContext, Loaded } from '../../lib/screen.ts';
import { type ContentPageLoaded, loadContentPage } from './content-page.ts';

export async function load(context: LoadContext): Promise<Loaded<ContentPageLoaded>> {
  const loaded = await loadContentPage(context.api, context);
  return { loaded, status: loaded.content ? 200 : 503, noindex: loaded.content === null };
}
