import type { ResultOf } from '@portal/contract/contract.ts';
import { amountProblem, readAmount } from '@portal/domain/amount.ts';
import { hybridPostpaidCheck, type LineType } from '@portal/domain/line-types.ts';
import { formatMoney } from '@portal/domain/money.ts';
import { toWire } from '@portal/domain/msisdn.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { paths } from '@portal/domain/paths.ts';
import type { QueryData } from '../../lib/session.ts';

export type Bill = ResultOf<'bill'>;

/** What a page without script stands at. A bill is only ever in it when the owner has just proved the line. */
export type PostpaidLoaded =
  | { step: 'code'; msisdn: string; token: string }
  | { step: 'bill'; msisdn: string; token: string; bill: Bill }
  | { step: 'noBill'; msisdn: string; message: string };

export const paysByBill = (lineType: LineType) => lineType === 'POSTPAID' || lineType === 'HYBRID';

/** A hybrid line may have no postpaid part; where the operator wants it asked, it is asked before paying. */
export const needsHybridCheck = (lineType: LineType, { features }: Pick<PublicPack, 'features'>) =>
  lineType === 'HYBRID' && features.postpaidHybridCheck;

export const hybridCheckBody = (national: string) => ({
  msisdn: toWire(national),
  checkIfBroadband: false,
  requestType: hybridPostpaidCheck,
});

/** `text1` is for an account number or an email, which this flow does not ask for. */
export const sendBody = (national: string) => ({
  data: { text: toWire(national), text1: '', otpAction: 'INVOICE' as const },
});

export interface AmountRead {
  /** Null when it cannot be paid. */
  amount: number | null;
  /** Null while nothing was typed. */
  error: { key: string; params?: Record<string, string> } | null;
}

export function readBillAmount(
  typed: string,
  operator: Pick<PublicPack, 'limits' | 'currency'>,
  locale: string,
): AmountRead {
  if (typed.trim() === '') return { amount: null, error: null };
  const amount = readAmount(typed);
  if (amount === null) return { amount, error: { key: 'recharge.amountWhole' } };
  const problem = amountProblem(amount, operator.limits.postpaid);
  if (!problem) return { amount, error: null };
  const { code, digits } = operator.currency;
  const bound = problem.kind === 'below' ? problem.min : problem.max;
  const params = { amount: formatMoney({ amount: bound, currency: code }, locale, digits) };
  return { amount: null, error: { key: problem.kind === 'below' ? 'recharge.minimum' : 'recharge.maximum', params } };
}

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

/** As people copy it from a bill: the digits, ten at most. */
export const readPostpaidAccount = (text: string) => text.replace(/\D/g, '').slice(0, 10);
