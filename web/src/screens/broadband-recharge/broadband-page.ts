import { paths } from '@portal/domain/paths.ts';
import type { BundleFlow } from '../../features/bundle-list/bundle-order.ts';

export const broadbandFlow: BundleFlow = {
  page: paths.broadbandRecharge,
  serviceType: 'BROADBAND',
  rechargeType: 'broadband',
  requestType: 'Broadband Recharge',
};
