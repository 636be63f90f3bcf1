import type { ResultOf } from '@portal/contract/contract.ts';
import { leadTags } from '@portal/domain/constants.ts';
import { emailProblem } from '@portal/domain/email.ts';
import { keepsOnlyWallet, takesCurrency } from '@portal/domain/exchange.ts';
import { toMajorString } from '@portal/domain/money.ts';
import { toWire, type WireNumber } from '@portal/domain/msisdn.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { paths } from '@portal/domain/paths.ts';
import type { Answer, Api, Failure } from '../../lib/api.ts';
import type { QueryData } from '../../lib/session.ts';

export type Converted = ResultOf<'exchangeRate'>;
/** The methods offered, and those switched off for now. */
export type PaymentOptions = ResultOf<'paymentOptions'>;
export type PaymentOption = PaymentOptions['paymentOption'][number];

/** The amount taken where it is not the price itself: the amount in the other currency, with its quote. */
export interface Charged {
  amount: number;
  currency: string;
  exchangeQuote: string;
  /** Requests a new quote when this one has expired. */
  renew?: () => void;
}

export type PaymentOrder = QueryData & { charged?: Charged };

export const chargeOf = (order: PaymentOrder): { amount: number; currency: string } => order.charged ?? order;

export interface PaymentLoaded {
  order: QueryData | null;
  /** The price in the operator's second currency, where it has one and the rate could be loaded. */
  converted: Converted | null;
  /** The sealed order, for links and forms without script. */
  token: string | null;
  options: PaymentOptions | null;
  /** Why there are none, for pages without script, which cannot retry. */
  failure: Failure | null;
}

const optionTypes = ['PG', 'AIRTIME', 'AM', 'MPESA', 'SMARTCASH_SECURE'] as const;
export type OptionType = (typeof optionTypes)[number];

export interface OptionGroup {
  type: OptionType;
  /** Last segment of its URL. */
  route: string;
  /** Name of a gateway that takes no cards; the others are named by their type. */
  name: string | null;
  options: [PaymentOption, ...PaymentOption[]];
  /** Its health in the last hour, if known. */
  health: ToldHealth | null;
}

type ToldHealth = Exclude<NonNullable<PaymentOption['health']>, 'noRecentData'>;
const isFailing = ({ health }: Pick<PaymentOption, 'health'>) => health === 'trouble';

/** With several gateways for one method the healthiest counts, because the customer can choose it. */
function healthOf(options: readonly PaymentOption[]): ToldHealth | null {
  const told = (['works', 'slow', 'trouble'] as const).find((one) => options.some(({ health }) => health === one));
  // A gateway without recent data may work.
  return told === 'trouble' && !options.every(isFailing) ? null : (told ?? null);
}

const failingLast = <T>(list: readonly T[], isLast: (one: T) => boolean): T[] => [
  ...list.filter((one) => !isLast(one)),
  ...list.filter(isLast),
];

function routeOfType(type: OptionType, operator: PublicPack): string {
  const routes = {
    PG: 'card',
    AIRTIME: 'airtime',
    AM: `${operator.brand.slug}-money`,
    MPESA: 'mpesa',
    SMARTCASH_SECURE: 'smartcash',
  };
  return routes[type];
}

/** The section for cards; a gateway that takes none has a section of its own, under the route in its pack. */
const cardRoute = 'card';

export function routeOf({ type, paymentGateway }: PaymentOption, operator: PublicPack): string {
  if (type !== 'PG') return routeOfType(type, operator);
  const method = operator.methods.find((one) => one.type === type && one.gateway.toUpperCase() === paymentGateway);
  return method?.route ?? cardRoute;
}

const byName = (options: readonly PaymentOption[]) =>
  failingLast(
    [...options].sort((one, other) => one.name.localeCompare(other.name)),
    isFailing,
  );

/**
 * One section per method in a fixed order, except that failing ones come last. A section may hold several options,
 * such as card gateways.
 */
