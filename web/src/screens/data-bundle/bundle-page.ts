import { paths } from '@portal/domain/paths.ts';
import type { BundleFlowLoaded } from '../../features/bundle-list/bundle-flow.ts';
import type { BundleFlow } from '../../features/bundle-list/bundle-order.ts';
import type { LoadedBundles } from '../../features/bundle-list/use-bundles.ts';
import type { Page } from '../../lib/page.tsx';

export const bundleFlow: BundleFlow = { page: paths.dataBundle, serviceType: 'ALL', requestType: 'BUNDLE PURCHASE' };

export interface DataBundleLoaded extends BundleFlowLoaded {
  popular: LoadedBundles | null;
}

/** Neither a number nor a bundle is known: some popular bundles are shown. */
export const isBrowsing = ({ line, product }: Page['query']) => !line && !product;
