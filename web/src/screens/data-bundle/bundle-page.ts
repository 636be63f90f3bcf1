import { paths } from '@portal/domain/paths.ts';
import type { BundleFlow } from '../../features/bundle-list/bundle-order.ts';

export const bundleFlow: BundleFlow = { page: paths.dataBundle, serviceType: 'ALL', requestType: 'BUNDLE PURCHASE' };
