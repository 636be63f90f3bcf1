import type { ResultOf } from '@portal/contract/contract.ts';
import { billedAccount, maskAccount } from '@portal/domain/account-number.ts';
import { writeDate } from '@portal/domain/date-format.ts';
import { maskEmail } from '@portal/domain/email.ts';
import { digitsOf, formatMoney } from '@portal/domain/money.ts';
import { fromWire, groupNational, maskNational, type WireNumber } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { takenOf } from '@portal/domain/payment/ledger.ts';
import { providerReceipt } from '@portal/domain/payment/provider-receipt.ts';
import { reasonWord, tellableReason } from '@portal/domain/payment/reasons.ts';
import { refundHours, reviewedBy } from '@portal/domain/payment/schedule.ts';
import {
  moneyProven,
  moneyState,
  moneyTimeline,
  nextPollSeconds,
  type PageWord,
  type StoredPageWord,
  shownStatus,
  type WaitingFor,
  wasTaken,
} from '@portal/domain/payment/shown-status.ts';
import { isFinal } from '@portal/domain/payment/transitions.ts';
import type { TransactionType } from '@portal/domain/transaction-types.ts';
import type { Bills } from '../../bills/bills.service.ts';
import type { PaymentGateway } from '../../connectors/ports.ts';
import type { Texts } from '../../content/content.service.ts';
import type { SameOrder } from '../core/order-claims.store.ts';
import { gatewayName } from '../core/payments.quote.ts';
import type { Change, Payment, PaymentRecord } from '../core/payments.store.ts';

export interface StatusContext {
  pack: OperatorPack;
  texts: Texts;
  language: string;
  now: Date;
  waitingFor: WaitingFor;
  gateway: Pick<PaymentGateway, 'receiptOf' | 'isRefundUndocumented' | 'isLeft' | 'isDeclined'>;
  /** The parameter of the gateway's return URL; if absent, the stored one counts. */
  returnWord?: string | undefined;
  invoiceTokenOf: Bills['tokenOf'];
  /** The request comes from the visit that ordered it. */
  isOwn: boolean;
}

/** What anybody with the link may see: no full number, and no account number, which gives access to a bill. */
export function statusResult(
  { payment, changes, others, goodwill, isLeadErased }: PaymentRecord,
  context: StatusContext,
): ResultOf<'transactionStatus'> {
  const { pack, texts, language, now, waitingFor, gateway, isOwn } = context;
  const status = shownStatus(payment.state, waitingFor);
  const mask = (wire: WireNumber) => maskNational(fromWire(wire), pack.numbering.groups);
  const group = (wire: WireNumber) => groupNational(fromWire(wire), pack.numbering.groups);
  // The billing system knows the line of an account; the payer must not learn it.
  const shownNumber = (msisdn: WireNumber | '') =>
    msisdn && (isOwn && !payment.invoice_number ? group(msisdn) : mask(msisdn));
  const recipient = shownNumber(payment.msisdn);
  const ownersOnly = (account: string) => (isOwn ? account : maskAccount(account));
  const reason = tellableReason(payment);
  const money = moneyState(changes);
  const sameOrder = sameOrderOf({ payment, changes, others }, isOwn);
  const isTaken = wasTaken(money);
  const accountId = payment.account_id
    ? ownersOnly(payment.account_id)
    : isTaken && billedAccount(payment.details.item);
  const age = (now.getTime() - payment.created_at.getTime()) / 1000;
  return {
    status,
    transactionStatus: status,
    transactionId: payment.id,
    ...receiptNumber(payment, { money, receiptOf: gateway.receiptOf }),
    transactionType: payment.transaction_type as TransactionType,
    ...(payment.details.isBroadband ? { rechargeType: 'broadband' as const } : {}),
    paymentMode: payment.payment_mode,
    paymentGateway: gatewayOf(payment, pack),
    mobileNumber: recipient,
    msisdn: recipient,
    currencyCode: payment.currency,
    amount: payment.amount,
    ...conversionOf(payment),
    ...(accountId ? { accountId } : {}),
    ...(payment.invoice_number ? { invoiceNumber: ownersOnly(payment.invoice_number) } : {}),
    ...(payment.description ? { bundleDescription: payment.description } : {}),
    ...(reason
      ? { statusReason: [reasonWords(payment, reason, context), ...reviewOf(changes, payment, context)].join(' ') }
      : {}),
    ...leadOf(payment, { texts, language, isLeadErased }),
    ...sameOrder,
    ...(payment.payer_msisdn
      ? {
          payer: isOwn ? group(payment.payer_msisdn) : mask(payment.payer_msisdn),
        }
      : {}),
    ...(isOwn && !isTaken && !isLeadErased ? { order: orderOf(payment, context) } : {}),
    reference: payment.short_reference,
    moneyState: money,
    timeline: moneyTimeline(changes).map(({ state, at }) => ({ state, at: at.toISOString() })),
    ...refundOf(payment, changes, gateway),
    ...goodwillOf(goodwill),
    ...(money === 'awaitingApproval' ? openQuestion(payment, changes, { ...context, ...sameOrder }) : {}),
    final: isFinal(payment.state),
    ...pollOf(payment, age),
  };
}

