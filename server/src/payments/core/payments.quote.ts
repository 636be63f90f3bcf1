import { createHash } from 'node:crypto';
import type { ParsedBodyOf } from '@portal/contract/contract.ts';
import { type AmountLimits, amountProblem } from '@portal/domain/amount-input.ts';
import { leadTags } from '@portal/domain/constants.ts';
import { type Conversion, keepsOnlyWallet, takesCurrency } from '@portal/domain/exchange.ts';
import { formatMoney } from '@portal/domain/money.ts';
import { fromWire, groupNational, isMobile, isOwnNetwork, type WireNumber } from '@portal/domain/msisdn.ts';
import type { OperatorPack, PaymentMethod } from '@portal/domain/operator.ts';
import type { Bills } from '../../bills/bills.service.ts';
import type { Bundles } from '../../bundles/bundles.service.ts';
import type { DeliveredItem } from '../../connectors/ports.ts';
import type { PayerProof } from '../../db/schema/payments.ts';
import type { NamedPayment } from '../../db/schema/verification.ts';
import type { Exchange, Offer } from '../../exchange/exchange.service.ts';
import { PortalError } from '../../http/portal-error.ts';
import type { Leads } from '../../leads/leads.service.ts';
import type { Line, Lines } from '../../lines/lines.service.ts';
import type { Payment } from './payments.store.ts';

/** A priced order, with every field checked by the server. */
export interface Quote {
  gateway: string;
  paymentMode: string;
  transactionType: string;
  amount: number;
  currency: string;
  msisdn: WireNumber | '';
  /** The payer's number, final from here on. Null if the gateway's own page identifies the payer. */
  payerMsisdn: WireNumber | null;
  payerProof: PayerProof | null;
  /** The proof behind the wallet's token. It pays once. */
  proofDigest: string | null;
  email: string | null;
  productCode: string | null;
  description: string | null;
  accountId: string | null;
  invoiceNumber: string | null;
  language: string;
  /** The visit that ordered it. */
  visit: string | null;
  /** Groups payments that are attempts of one order; null if the client sent no order number. */
  orderId: string | null;
  orderDigest: string | null;
  details: PaymentDetails;
}

export interface PaymentDetails {
  item: DeliveredItem;
  lineType?: string;
  /** When the recipient's line was activated, if its system states it. */
  lineSince?: string;
  /** Whether the line belongs to a router. */
  isBroadband?: boolean;
  /** If paid in the operator's second currency: the price, and the rate it was converted at. */
  conversion?: Conversion;
}

/** A request with the payer's number decrypted. */
export type Initiation = Omit<ParsedBodyOf<'initiate'>, 'paymentMobile'> & {
  paymentMobile?: WireNumber | '' | undefined;
};

export interface QuoteContext {
  pack: OperatorPack;
  method: PaymentMethod;
  lines: Lines;
  bundles: Bundles;
  bills: Bills;
  leads: Pick<Leads, 'payable'>;
  exchange: Exchange;
  language: string;
  visit: string | null;
}

/** A card gateway is named by its connector; every other way to pay by its mode. */
export function gatewayName(method: PaymentMethod): string {
  return method.type === 'PG' ? method.gateway.toUpperCase() : method.mode;
}

/** The variant sales flow pays by airtime under a mode of its own. */
export function withWorksMode(methods: readonly PaymentMethod[]): PaymentMethod[] {
  const airtime = methods.find(({ type }) => type === 'AIRTIME');
  return airtime ? [...methods, { ...airtime, mode: leadTags.paymentMode }] : [...methods];
}

export function methodFor(order: Omit<Initiation, 'paymentMobile'>, methods: readonly PaymentMethod[]): PaymentMethod {
  const method = methods.find(
    (one) =>
      one.mode === order.paymentMode &&
      (!order.paymentGateway || [gatewayName(one), one.mode].includes(order.paymentGateway)),
  );
  const isWorks = method?.mode === leadTags.paymentMode;
  if (!method || (isWorks && order.transactionType !== leadTags.type))
    throw new PortalError('methodNotOffered', { field: 'paymentMode' });
  return method;
}