export function optionGroups(options: readonly PaymentOption[], operator: PublicPack): OptionGroup[] {
  const groups = optionTypes.flatMap((type) => {
    const routed = byName(options.filter((one) => one.type === type)).map((option) => ({
      option,
      route: routeOf(option, operator),
    }));
    const routes = [...new Set([routeOfType(type, operator), ...routed.map(({ route }) => route)])];
    return routes.flatMap((route) => {
      const [first, ...others] = routed.filter((one) => one.route === route).map(({ option }) => option);
      const name = type === 'PG' && route !== cardRoute ? (first?.name ?? null) : null;
      const ofRoute = first ? ([first, ...others] as const) : null;
      return ofRoute ? [{ type, route, name, options: [...ofRoute], health: healthOf(ofRoute) }] : [];
    });
  });
  return failingLast(groups as OptionGroup[], ({ health }) => health === 'trouble');
}

/** A sales visit pays by airtime, under a payment mode of its own. */
export const isWorksOrder = (order: QueryData) => order.flow === leadTags.paymentMode;

/** The methods possible for the order, its amount and the chosen currency. */
export function offeredFor(
  order: PaymentOrder,
  options: readonly PaymentOption[],
  operator: PublicPack,
): readonly PaymentOption[] {
  const { currency } = chargeOf(order);
  const takes = ({ paymentMode }: PaymentOption) =>
    operator.methods.some((method) => method.mode === paymentMode && takesCurrency(method, currency, operator));
  const isSmall = keepsOnlyWallet(order.amount, operator);
  return namedGateways(order, worksOptions(order, options))
    .filter(({ type }) => type === 'AM' || !isSmall)
    .filter((option) => !operator.secondCurrency || takes(option));
}

const gatewayOf = ({ paymentGateway = '' }: PaymentOption) => ({ paymentOpt: paymentGateway });

/** The offered methods that are gateways, as stored with an order. */
export const pgOptionsOf = (options: readonly PaymentOption[]): NonNullable<QueryData['pgOptions']> =>
  options.filter(({ type }) => type === 'PG').map(gatewayOf);

/** An order may name its gateways. If none of them is offered any more, all others are. */
function namedGateways({ pgOptions = [] }: QueryData, options: readonly PaymentOption[]): readonly PaymentOption[] {
  const isNamed = (option: PaymentOption) =>
    pgOptions.some(({ paymentOpt }) => paymentOpt === gatewayOf(option).paymentOpt);
  return options.some(isNamed) ? options.filter((option) => option.type !== 'PG' || isNamed(option)) : options;
}

function worksOptions(order: QueryData, options: readonly PaymentOption[]): readonly PaymentOption[] {
  if (!isWorksOrder(order)) return options;
  const { paymentMode } = leadTags;
  return options
    .filter(({ type }) => type === 'AIRTIME')
    .map((option) => ({ ...option, paymentMode, paymentGateway: paymentMode }));
}

/** The method a URL names: null when it names none, 'unknown' when there is no such method. */
export function methodOf(path: string, operator: PublicPack): OptionType | 'unknown' | null {
  if (path === paths.payment || path === paths.paymentStart) return null;
  const route = routeIn(path);
  const isGateway = operator.methods.some((one) => one.type === 'PG' && one.route === route);
  return optionTypes.find((type) => routeOfType(type, operator) === route) ?? (isGateway ? 'PG' : 'unknown');
}

const routeIn = (path: string) =>
  path.startsWith(`${paths.paymentStart}/`) ? path.slice(paths.paymentStart.length + 1) : null;

/** The method the URL names; otherwise the first healthy card section, otherwise the first of all. */
export function chosenOption(
  options: readonly PaymentOption[],
  path: string,
  operator: PublicPack,
): PaymentOption | null {
  const sorted = byName(options);
  const route = routeIn(path);
  if (route !== null) return sorted.find((option) => routeOf(option, operator) === route) ?? null;
  // A failing method is not preselected where there is another.
  const working = sorted.filter((option) => !isFailing(option));
  const open = working.length > 0 ? working : sorted;
  const card = open.find((option) => routeOf(option, operator) === cardRoute) ?? open.find(({ type }) => type === 'PG');
  return card ?? open[0] ?? null;
}

