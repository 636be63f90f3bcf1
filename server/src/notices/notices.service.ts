import { mailboxOf } from '@portal/domain/email.ts';
import { digitsOf, formatMoney } from '@portal/domain/money.ts';
import { fromWire, isOwnNetwork, maskNational, toInternational } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { takenOf } from '@portal/domain/payment/ledger.ts';
import { tellableReason } from '@portal/domain/payment/reasons.ts';
import { moneyState } from '@portal/domain/payment/shown.ts';
import { oneLine } from '@portal/domain/printable.ts';
import { toSmsText } from '@portal/domain/sms-text.ts';
import type { Kysely } from 'kysely';
import { type Budgets, type Draw, drawsOn } from '../budgets/budgets.service.ts';
import type { MailSender, PaymentGateway, SmsSender } from '../connectors/ports.ts';
import type { Texts } from '../content/content.service.ts';
import type { Schema } from '../db/schema.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { hasReceipt, type PaymentRecord, type Receipts } from '../receipts/receipts.service.ts';
import type { SentMessage, SentMessages } from './notices.store.ts';

/** What a customer is told: the same words as the status page, one message for each turn of the money. */
export interface PaymentNotice {
  paymentId: string;
  kind: 'delivered' | 'received' | 'notTaken' | 'lookedInto' | 'goingBack' | 'givenBack' | 'goodwill' | 'careWrote';
  by?: 'sms' | 'mail';
  /** What may be told more than once: which message of a ticket it tells of, or which time a receipt is sent again. */
  occasion?: string;
}

type Payment = PaymentRecord['payment'];
type Told = { kind: PaymentNotice['kind']; ticket: Written | null };

export interface Notices {
  notify(executor: Kysely<Schema>, notice: PaymentNotice): Promise<void>;
  /** What the payer has by now, once more: by mail with the receipt where there is an address, else by SMS. */
  repeat(executor: Kysely<Schema>, record: PaymentRecord, occasion: string): Promise<void>;
  /** What was sent about a payment, in the order in which it was. */
  sentAbout(paymentId: string): Promise<SentMessage[]>;
  start(): Promise<void>;
}

interface Written {
  number: string;
  text: string;
  key: string;
}

interface Dependencies {
  sent: SentMessages;
  find: (paymentId: string) => Promise<PaymentRecord | undefined>;
  /** What customer care wrote in a ticket; null where it is gone. */
  written: (message: string) => Promise<Written | null>;
  jobs: Jobs;
  budgets: Budgets;
  now: () => Date;
  sms: SmsSender;
  mail: MailSender;
  receipts: Receipts;
  texts: Texts;
  pack: OperatorPack;
  gateways: ReadonlyMap<string, Pick<PaymentGateway, 'isRefundBelieved'>>;
  statusUrl: (id: string, locale: string) => string;
}

const mailed: readonly PaymentNotice['kind'][] = ['delivered', 'lookedInto', 'goingBack', 'givenBack', 'careWrote'];
const byItem: readonly PaymentNotice['kind'][] = ['delivered', 'received'];

/** By what became of the money: what the payer was told of it last, which has a receipt. */
function noticeOf({ changes }: Pick<PaymentRecord, 'changes'>): 'delivered' | 'goingBack' | 'givenBack' | null {
  const money = moneyState(changes);
  if (money === 'delivered' || money === 'givenBack') return money;
  return money === 'taken' && changes.some(({ to }) => to === 'REFUND_DUE') ? 'goingBack' : null;
}

/** The payer showed a proof, or approved the payment on the phone itself. */
function provedToPay({ payment, changes }: PaymentRecord, kind: PaymentNotice['kind']): boolean {
  const { payer_msisdn, payer_proof } = payment;
  if (payer_proof !== null || payer_msisdn === null) return payer_proof !== null;
  return kind === 'careWrote' ? hasReceipt({ changes }) : kind !== 'notTaken';
}