/** Push methods prompt the payer on the phone. The others need proof that the payer is present. */
export function proofNeeded(method: PaymentMethod, pack: OperatorPack): 'none' | PayerProof {
  if (method.type === 'AIRTIME') return 'code';
  if (method.type === 'SMARTCASH_SECURE') return 'token';
  return method.type === 'AM' && pack.features.enableAmPin ? 'token' : 'none';
}

/** The server sets the price: it checks the request again against line, catalogue, bill and limits. */
export async function quoteFor(sent: Initiation, context: QuoteContext): Promise<Quote> {
  const { pack, method } = context;
  const isInSecond = pack.secondCurrency !== undefined && sent.currencyCode === pack.secondCurrency.code;
  const offer = isInSecond ? promisedOffer(sent, context.exchange) : null;
  const currency = offer?.conversion.to ?? pack.currency.code;
  if (sent.currencyCode && sent.currencyCode !== currency)
    throw new PortalError('currencyNotUsed', { field: 'currencyCode' });
  // From here on amounts are in the currency of prices, whatever the payment is in.
  const order = offer ? { ...sent, amount: offer.conversion.price } : sent;
  if (!takesCurrency(method, currency, pack) || (method.type !== 'AM' && keepsOnlyWallet(order.amount, pack)))
    throw new PortalError('methodNotOffered', { field: 'paymentMode' });
  if (order.countryCode && order.countryCode !== pack.numbering.countryCode)
    throw new PortalError('countryNotServed', { field: 'countryCode' });
  const wanted = await ordered(order, context);
  const msisdn = wanted.msisdn ?? (order.mobileNumber || '');
  return {
    gateway: method.gateway,
    paymentMode: method.mode,
    transactionType: order.transactionType,
    amount: offer?.amount ?? order.amount,
    currency,
    payerMsisdn: payerOf(order.paymentMobile || msisdn, context),
    payerProof: null,
    proofDigest: null,
    email: order.emailId || null,
    productCode: null,
    description: null,
    accountId: null,
    invoiceNumber: null,
    language: context.language,
    visit: context.visit,
    orderId: order.orderId ?? null,
    orderDigest: null,
    ...wanted,
    msisdn,
    details: { ...wanted.details, ...(offer ? { conversion: offer.conversion } : {}) },
  };
}

/**
 * Identifies the order that a payment is an attempt of. It hashes the order number together with what is bought, so
 * that somebody who knows the number alone cannot block another purchase. Way to pay, payer and currency are left out,
 * since attempts may differ in them.
 */
export function orderDigestOf(quote: Quote, orderId: string): string {
  const { transactionType, msisdn, productCode, accountId, invoiceNumber, details } = quote;
  const leadId = details.item.kind === 'order' ? details.item.leadId : null;
  const price = details.conversion?.price ?? quote.amount;
  const facts = [orderId, transactionType, price, msisdn, productCode, accountId, invoiceNumber, leadId];
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url');
}

function payerOf(msisdn: WireNumber | '', { method, pack }: QuoteContext): WireNumber | null {
  if (method.type === 'PG') return null;
  const isPayer = method.type === 'AM' || method.type === 'AIRTIME' ? isOwnNetwork : isMobile;
  if (!msisdn || !isPayer(fromWire(msisdn), pack.numbering))
    throw new PortalError('payerNumberInvalid', { field: 'paymentMobile' }, { brand: pack.brand.name });
  return msisdn;
}

/** Identifies the payment that a proof is for. A payment that differs in any of these fields needs another proof. */
export function nameOf(quote: Quote, { numbering }: OperatorPack): NamedPayment {
  const { transactionType, amount, currency, msisdn, productCode, accountId, invoiceNumber, details } = quote;
  const leadId = details.item.kind === 'order' ? details.item.leadId : null;
  const facts = [transactionType, amount, currency, msisdn, productCode, accountId, invoiceNumber, leadId];
  return {
    digest: createHash('sha256').update(JSON.stringify(facts)).digest('base64url'),
    amount,
    currency,
    payee: leadId ?? invoiceNumber ?? groupNational(fromWire(msisdn), numbering.groups),
  };
}

