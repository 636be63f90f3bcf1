import type { ResultOf } from '@portal/contract/contract.ts';
import { hybridPostpaidCheck, type LineType } from '@portal/domain/line-types.ts';
import { toWire } from '@portal/domain/msisdn.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { paths } from '@portal/domain/paths.ts';
import type { QueryData } from '../../lib/session.ts';

export type Bill = ResultOf<'bill'>;

/** The state of a page without script. It contains a bill only if the owner has just proved the line. */
export type PostpaidLoaded =
  | { step: 'code'; msisdn: string; token: string }
  | { step: 'bill'; msisdn: string; token: string; bill: Bill }
  | { step: 'noBill'; msisdn: string; message: string };

export const paysByBill = (lineType: LineType) => lineType === 'POSTPAID' || lineType === 'HYBRID';

/** A hybrid line may have no postpaid part; where the operator enables it, this is checked before paying. */
export const needsHybridCheck = (lineType: LineType, { features }: Pick<PublicPack, 'features'>) =>
  lineType === 'HYBRID' && features.postpaidHybridCheck;

export const hybridCheckBody = (national: string) => ({
  msisdn: toWire(national),
  checkIfBroadband: false,
  requestType: hybridPostpaidCheck,
});

/** `text1` is for an account number or an email, which this flow does not need. */
export const sendBody = (national: string) => ({
  data: { text: toWire(national), text1: '', otpAction: 'INVOICE' as const },
});

export function billOrder(
  order: { national: string; amount: number; lineType: LineType },
  operator: Pick<PublicPack, 'currency'>,
): QueryData {
  return {
    msisdn: order.national,
    amount: order.amount,
    currency: operator.currency.code,
    lineType: order.lineType,
    transactionType: 'POSTPAID_BILL',
    redirectPage: paths.postpaidBillPay,
  };
}

/** Normalises a number copied from a bill: the digits, ten at most. */
export const readPostpaidAccount = (text: string) => text.replace(/\D/g, '').slice(0, 10);
