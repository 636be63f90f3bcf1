import { type BundleFlowLoaded, bundleAction, loadBundleFlow } from '../../features/bundle-list/bundle-flow.ts';
import type { Acted, ActionContext, Loaded, ServerContext } from '../../lib/screen.ts';
import { bundleFlow } from './bundle-page.ts';

export async function load(context: ServerContext): Promise<Loaded<BundleFlowLoaded>> {
  return { loaded: await loadBundleFlow(context, bundleFlow), noindex: Boolean(context.query.line) };
}

export const action = (context: ActionContext): Promise<Acted> => bundleAction(context, bundleFlow);