/**
 * The same for a stored order that asked for a code: only for the visit that ordered it and the number that pays it.
 */
export function nameAsked(
  payment: Payment | undefined,
  asked: { msisdn: string; visit: string | null },
  { numbering }: OperatorPack,
): NamedPayment {
  const isAsked = payment?.visit === asked.visit && payment.payer_msisdn === asked.msisdn;
  if (!isAsked || payment.state !== 'CREATED') throw new PortalError('paymentUnknown');
  const { id, amount, currency, msisdn, invoice_number, details } = payment;
  const leadId = details.item.kind === 'order' ? details.item.leadId : null;
  return {
    digest: id,
    amount,
    currency,
    payee: leadId ?? invoice_number ?? groupNational(fromWire(msisdn), numbering.groups),
  };
}

/** Prices a purchase before it is paid, to name the payment in its code. */
export async function namePayment(
  purchase: Omit<Initiation, 'paymentMode'>,
  how: { paymentMode: string; paymentMobile: WireNumber | '' },
  context: Omit<QuoteContext, 'method'> & {
    methods: readonly PaymentMethod[];
    refuseClosed: (method: PaymentMethod, language: string) => Promise<void>;
  },
): Promise<NamedPayment> {
  const order = { ...purchase, ...how };
  const method = methodFor(order, withWorksMode(context.methods));
  if (proofNeeded(method, context.pack) === 'none')
    throw new PortalError('methodWithoutCode', { field: 'data.paymentMode' });
  // Send no code for a purchase that could not be paid.
  await context.refuseClosed(method, context.language);
  return nameOf(await quoteFor(order, { ...context, method }), context.pack);
}

/** The amount was converted by the server when the page was shown. The browser's amount is only compared with it. */
function promisedOffer(sent: Initiation, exchange: Exchange): Omit<Offer, 'quote'> {
  const offer = sent.exchangeQuote ? exchange.honour(sent.exchangeQuote) : null;
  if (!offer || offer.amount !== sent.amount)
    throw new PortalError('rateExpired', {
      field: 'exchangeQuote',
    });
  return offer;
}

type Ordered = Pick<Quote, 'details'> & Partial<Quote>;

function ordered(order: Initiation, context: QuoteContext): Promise<Ordered> {
  switch (order.transactionType) {
    case 'PREPAID_RECHARGE':
      return recharge(order, context);
    case 'PREPAID_BUNDLES':
    case 'POSTPAID_BUNDLES':
      return bundle(order, context);
    case 'POSTPAID_BILL':
      return order.invoiceNumber ? invoice(order, context) : bill(order, context);
    case 'HBB_LEADS':
      return homeBroadband(order, context);
  }
}

async function recharge(order: Initiation, { pack, lines }: QuoteContext): Promise<Ordered> {
  refuseProduct(order);
  checkAmount(order.amount, pack.limits.prepaid, pack);
  const line = await lineOf(order, lines, ['PREPAID'], 'lineNotPrepaid');
  return { details: { item: { kind: 'airtime' }, ...factsOf(line) } };
}

async function bundle(order: Initiation, { lines, bundles, language }: QuoteContext): Promise<Ordered> {
  const wanted = order.transactionType === 'POSTPAID_BUNDLES' ? 'POSTPAID' : 'PREPAID';
  const line = await lineOf(order, lines, [wanted, 'HYBRID'], 'bundleNotForLine');
  const sold = await bundles.find(order.productCode ?? '', line, language);
  if (!sold) throw new PortalError('bundleWithdrawn', { field: 'productCode' });
  if (sold.bundle.amount !== order.amount) throw new PortalError('bundlePriceChanged', { field: 'amount' });
  return {
    productCode: sold.bundle.productCode,
    description: sold.bundle.description,
    details: { item: sold.item, ...factsOf(line) },
  };
}

