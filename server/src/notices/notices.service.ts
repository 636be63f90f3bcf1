import { mailboxOf } from '@portal/domain/email.ts';
import { digitsOf, formatMoney } from '@portal/domain/money.ts';
import { fromWire, isOwnNetwork, maskNational, toInternational, type WireNumber } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { takenOf } from '@portal/domain/payment/ledger.ts';
import { reasonWord, tellableReason } from '@portal/domain/payment/reasons.ts';
import { moneyState } from '@portal/domain/payment/shown-status.ts';
import { paragraphs } from '@portal/domain/printable.ts';
import { toSmsText, withWordIfFree } from '@portal/domain/sms-text.ts';
import type { Kysely } from 'kysely';
import { type Budgets, type Draw, drawsOn } from '../budgets/budgets.service.ts';
import type { MailSender, PaymentGateway, SmsSender } from '../connectors/ports.ts';
import type { Texts } from '../content/content.service.ts';
import type { Schema } from '../db/schema.ts';
import type { NoticeQueue } from '../notice-queue/notice-queue.ts';
import { hasReceipt, type PaymentRecord, type Receipts } from '../receipts/receipts.service.ts';
import type { LeadNotice } from './notices.leads.ts';
import type { SentMessage, SentMessages } from './notices.store.ts';
import { withinBudget } from './within-budget.ts';

/** A message to a customer, in the words of the status page: one for each change of where the money is. */
export interface PaymentNotice {
  paymentId: string;
  kind: 'delivered' | 'received' | 'notTaken' | 'lookedInto' | 'goingBack' | 'givenBack' | 'goodwill' | 'careWrote';
  by?: 'sms' | 'mail';
  /** Distinguishes messages of one kind that may be sent repeatedly: the message of a ticket, or a resent receipt. */
  occasion?: string;
}

type Payment = PaymentRecord['payment'];
type Message = { kind: PaymentNotice['kind']; ticket: CareMessage | null };

export interface Notices {
  notify(executor: Kysely<Schema>, notice: PaymentNotice): Promise<void>;
  /** Sends the latest message to the payer again: by mail with the receipt if there is an email, else by SMS. */
  repeat(executor: Kysely<Schema>, record: PaymentRecord, occasion: string): Promise<void>;
  /** The channels that would reach the payer, as far as that is known before sending. */
  waysOf(record: PaymentRecord, kind: PaymentNotice['kind']): ('sms' | 'mail')[];
  /** The messages about a payment, oldest first. */
  sentAbout(paymentId: string): Promise<SentMessage[]>;
  start(): Promise<void>;
}

interface CareMessage {
  number: string;
  text: string;
  key: string;
}

interface Dependencies {
  sent: SentMessages;
  find: (paymentId: string) => Promise<PaymentRecord | undefined>;
  /** What customer care wrote in a ticket; null if it was deleted. */
  written: (message: string) => Promise<CareMessage | null>;
  queue: NoticeQueue;
  budgets: Budgets;
  now: () => Date;
  sms: SmsSender;
  mail: MailSender;
  receipts: Receipts;
  texts: Texts;
  pack: OperatorPack;
  gateways: ReadonlyMap<string, Pick<PaymentGateway, 'isRefundUndocumented'>>;
  statusUrl: (id: string, locale: string) => string;
  /** The messages about requests for home broadband, which share the queue. */
  tellOfLead: (notice: LeadNotice) => Promise<void>;
}

const mailed: readonly PaymentNotice['kind'][] = ['delivered', 'lookedInto', 'goingBack', 'givenBack', 'careWrote'];
/** Nothing happens to the payment after these. */
const final: readonly PaymentNotice['kind'][] = ['delivered', 'notTaken', 'givenBack'];
const byItem: readonly PaymentNotice['kind'][] = ['delivered', 'received'];

/** The last message about the money that has a receipt. */
function noticeOf({ changes }: Pick<PaymentRecord, 'changes'>): 'delivered' | 'goingBack' | 'givenBack' | null {
  const money = moneyState(changes);
  if (money === 'delivered' || money === 'givenBack') return money;
  return money === 'taken' && changes.some(({ to }) => to === 'REFUND_DUE') ? 'goingBack' : null;
}