/** A stuck credit is for the operator to resolve, so the customer is promised nothing. */
const goodwillOf = (credit: PaymentRecord['goodwill']): Pick<ResultOf<'transactionStatus'>, 'goodwill'> =>
  credit && credit.state !== 'stuck'
    ? { goodwill: { amount: credit.amount, currencyCode: credit.currency, isGiven: credit.state === 'given' } }
    : {};

function reasonWords(
  payment: Payment,
  reason: NonNullable<ReturnType<typeof tellableReason>>,
  { pack, texts, language }: StatusContext,
): string {
  if (reason !== 'amountConflict')
    return texts.text(language, `reasons.${reasonWord(reason, payment.details.item.kind)}`);
  const taken = takenOf(payment);
  const formats = pack.languages.find(({ locale }) => locale === language)?.formats ?? language;
  return texts.text(language, `reasons.${reason}`, {
    taken: formatMoney(taken, formats, digitsOf(pack, taken.currency)),
  });
}

/** When a person will review it by; after that time, the number to call. */
function reviewOf(changes: Change[], payment: Payment, { pack, texts, language, now }: StatusContext): string[] {
  const last = changes.at(-1);
  if (last?.to !== 'REVIEW') return [];
  const by = reviewedBy(last.at, payment.reason);
  if (by < now) return [texts.text(language, 'status.reviewLate', { care: pack.care.number })];
  const words = pack.languages.find(({ locale }) => locale === language) ?? { formats: language };
  const time = writeDate(by, words, { dateStyle: 'medium', timeStyle: 'short', timeZone: pack.timeZone });
  return [texts.text(language, 'status.reviewBy', { time })];
}

/**
 * What to show while the outcome is unknown: how the browser returned from the gateway's page, that no page was opened,
 * or that the provider's response was unclear.
 */
function openQuestion(
  payment: Payment,
  changes: Change[],
  { waitingFor, gateway, returnWord, sameOrder }: StatusContext & ReturnType<typeof sameOrderOf>,
): Pick<ResultOf<'transactionStatus'>, PageWord | 'unopened' | 'unclear'> {
  const stored = payment.page_word;
  const word = returnWord === undefined || stored === 'done' ? stored : pageWordOf(returnWord, gateway);
  // If another payment paid the order, do not offer another way to pay.
  if (word && word !== 'done' && !sameOrder) return { [word]: true };
  if (waitingFor === 'redirect' && !changes.some(({ to }) => to === 'AWAITING_PAYER')) return { unopened: true };
  return isUnclear(payment) ? { unclear: true } : {};
}

export function pageWordOf(
  word: string | undefined,
  { isLeft, isDeclined }: Pick<PaymentGateway, 'isLeft' | 'isDeclined'>,
): StoredPageWord {
  if (word && isLeft?.(word)) return 'left';
  return word && isDeclined?.(word) ? 'declined' : 'done';
}

/** A payment reaches REVIEW without a clear response, too. */
const isUnclear = ({ state }: Pick<Payment, 'state'>): boolean => state === 'UNKNOWN' || state === 'REVIEW';

/** An order that was paid twice is reported on both payments' pages. */
function sameOrderOf(
  { payment, changes, others }: { payment: Payment; changes: Change[]; others: SameOrder[] },
  isOwn: boolean,
): Pick<ResultOf<'transactionStatus'>, 'sameOrder'> {
  const linkTo = (kind: 'paidBy' | 'paidTwice', { id, reference, visit, state }: SameOrder) => ({
    sameOrder: {
      kind,
      ...((kind === 'paidBy' ? payment.state : state) === 'REFUNDED' ? { isBack: true as const } : {}),
      ...(isOwn && visit === payment.visit ? { transactionId: id, reference } : {}),
    },
  });
  const isOut = payment.reason === 'paidAlready' || !moneyProven(changes.at(-1)?.to ?? 'CREATED');
  const paidBy = isOut ? others.find((other) => other.isPaid) : undefined;
  if (paidBy) return linkTo('paidBy', paidBy);
  const goesBack = others.find(({ state, reason }) => reason === 'paidAlready' && moneyProven(state));
  return goesBack && moneyProven(payment.state) && payment.reason !== 'paidAlready'
    ? linkTo('paidTwice', goesBack)
    : {};
}

