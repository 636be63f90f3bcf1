import type { ScreenFolder } from '@portal/domain/screens.ts';
import type { ServerScreen } from '../lib/screen.ts';
import * as about from '../screens/about/about.server.ts';
import * as broadbandRecharge from '../screens/broadband-recharge/broadband-recharge.server.ts';
import * as dataBundle from '../screens/data-bundle/data-bundle.server.ts';
import * as feedback from '../screens/feedback/feedback.server.ts';
import * as fixedInternet from '../screens/fixed-internet/fixed-internet.server.ts';
import * as homeBroadbandStatus from '../screens/hbb-lead-status/hbb-lead-status.server.ts';
import * as help from '../screens/help/help.server.ts';
import * as home from '../screens/home/home.server.ts';
import * as openNetworks from '../screens/open-networks/open-networks.server.ts';
import * as payment from '../screens/payment/payment.server.ts';
import * as paymentStatus from '../screens/payment-status/payment-status.server.ts';
import * as postpaidBillPay from '../screens/postpaid-bill-pay/postpaid-bill-pay.server.ts';
import * as prepaidRecharge from '../screens/prepaid-recharge/prepaid-recharge.server.ts';
import * as storeLocator from '../screens/store-locator/store-locator.server.ts';

/** Each screen's server part; null where its `load` is enough. */
export const serverScreens: Record<ScreenFolder, ServerScreen | null> = {
  about,
  'broadband-recharge': broadbandRecharge,
  'content-page': null,
  'data-bundle': dataBundle,
  feedback,
  'fixed-internet': fixedInternet,
  'hbb-lead': null,
  'hbb-lead-status': homeBroadbandStatus,
  help,
  home,
  offline: null,
  'open-networks': openNetworks,
  payment,
  'payment-status': paymentStatus,
  'postpaid-bill-pay': postpaidBillPay,
  'prepaid-recharge': prepaidRecharge,
  'shop-list': null,
  'store-locator': storeLocator,
  'tariff-table': null,
  'ui-gallery': null,
};