/** The email may be typed on the payment page and does not change the order; nor do values derived from the amount. */
export function isSameOrder(one: QueryData | null, other: QueryData): boolean {
  const text = (order: QueryData | null) =>
    JSON.stringify(order, (key, value) => (addedHere.includes(key) ? undefined : value));
  return text(one) === text(other);
}

const addedHere = ['emailId', 'enableDualCurrency', 'usdAmount', 'theme', 'pgOptions'];

const wireOf = (national: string): WireNumber | '' => (national ? toWire(national) : '');

/** A URL may name a channel or one gateway; then the other variant of the options call is used. */
export function fetchOptions(
  api: Api,
  order: QueryData,
  { channel, pg }: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Answer<ResultOf<'paymentOptions'>>> {
  const body = optionsBody(order);
  const asked = { body, ...(signal ? { signal } : {}) };
  if (!channel && !pg) return api('paymentOptions', asked);
  return api('paymentOptionsByChannel', {
    ...asked,
    query: { ...(channel ? { channel } : {}), ...(pg ? { pg } : {}) },
  });
}

/** The price in the operator's second currency; null where there is none. */
export function fetchConversion(
  api: Api,
  order: QueryData,
  { currency, secondCurrency }: PublicPack,
  signal?: AbortSignal,
): Promise<Answer<Converted>> | null {
  if (!secondCurrency) return null;
  const query = {
    fromCurrency: currency.code,
    toCurrency: secondCurrency.code,
    amount: toMajorString(order.amount, currency.digits),
  };
  return api('exchangeRate', { query, ...(signal ? { signal } : {}) });
}

export function optionsBody(order: QueryData) {
  return {
    amount: order.amount,
    mobileNumber: wireOf(order.msisdn),
    subscriberType: order.lineType ?? '',
    rechargeType: order.rechargeType ?? '',
    transactionType: order.transactionType,
  };
}

interface Payer {
  msisdn: string;
  /** The encrypted number, where it must not be sent in clear. */
  sealed?: string;
  email?: string;
  uniqueCode?: string;
}

/** Stored while it is typed, so it may be incomplete. */
const usableEmail = (email = '') => (emailProblem(email) === null ? email : '');

const payerNumber = ({ sealed, msisdn }: Payer) => sealed ?? wireOf(msisdn);

/** What is bought, for whom and for how much; a payment code is sent for this order only. */
export function purchaseOf(order: PaymentOrder, operator: PublicPack) {
  const charge = chargeOf(order);
  return {
    amount: charge.amount,
    countryCode: operator.numbering.countryCode,
    currencyCode: charge.currency,
    ...(order.charged ? { exchangeQuote: order.charged.exchangeQuote } : {}),
    mobileNumber: wireOf(order.msisdn),
    productCode: order.productCode ?? '',
    transactionType: order.transactionType,
    accountId: order.invoiceDetail?.accountNo ?? '',
    invoiceNumber: order.invoiceDetail?.invoiceNo ?? '',
    ...(order.invoiceDetail?.invoiceToken ? { invoiceToken: order.invoiceDetail.invoiceToken } : {}),
    txnId: order.leadId ?? '',
  };
}

/** The whole initiation payload; fields that a flow does not have are empty. */
export function initiationBody(order: PaymentOrder, option: PaymentOption, payer: Payer, operator: PublicPack) {
  return {
    ...purchaseOf(order, operator),
    paymentMobile: payerNumber(payer),
    emailId: payer.email ?? usableEmail(order.emailId),
    paymentGateway: option.paymentGateway ?? option.paymentMode,
    unit: 1,
    loggedInNumber: wireOf(order.msisdn),
    accountType: order.lineType ?? '',
    paymentMode: option.paymentMode,
    uniqueCode: payer.uniqueCode ?? '',
    ...(order.orderId ? { orderId: order.orderId } : {}),
  };
}

export function processBody(transactionId: string, order: QueryData, option: PaymentOption, payer: Payer) {
  return {
    transactionId,
    isSubscriberRequest: true,
    paymentGateway: option.paymentGateway ?? option.paymentMode,
    paymentMode: option.paymentMode,
    proccessFlag: true,
    accountId: order.invoiceDetail?.accountNo ?? '',
    accountType: order.lineType ?? '',
    paymentMobile: payerNumber(payer),
  };
}
