import type { ServerScreen } from '../lib/screen.ts';
import * as about from '../screens/about/about.server.ts';
import * as payment from '../screens/payment/payment.server.ts';
import * as paymentStatus from '../screens/payment-status/payment-status.server.ts';
import * as prepaidRecharge from '../screens/prepaid-recharge/prepaid-recharge.server.ts';
import type { ScreenName } from './screens.ts';

export const serverScreens: Partial<Record<ScreenName, ServerScreen>> = {
  about,
  payment,
  paymentStatus,
  prepaidRecharge,
};