export function createNotices(deps: Dependencies): Notices {
  const { find, jobs, sms, mail, receipts, texts, pack, statusUrl } = deps;

  function keyOf({ details, gateway, reason }: Payment, kind: PaymentNotice['kind']): string {
    if (byItem.includes(kind)) return `notices.${kind}.${details.item.kind}`;
    if (kind !== 'goingBack') return `notices.${kind}`;
    const why = reason === 'paidAlready' ? 'Paid' : reason === 'lateMoney' ? 'Late' : '';
    return `notices.goingBack${why}${deps.gateways.get(gateway)?.isRefundBelieved ? 'Untold' : ''}`;
  }

  /** What was taken may be another amount than was asked for. */
  function amountOf({ payment, goodwill }: Pick<PaymentRecord, 'payment' | 'goodwill'>, kind: PaymentNotice['kind']) {
    const isOfTaken = kind === 'lookedInto' || kind === 'goingBack' || kind === 'givenBack';
    const money = kind === 'goodwill' && goodwill ? goodwill : isOfTaken ? takenOf(payment) : payment;
    const language = pack.languages.find(({ locale }) => locale === payment.language);
    return formatMoney(money, language?.formats ?? payment.language, digitsOf(pack, money.currency));
  }

  function wordsOf(
    { payment, goodwill }: PaymentRecord,
    kind: PaymentNotice['kind'],
    more: Record<string, string> = {},
  ): string {
    return texts.text(payment.language, keyOf(payment, kind), {
      provider: pack.methods.find(({ gateway }) => gateway === payment.gateway)?.name ?? '',
      brand: pack.brand.name,
      amount: amountOf({ payment, goodwill }, kind),
      // An invoice may be paid for an account without a number.
      number: payment.msisdn
        ? maskNational(fromWire(payment.msisdn), pack.numbering.groups)
        : (payment.invoice_number ?? ''),
      description: payment.description ?? '',
      reference: payment.short_reference,
      reason: reasonOf(payment),
      ...more,
    });
  }

  function reasonOf(payment: Payment): string {
    const reason = tellableReason(payment);
    return reason ? texts.text(payment.language, `reasons.${reason}`) : '';
  }

  /** Counted before it is sent; one that did not get through is given back and tried again by its job. */
  async function withinBudget(draws: readonly Draw[], send: () => Promise<unknown>): Promise<'sent' | 'overBudget'> {
    const at = deps.now();
    if (await deps.budgets.take(draws)) return 'overBudget';
    try {
      await send();
      return 'sent';
    } catch (error) {
      await deps.budgets.giveBack(draws, at);
      throw error;
    }
  }

  /** Null where there is nobody to send it to. */
  async function sendSms(record: PaymentRecord, { kind, ticket }: Told): Promise<'sent' | 'overBudget' | null> {
    const { payment } = record;
    const payer = payment.payer_msisdn ?? payment.msisdn;
    // A credit is news to the line that got it, whoever paid.
    const isGift = kind === 'goodwill';
    const isForReceiver = kind === 'received' || isGift;
    const to = isForReceiver ? payment.msisdn : payer;
    // An invoice may be paid by card for an account without a number.
    if (!to || (kind === 'received' && payer === payment.msisdn)) return null;
    // Who works for the operator has decided it: no stranger can cause it.
    const isProved = isGift || (!isForReceiver && provedToPay(record, kind));
    if (!isProved && (kind === 'notTaken' || !isOwnNetwork(fromWire(to), pack.numbering))) return null;
    const draws: Draw[] = isProved
      ? [{ budget: 'noticeNumber', subject: to }]
      : [{ budget: 'noticeUnproved', subject: to }, ...drawsOn('noticeNetwork', payment.asked_from)];
    // The conversation opens for who paid. A number that was only named gets the address of the page, and no key to it.
    const more: Record<string, string> = ticket
      ? { ticket: ticket.number, url: ticketUrl(payment, isProved ? ticket : null) }
      : {};
    return withinBudget([...draws, { budget: 'noticeAll', subject: '' }], () =>
      sms.send({
        to: toInternational(fromWire(to), pack.numbering).slice(1),
        text: toSmsText(wordsOf(record, kind, more)),
      }),
    );
  }

  const ticketUrl = ({ id, language }: Payment, ticket: Written | null) =>
    statusUrl(id, language) + (ticket ? `&ticket=${ticket.key}` : '');

  /** What customer care wrote, whole: a mailbox has room for it. */
  function ticketLetter(payment: Payment, ticket: Written) {
    const { number, text } = ticket;
    const t = (key: string, params?: Record<string, string>) => texts.text(payment.language, key, params);
    return {
      subject: t('receipt.line', { label: pack.brand.name, value: t('receipt.subject.careWrote', { ticket: number }) }),
      text: [
        t('receipt.hello'),
        t('receipt.careWrote', { ticket: number, reference: payment.short_reference }),
        oneLine(text),
        `${t('receipt.writeBack')}\n${ticketUrl(payment, ticket)}`,
        t('receipt.care', { care: pack.care.number }),
      ].join('\n\n'),
    };
  }

  async function sendMail(record: PaymentRecord, { kind, ticket }: Told): Promise<'sent' | 'overBudget' | null> {
    const { payment } = record;
    if (!payment.email) return null;
    const to = payment.email;
    const letter = { to, ...(ticket ? ticketLetter(payment, ticket) : await receiptLetter(record, kind)) };
    return withinBudget(
      [
        { budget: 'noticeMail', subject: mailboxOf(to) },
        { budget: 'noticeMailAll', subject: '' },
      ],
      () => mail.send(letter),
    );
  }

  async function receiptLetter(record: PaymentRecord, kind: PaymentNotice['kind']) {
    const { payment } = record;
    const t = (key: string, params?: Record<string, string>) => texts.text(payment.language, key, params);
    const amount = amountOf(record, kind);
    const { rows } = receipts.facts(record, payment.language);
    return {
      subject: t('receipt.line', { label: pack.brand.name, value: t(`receipt.subject.${kind}`, { amount }) }),
      text: [
        t('receipt.hello'),
        wordsOf(record, kind),
        rows.map(([label, value]) => t('receipt.line', { label, value })).join('\n'),
        `${t('receipt.follow')}\n${statusUrl(payment.id, payment.language)}`,
        t('receipt.care', { care: pack.care.number }),
      ].join('\n\n'),
      attachments: [
        {
          filename: `${pack.brand.slug}-${payment.short_reference}.pdf`,
          content: await receipts.pdf(record, payment.language),
          contentType: 'application/pdf',
        },
      ],
    };
  }

  /** A line that is missing in a payment's story is no reason to send a message again. */
  const note = ({ paymentId, kind, by: way = 'sms', occasion = '' }: PaymentNotice, outcome: SentMessage['outcome']) =>
    deps.sent.note(paymentId, { kind, way, occasion, outcome, at: deps.now() }).catch(() => {});

  async function send(notice: PaymentNotice): Promise<void> {
    const { paymentId, kind, by, occasion = '' } = notice;
    const record = await find(paymentId);
    const ticket = kind === 'careWrote' ? await deps.written(occasion) : null;
    if (!record || (kind === 'careWrote' && !ticket)) return;
    const sending = (by === 'mail' ? sendMail : sendSms)(record, { kind, ticket });
    const outcome = await sending.catch(async (error: unknown) => {
      await note(notice, 'failed');
      throw error;
    });
    if (outcome) await note(notice, outcome);
  }

  // A job for each message, so that one which did not get through repeats no other. What one person is told of a payment
  // by one way comes in the order in which it happened.
  const queue = (executor: Kysely<Schema>, message: PaymentNotice, to: 'payer' | 'receiver' = 'payer') =>
    jobs.send(executor, 'notice', message, `${message.paymentId} ${to} ${message.by ?? 'sms'}`);

  return {
    async notify(executor, notice) {
      await queue(executor, notice, notice.kind === 'goodwill' ? 'receiver' : 'payer');
      if (notice.kind === 'delivered') await queue(executor, { ...notice, kind: 'received' }, 'receiver');
      if (mailed.includes(notice.kind)) await queue(executor, { ...notice, by: 'mail' });
    },
    async repeat(executor, record, occasion) {
      const kind = noticeOf(record);
      const { id: paymentId, email } = record.payment;
      if (kind) await queue(executor, { paymentId, kind, occasion, by: email ? 'mail' : 'sms' });
    },
    sentAbout: deps.sent.of,
    start: () => jobs.work<PaymentNotice>('notice', send),
  };
}
