import type { ResultOf } from '@portal/contract/contract.ts';
import { toWire } from '@portal/domain/msisdn.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import type { QueryData } from '../../lib/session.ts';

export type PaymentOption = ResultOf<'paymentOptions'>['paymentOption'][number];

export interface PaymentLoaded {
  order: QueryData | null;
  /** The sealed order, to be carried on in links and forms without script. */
  token: string | null;
  options: PaymentOption[] | null;
  key: string;
}

export function routeOf(option: PaymentOption, operator: PublicPack): string {
  const routes = {
    PG: 'card',
    AIRTIME: 'airtime',
    AM: `${operator.brand.slug}-money`,
    MPESA: 'mpesa',
    SMARTCASH_SECURE: 'smartcash',
  };
  return routes[option.type];
}

export function knownRoutes(operator: PublicPack): string[] {
  return ['card', 'airtime', `${operator.brand.slug}-money`, 'mpesa', 'smartcash'];
}

/** The one the address names; otherwise the first card, otherwise the first of all. */
export function chosenOption(
  options: PaymentOption[],
  route: string | null,
  operator: PublicPack,
): PaymentOption | null {
  if (route) return options.find((option) => routeOf(option, operator) === route) ?? null;
  return options.find((option) => option.type === 'PG') ?? options[0] ?? null;
}

export function optionsBody(order: QueryData) {
  return {
    amount: order.amount,
    mobileNumber: toWire(order.msisdn),
    subscriberType: order.lineType ?? '',
    rechargeType: order.rechargeType ?? '',
    transactionType: order.transactionType,
  };
}

/** The whole initiation payload; what a flow does not have travels empty. */
export function initiationBody(
  order: QueryData,
  option: PaymentOption,
  payer: { msisdn: string; email?: string; uniqueCode?: string },
  operator: PublicPack,
) {
  return {
    paymentMobile: payer.msisdn ? toWire(payer.msisdn) : '',
    amount: order.amount,
    countryCode: operator.numbering.countryCode,
    currencyCode: order.currency,
    emailId: payer.email ?? order.emailId ?? '',
    mobileNumber: toWire(order.msisdn),
    productCode: order.productCode ?? '',
    paymentGateway: option.paymentGateway ?? option.paymentMode,
    transactionType: order.transactionType,
    unit: 1,
    loggedInNumber: toWire(order.msisdn),
    accountId: order.invoiceDetail?.accountNo ?? '',
    accountType: order.lineType ?? '',
    invoiceNumber: order.invoiceDetail?.invoiceNo ?? '',
    paymentMode: option.paymentMode,
    txnId: '',
    uniqueCode: payer.uniqueCode ?? '',
  };
}

export function processBody(transactionId: string, order: QueryData, option: PaymentOption, payer: { msisdn: string }) {
  return {
    transactionId,
    isSubscriberRequest: true,
    paymentGateway: option.paymentGateway ?? option.paymentMode,
    paymentMode: option.paymentMode,
    proccessFlag: true,
    accountId: order.invoiceDetail?.accountNo ?? '',
    accountType: order.lineType ?? '',
    paymentMobile: payer.msisdn ? toWire(payer.msisdn) : '',
  };
}