async function bill(order: Initiation, { pack, lines, bills }: QuoteContext): Promise<Ordered> {
  refuseProduct(order);
  checkAmount(order.amount, pack.limits.postpaid, pack);
  const line = await lineOf(order, lines, ['POSTPAID', 'HYBRID'], 'lineNotPostpaid');
  const accountNo = order.mobileNumber ? await bills.accountOf(order.mobileNumber) : null;
  if (!accountNo) throw new PortalError('noBillForLine', { field: 'mobileNumber' });
  // The status page shows only its last digits, because the whole account number gives access to the bill.
  return { details: { item: { kind: 'bill', accountNo, billNo: null }, ...factsOf(line) } };
}

async function invoice(order: Initiation, { bills, visit }: QuoteContext): Promise<Ordered> {
  refuseProduct(order);
  const { invoiceNumber: invoiceNo = '', accountId: accountNo = '', invoiceToken: token = '' } = order;
  const found = await bills.invoiceToPay({ accountNo, invoiceNo, token }, visit);
  if (!found)
    throw new PortalError('invoiceNotShown', {
      field: 'invoiceNumber',
    });
  if (found.amountDue === 0) throw new PortalError('invoicePaid', { field: 'invoiceNumber' });
  if (found.amountDue !== order.amount)
    throw new PortalError('amountDueChanged', {
      field: 'amount',
    });
  return {
    // The payer must not choose the number that is notified.
    msisdn: found.msisdn ?? '',
    accountId: found.accountNo,
    invoiceNumber: found.invoiceNo,
    details: { item: { kind: 'bill', accountNo: found.accountNo, billNo: found.invoiceNo } },
  };
}

/** Number, plan and price come from the verified lead. The browser only sends its id, and where the receipt goes. */
async function homeBroadband(order: Initiation, { bundles, leads, language, visit }: QuoteContext): Promise<Ordered> {
  const lead = await leads.payable(order.txnId ?? '', visit);
  const plan = lead && (await bundles.findPlan(lead.plan_code, language));
  if (!lead || !plan || (order.productCode && order.productCode !== lead.plan_code))
    throw new PortalError('orderNotPayable', { field: 'txnId' });
  // A lead keeps the price it was ordered at.
  if (lead.plan_amount !== order.amount) throw new PortalError('planPriceChanged', { field: 'amount' });
  return {
    msisdn: lead.contact_number,
    email: order.emailId || lead.email,
    productCode: plan.productCode,
    description: lead.plan_description,
    details: { item: { kind: 'order', leadId: lead.id, productCode: plan.productCode }, lineType: lead.line_type },
  };
}

const factsOf = ({ lineType, since, broadband }: Line) => ({
  lineType,
  ...(since ? { lineSince: since.toISOString() } : {}),
  ...(broadband ? { isBroadband: true } : {}),
});

function refuseProduct(order: Initiation): void {
  if (order.productCode) throw new PortalError('boughtByAmount', { field: 'productCode' });
}

function checkAmount(amount: number, limits: AmountLimits, pack: OperatorPack): void {
  const problem = amountProblem(amount, limits);
  if (!problem) return;
  const limit = problem.kind === 'below' ? problem.min : problem.max;
  const bound = formatMoney({ amount: limit, currency: pack.currency.code }, 'en', pack.currency.digits);
  throw new PortalError(
    problem.kind === 'below' ? 'amountTooSmall' : 'amountTooLarge',
    { field: 'amount' },
    { amount: bound },
  );
}

async function lineOf(
  order: Initiation,
  lines: Lines,
  kinds: readonly Line['lineType'][],
  otherwise: 'lineNotPrepaid' | 'lineNotPostpaid' | 'bundleNotForLine',
): Promise<Line> {
  if (!order.mobileNumber) throw new PortalError('numberNeeded', { field: 'mobileNumber' });
  const line = await lines.find(order.mobileNumber);
  if (!line) throw new PortalError('lineUnknown', { field: 'mobileNumber' });
  if (!kinds.includes(line.lineType)) throw new PortalError(otherwise, { field: 'mobileNumber' });
  return line;
}
