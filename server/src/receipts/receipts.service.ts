import { billedAccount, maskAccount } from '@portal/domain/account-number.ts';
import { writeDate } from '@portal/domain/date-format.ts';
import { formatRate } from '@portal/domain/exchange.ts';
import { digitsOf, formatMoney } from '@portal/domain/money.ts';
import { fromWire, maskNational } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { takenOtherwise } from '@portal/domain/payment/ledger.ts';
import { providerReceipt } from '@portal/domain/payment/provider-receipt.ts';
import {
  awaitedWord,
  moneyState,
  moneyTimeline,
  type StateChange,
  toldState,
} from '@portal/domain/payment/shown-status.ts';
import { oneLine } from '@portal/domain/printable.ts';
import type { Selectable } from 'kysely';
import PdfDocument from 'pdfkit';
import type { PaymentGateway } from '../connectors/ports.ts';
import type { Texts } from '../content/content.service.ts';
import type { Opened } from '../db/schema/column-types.ts';
import type { PaymentsTable } from '../db/schema/payments.ts';

/** A payment with its history. */
export interface PaymentRecord {
  payment: Opened<Selectable<PaymentsTable>>;
  changes: StateChange[];
  /** The goodwill credit, if there was one. */
  goodwill?: { amount: number; currency: string } | null;
  /** An order of home broadband whose request is gone. */
  isLeadErased?: boolean;
}

export interface ReceiptFacts {
  title: string;
  /** Says what the document is and is not. */
  footer: string;
  rows: [label: string, value: string][];
  timeline: [at: string, words: string][];
}

/** Without a charge there is no receipt. */
export const hasReceipt = ({ changes }: Pick<PaymentRecord, 'changes'>): boolean =>
  !['notTaken', 'awaitingApproval'].includes(moneyState(changes));

export interface Receipts {
  facts(record: PaymentRecord, locale: string): ReceiptFacts;
  pdf(record: PaymentRecord, locale: string): Promise<Buffer>;
}

type Translate = (key: string, params?: Record<string, string>) => string;

/** The charge is final only after delivery. */
const paidForGood: readonly string[] = ['delivered'];

const margin = 56;
const ink = '#1c1c28';
const faint = '#5c5c6e';

