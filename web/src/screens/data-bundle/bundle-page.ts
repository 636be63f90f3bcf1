import type { BundleFlow } from '../../features/bundle-list/bundle-order.ts';
import { paths } from '../../lib/paths.ts';

export const bundleFlow: BundleFlow = { page: paths.dataBundle, serviceType: 'ALL', requestType: 'BUNDLE PURCHASE' };
