import { bundleAction, loadBundleFlow } from '../../features/bundle-list/bundle-flow.ts';
import { loadBundles } from '../../features/bundle-list/use-bundles.ts';
import type { Acted, ActionContext, Loaded, ServerContext } from '../../lib/screen.ts';
import { bundleFlow, type DataBundleLoaded, isBrowsing } from './bundle-page.ts';

export async function load(context: ServerContext): Promise<Loaded<DataBundleLoaded>> {
  const [flow, popular] = await Promise.all([
    loadBundleFlow(context, bundleFlow),
    isBrowsing(context.query) ? loadBundles(context, { popular: true }) : null,
  ]);
  return { loaded: { ...flow, popular: popular ?? null }, noindex: Boolean(context.query.line) };
}

export const action = (context: ActionContext): Promise<Acted> => bundleAction(context, bundleFlow);