/** The receipt of a payment. Anybody with the link can fetch it, so numbers are masked as on the status page. */
export function createReceipts(deps: {
  pack: OperatorPack;
  texts: Texts;
  gateways: ReadonlyMap<string, Pick<PaymentGateway, 'isRefundUndocumented' | 'receiptOf'>>;
}): Receipts {
  const { pack } = deps;

  function facts({ payment, changes, isLeadErased }: PaymentRecord, locale: string): ReceiptFacts {
    const language = pack.languages.find((one) => one.locale === locale);
    const formats = language?.formats ?? locale;
    const t = (key: string, params?: Record<string, string>) => deps.texts.text(locale, key, params);
    const when = (at: Date) =>
      writeDate(at, language ?? { formats }, { dateStyle: 'long', timeStyle: 'short', timeZone: pack.timeZone });
    const state = moneyState(changes);
    const isGoingBack = state === 'taken' && changes.some(({ to }) => to === 'REFUND_DUE');
    const shown = isGoingBack ? 'goingBack' : state;
    const isInvoice = payment.transaction_type === 'POSTPAID_BILL' && payment.invoice_number;
    const bought = payment.details.isBroadband ? 'BROADBAND' : payment.transaction_type;
    const type = t(`status.type.${isInvoice ? 'FIXED_INTERNET' : bought}`);
    const ways = pack.methods.filter(({ gateway }) => gateway === payment.gateway);
    const method = ways.find(({ mode }) => mode === payment.payment_mode) ?? ways[0];
    // Airtime has a name in each language; the others are proper names.
    const way = method?.type === 'AIRTIME' ? t('payment.group.AIRTIME') : (method?.name ?? null);
    const step = (told: typeof shown) => t(`status.step.${wordOf(told)}`, { gateway: way ?? '' });
    const wordOf = (told: typeof shown) => {
      if (told === 'awaitingApproval') return awaitedWord(method, pack);
      const { transaction_type: transactionType } = payment;
      return told === 'goingBack' ? told : toldState(told, { transactionType, isLeadErased });
    };
    const rows: [string, string | null][] = [
      [t('receipt.for'), payment.description ?? type],
      [t('receipt.amount'), formatMoney(payment, formats, digitsOf(pack, payment.currency))],
      ...takenRow(payment, { t, formats }),
      ...conversionRows(payment, { t, formats, when }),
      [t('receipt.state'), step(shown)],
      [t('receipt.refund'), refundRow({ payment, changes }, { t, when, provider: way ?? '' })],
      [t('receipt.date'), when(payment.created_at)],
      [t(paidForGood.includes(shown) ? 'receipt.paidWith' : 'status.way'), way],
      [t('receipt.number'), payment.msisdn ? maskNational(fromWire(payment.msisdn), pack.numbering.groups) : null],
      [
        t('receipt.account'),
        payment.account_id ? maskAccount(payment.account_id) : billedAccount(payment.details.item),
      ],
      [t('receipt.invoice'), payment.invoice_number && maskAccount(payment.invoice_number)],
      [t('receipt.reference'), payment.short_reference],
      [t('receipt.transactionId'), transactionIdOf(payment, state)],
    ];
    const titles: Partial<Record<typeof shown, string>> = { delivered: 'title', givenBack: 'refundTitle' };
    return {
      title: t(`receipt.${titles[shown] ?? 'failedTitle'}`),
      footer: t(`receipt.shows.${shown}${shown === 'taken' && payment.details.item.kind === 'bill' ? 'Bill' : ''}`),
      rows: rows.flatMap(([label, value]): [string, string][] => (value ? [[label, oneLine(value)]] : [])),
      timeline: moneyTimeline(changes).map(({ at, state: told }, index, { length }) => [
        when(at),
        step(index === length - 1 ? shown : told),
      ]),
    };
  }

  /** As on the status page. */
  function transactionIdOf(payment: PaymentRecord['payment'], money: ReturnType<typeof moneyState>): string {
    const { provider_reference: reference, payer_msisdn, msisdn } = payment;
    const receiptOf = deps.gateways.get(payment.gateway)?.receiptOf;
    return providerReceipt({ reference, money, numbers: [payer_msisdn, msisdn], receiptOf }) ?? payment.id;
  }

  /** A pending refund, with its time if the provider has one. */
  function refundRow(
    { payment, changes }: PaymentRecord,
    { t, when, provider }: { t: Translate; when: (at: Date) => string; provider: string },
  ): string | null {
    if (!changes.some(({ to }) => to === 'REFUND_DUE') || changes.some(({ to }) => to === 'REFUNDED')) return null;
    if (deps.gateways.get(payment.gateway)?.isRefundUndocumented) return t('status.refundUntold', { provider });
    const expectedBy = payment.refund_expected_at;
    return expectedBy ? t('status.refundExpected', { time: when(expectedBy) }) : null;
  }

  /** If the provider took another amount than was requested. */
  function takenRow(
    payment: PaymentRecord['payment'],
    { t, formats }: { t: (key: string) => string; formats: string },
  ): [string, string][] {
    const taken = takenOtherwise(payment);
    return taken ? [[t('receipt.taken'), formatMoney(taken, formats, digitsOf(pack, taken.currency))]] : [];
  }

  function conversionRows(
    { details: { conversion } }: PaymentRecord['payment'],
    { t, formats, when }: { t: (key: string) => string; formats: string; when: (at: Date) => string },
  ): [string, string][] {
    if (!conversion) return [];
    const { price, from, at } = conversion;
    return [
      [t('receipt.price'), formatMoney({ amount: price, currency: from }, formats, digitsOf(pack, from))],
      [t('receipt.rate'), `${formatRate(conversion, formats)} (${when(new Date(at))})`],
    ];
  }

  return {
    facts,
    pdf(record, locale) {
      const { title, rows, timeline, footer } = facts(record, locale);
      const t = (key: string, params?: Record<string, string>) => plain(deps.texts.text(locale, key, params));
      const document = new PdfDocument({
        size: 'A4',
        margin,
        lang: locale,
        info: { Title: `${pack.brand.name} ${title}`, CreationDate: record.payment.created_at },
      });
      const parts: Buffer[] = [];
      document.on('data', (part: Buffer) => parts.push(part));
      const finished = new Promise<Buffer>((resolve, reject) => {
        document.on('end', () => resolve(Buffer.concat(parts)));
        document.on('error', reject);
      });
      document.fillColor(ink).font('Helvetica-Bold').fontSize(13).text(pack.brand.name);
      document.moveDown(1.5).fontSize(24).text(plain(title)).moveDown(1);
      for (const [label, value] of rows) {
        document.font('Helvetica').fontSize(10).fillColor(faint).text(plain(label));
        document.font('Helvetica-Bold').fontSize(12).fillColor(ink).text(plain(value)).moveDown(0.5);
      }
      document.moveDown(0.5).font('Helvetica-Bold').fontSize(12).text(t('status.whereMoney')).moveDown(0.3);
      for (const [at, words] of timeline)
        document
          .font('Helvetica')
          .fontSize(11)
          .fillColor(ink)
          .text(t('receipt.line', { label: words, value: at }));
      document
        .moveDown(1.5)
        .fontSize(10)
        .fillColor(faint)
        .text(t('receipt.care', { care: pack.care.number }));
      document.text(plain(footer));
      document.end();
      return finished;
    },
  };
}

/** The standard PDF fonts lack typographic spaces and apostrophes, so plain ones replace them. */
function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u202f\u2009]/g, ' ').replaceAll('\u2019', "'");
}