/** The payer entered a code or showed a token, or approved the payment on the phone. */
function provedToPay({ payment, changes }: PaymentRecord, kind: PaymentNotice['kind']): boolean {
  const { payer_msisdn, payer_proof } = payment;
  if (payer_proof !== null || payer_msisdn === null) return payer_proof !== null;
  return kind === 'careWrote' ? hasReceipt({ changes }) : kind !== 'notTaken';
}

export function createNotices(deps: Dependencies): Notices {
  const { find, queue, sms, mail, receipts, texts, pack, statusUrl } = deps;

  function keyOf(
    { payment, changes }: Pick<PaymentRecord, 'payment' | 'changes'>,
    kind: PaymentNotice['kind'],
  ): string {
    const { details, gateway, reason } = payment;
    if (byItem.includes(kind)) return `notices.${kind}.${details.item.kind}`;
    const bill = details.item.kind === 'bill' ? 'Bill' : '';
    if (kind !== 'goingBack') return `notices.${kind}${kind === 'lookedInto' ? bill : ''}`;
    // A person decided it, and nobody had tried to deliver.
    const isChecked =
      changes.some(({ to }, index) => to === 'REFUND_DUE' && changes[index - 1]?.to === 'REVIEW') &&
      !changes.some(({ to }) => to === 'FULFILLING');
    const why = reason === 'paidAlready' ? 'Paid' : reason === 'lateMoney' ? 'Late' : isChecked ? 'Checked' : bill;
    return `notices.goingBack${why}${deps.gateways.get(gateway)?.isRefundUndocumented ? 'Untold' : ''}`;
  }

  /** The amount taken may differ from the amount asked for. */
  function amountOf({ payment, goodwill }: Pick<PaymentRecord, 'payment' | 'goodwill'>, kind: PaymentNotice['kind']) {
    const isOfTaken = kind === 'lookedInto' || kind === 'goingBack' || kind === 'givenBack';
    const money = kind === 'goodwill' && goodwill ? goodwill : isOfTaken ? takenOf(payment) : payment;
    const language = pack.languages.find(({ locale }) => locale === payment.language);
    return formatMoney(money, language?.formats ?? payment.language, digitsOf(pack, money.currency));
  }

  function messageOf(record: PaymentRecord, kind: PaymentNotice['kind']): string {
    const { payment, goodwill } = record;
    return texts.text(payment.language, keyOf(record, kind), {
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
    });
  }

  function reasonOf(payment: Payment): string {
    const reason = tellableReason(payment);
    return reason ? texts.text(payment.language, `reasons.${reasonWord(reason, payment.details.item.kind)}`) : '';
  }

  /** Null if there is no recipient. */
  function smsTo(record: PaymentRecord, kind: PaymentNotice['kind']): { to: WireNumber; isProved: boolean } | null {
    const { payment } = record;
    const payer = payment.payer_msisdn ?? payment.msisdn;
    // A goodwill credit is announced to the line that got it, whoever paid.
    const isGift = kind === 'goodwill';
    const isForReceiver = kind === 'received' || isGift;
    const to = isForReceiver ? payment.msisdn : payer;
    // An invoice may be paid by card for an account without a number.
    if (!to || (kind === 'received' && payer === payment.msisdn)) return null;
    // A person of the operator decided it, so no stranger can cause it.
    const isProved = isGift || (!isForReceiver && provedToPay(record, kind));
    if (!isProved && (kind === 'notTaken' || !isOwnNetwork(fromWire(to), pack.numbering))) return null;
    // The mail has the answer and the link; without a proof the page would show nothing by that link.
    if (!isProved && kind === 'careWrote' && payment.email) return null;
    return { to, isProved };
  }

  async function sendSms(record: PaymentRecord, { kind, ticket }: Message): Promise<'sent' | 'overBudget' | null> {
    const { payment } = record;
    const receiver = smsTo(record, kind);
    if (!receiver) return null;
    const { to, isProved } = receiver;
    const draws: Draw[] = isProved
      ? [{ budget: 'noticeNumber', subject: to }]
      : [{ budget: 'noticeUnproved', subject: to }, ...drawsOn('noticeNetwork', payment.asked_from)];
    return withinBudget(deps, [...draws, { budget: 'noticeAll', subject: '' }], () =>
      sms.send({
        to: toInternational(fromWire(to), pack.numbering).slice(1),
        text: ticket ? toSmsText(careSms(payment, ticket, isProved)) : smsText(record, kind),
      }),
    );
  }

  /** Uses the reference, which is shorter than the id and is part of the message anyway. */
  function smsText(record: PaymentRecord, kind: PaymentNotice['kind']): string {
    const text = toSmsText(messageOf(record, kind));
    const { short_reference: reference, language } = record.payment;
    return final.includes(kind) ? withWordIfFree(text, statusUrl(reference, language)) : text;
  }

  /** Only the payer gets the link to the conversation; an unproved number is told where to read it. */
  const careSms = (payment: Payment, ticket: CareMessage, isProved: boolean) =>
    texts.text(payment.language, `notices.careWrote${isProved ? '' : 'Unproved'}`, {
      brand: pack.brand.name,
      reference: payment.short_reference,
      ticket: ticket.number,
      url: ticketUrl(payment, ticket),
    });

  const ticketUrl = ({ id, language }: Payment, ticket: CareMessage) =>
    `${statusUrl(id, language)}&ticket=${ticket.key}`;

  /** The whole text of customer care, since a mail has room for it. */
  function ticketLetter(payment: Payment, ticket: CareMessage) {
    const { number, text } = ticket;
    const t = (key: string, params?: Record<string, string>) => texts.text(payment.language, key, params);
    return {
      subject: t('receipt.line', { label: pack.brand.name, value: t('receipt.subject.careWrote', { ticket: number }) }),
      text: [
        t('receipt.hello'),
        t('receipt.careWrote', { ticket: number, reference: payment.short_reference }),
        paragraphs(text),
        `${t('receipt.writeBack')}\n${ticketUrl(payment, ticket)}`,
        t('receipt.care', { care: pack.care.number }),
      ].join('\n\n'),
    };
  }

  async function sendMail(record: PaymentRecord, { kind, ticket }: Message): Promise<'sent' | 'overBudget' | null> {
    const { payment } = record;
    if (!payment.email) return null;
    const to = payment.email;
    const letter = { to, ...(ticket ? ticketLetter(payment, ticket) : await receiptLetter(record, kind)) };
    return withinBudget(
      deps,
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
        messageOf(record, kind),
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

  /** Failing to record a message must not make its job send it again. */
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

  // One job for each message, so that retrying one does not repeat the others. Messages about a payment to one person
  // by one channel are sent in order.
  const enqueue = (executor: Kysely<Schema>, message: PaymentNotice, to: 'payer' | 'receiver' = 'payer') =>
    queue.send(executor, message, `${message.paymentId} ${to} ${message.by ?? 'sms'}`);

  return {
    async notify(executor, notice) {
      await enqueue(executor, notice, notice.kind === 'goodwill' ? 'receiver' : 'payer');
      if (notice.kind === 'delivered') await enqueue(executor, { ...notice, kind: 'received' }, 'receiver');
      if (mailed.includes(notice.kind)) await enqueue(executor, { ...notice, by: 'mail' });
    },
    async repeat(executor, record, occasion) {
      const kind = noticeOf(record);
      const { id: paymentId, email } = record.payment;
      if (kind) await enqueue(executor, { paymentId, kind, occasion, by: email ? 'mail' : 'sms' });
    },
    waysOf: (record, kind) => [
      ...(smsTo(record, kind) ? (['sms'] as const) : []),
      ...(mailed.includes(kind) && record.payment.email ? (['mail'] as const) : []),
    ],
    sentAbout: deps.sent.of,
    start: () =>
      queue.work<PaymentNotice | LeadNotice>((notice) => ('leadId' in notice ? deps.tellOfLead(notice) : send(notice))),
  };
}
