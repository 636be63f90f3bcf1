import type { LineRequest } from '@portal/domain/line-types.ts';
import { toWire } from '@portal/domain/msisdn.ts';

/** Whether a router or a broadband SIM is meant follows from the page's purpose. */
export const lineTypeBody = (national: string, requestType: LineRequest) => ({
  msisdn: toWire(national),
  checkIfBroadband: requestType === 'Broadband Recharge',
  requestType,
});
