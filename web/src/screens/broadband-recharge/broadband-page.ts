import type { BundleFlow } from '../../features/bundle-list/bundle-order.ts';
import { paths } from '../../lib/paths.ts';

export const broadbandFlow: BundleFlow = {
  page: paths.broadbandRecharge,
  serviceType: 'BROADBAND',
  rechargeType: 'broadband',
  requestType: 'Broadband Recharge',
};