/** What the visit that ordered it needs to pay another way. */
function orderOf(
  payment: Payment,
  { invoiceTokenOf }: StatusContext,
): NonNullable<ResultOf<'transactionStatus'>['order']> {
  const { item, lineType, conversion, isBroadband } = payment.details;
  const { product_code, description, email, account_id: accountNo, invoice_number: invoiceNo, order_id } = payment;
  const msisdn = payment.msisdn || null;
  // The payer of an invoice must not learn its account number, so the token contains it.
  const invoice =
    accountNo && invoiceNo
      ? { accountNo, invoiceNo, invoiceToken: invoiceTokenOf({ accountNo, invoiceNo, msisdn }, payment.visit) }
      : null;
  return {
    msisdn: msisdn && !invoice ? fromWire(msisdn) : '',
    amount: conversion?.price ?? payment.amount,
    currency: conversion?.from ?? payment.currency,
    transactionType: payment.transaction_type as TransactionType,
    ...(lineType ? { lineType } : {}),
    ...(isBroadband ? { rechargeType: 'broadband' as const } : {}),
    ...(product_code ? { productCode: product_code } : {}),
    ...(description ? { description } : {}),
    ...(email ? { emailId: email } : {}),
    ...(invoice ? { invoice } : {}),
    ...(item.kind === 'order' ? { leadId: item.leadId } : {}),
    ...(order_id ? { orderId: order_id } : {}),
  };
}

function receiptNumber(
  { provider_reference: reference, payer_msisdn, msisdn }: Payment,
  { money, receiptOf }: { money: ReturnType<typeof moneyState> } & Pick<PaymentGateway, 'receiptOf'>,
): Pick<ResultOf<'transactionStatus'>, 'refTransactionId'> {
  const receipt = providerReceipt({ reference, money, numbers: [payer_msisdn, msisdn], receiptOf });
  return receipt === null ? {} : { refTransactionId: receipt };
}

function gatewayOf({ gateway, payment_mode }: Payment, { methods }: OperatorPack): string {
  const card = methods.find((method) => method.gateway === gateway && method.type === 'PG');
  return card ? gatewayName(card) : payment_mode;
}

function conversionOf({ details: { conversion } }: Payment): Pick<ResultOf<'transactionStatus'>, 'conversion'> {
  if (!conversion) return {};
  const { price, from: fromCurrency, value: rate, at: rateAt } = conversion;
  return { conversion: { price, fromCurrency, rate, rateAt } };
}

/** Fields of a payment for home broadband. */
function leadOf(
  { details: { item, lineType }, email }: Payment,
  { texts, language, isLeadErased }: Pick<StatusContext, 'texts' | 'language'> & Pick<PaymentRecord, 'isLeadErased'>,
): Pick<ResultOf<'transactionStatus'>, 'metaInfo'> {
  if (item.kind !== 'order') return {};
  return {
    metaInfo: {
      ...(isLeadErased
        ? { isErased: true as const }
        : {
            leadId: item.leadId,
            note: texts.text(language, 'lead.note'),
            message: texts.text(language, 'lead.message'),
          }),
      ...(lineType ? { lineType } : {}),
      ...(email ? { email: maskEmail(email) } : {}),
    },
  };
}

export function pollOf(payment: Payment, age: number): { nextPollSeconds?: number } {
  const seconds = nextPollSeconds(payment.state, age);
  return seconds === null ? {} : { nextPollSeconds: seconds };
}

function refundOf(
  payment: Payment,
  changes: Change[],
  { isRefundUndocumented }: StatusContext['gateway'],
): Pick<ResultOf<'transactionStatus'>, 'refund'> {
  const started = changes.find((change) => change.to === 'REFUND_DUE');
  if (!started) return {};
  const completed = changes.find((change) => change.to === 'REFUNDED');
  const expectedBy = payment.refund_expected_at ?? new Date(started.at.getTime() + refundHours * 3_600_000);
  return {
    refund: {
      startedAt: started.at.toISOString(),
      ...(isRefundUndocumented ? {} : { expectedBy: expectedBy.toISOString() }),
      ...(completed ? { completedAt: completed.at.toISOString() } : {}),
    },
  };
}
