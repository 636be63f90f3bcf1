import { mailboxOf } from '@portal/domain/email.ts';
import { digitsOf, formatMoney } from '@portal/domain/money.ts';
import { fromWire, isOwnNetwork, maskNational, toInternational } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { tellableReason } from '@portal/domain/payment/reasons.ts';
import { toSmsText } from '@portal/domain/sms-text.ts';
import type { Kysely } from 'kysely';
import { type Budgets, type Draw, drawsOn } from '../budgets/budgets.service.ts';
import type { MailSender, PaymentGateway, SmsSender } from '../connectors/ports.ts';
import type { Texts } from '../content/content.service.ts';
import type { Schema } from '../db/schema.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { PaymentRecord, Receipts } from '../receipts/receipts.service.ts';

/** What a customer is told: the same words as the status page, one message for each turn of the money. */
export interface PaymentNotice {
  paymentId: string;
  kind: 'delivered' | 'received' | 'notTaken' | 'goingBack' | 'givenBack' | 'goodwill';
  by?: 'sms' | 'mail';
}

type Payment = PaymentRecord['payment'];

export interface Notices {
  notify(executor: Kysely<Schema>, notice: PaymentNotice): Promise<void>;
  start(): Promise<void>;
}

interface Dependencies {
  find: (paymentId: string) => Promise<PaymentRecord | undefined>;
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

const mailed: readonly PaymentNotice['kind'][] = ['delivered', 'goingBack', 'givenBack'];
const byItem: readonly PaymentNotice['kind'][] = ['delivered', 'received'];

/** The payer showed a proof, or approved the payment on the phone itself. */
const provedToPay = ({ payer_msisdn, payer_proof }: Payment, kind: PaymentNotice['kind']): boolean =>
  payer_proof !== null || (payer_msisdn !== null && kind !== 'notTaken');

export function createNotices(deps: Dependencies): Notices {
  const { find, jobs, sms, mail, receipts, texts, pack, statusUrl } = deps;

  function keyOf({ details, gateway, reason }: Payment, kind: PaymentNotice['kind']): string {
    if (byItem.includes(kind)) return `notices.${kind}.${details.item.kind}`;
    if (kind !== 'goingBack') return `notices.${kind}`;
    const why = reason === 'paidAlready' ? 'Paid' : reason === 'lateMoney' ? 'Late' : '';
    return `notices.goingBack${why}${deps.gateways.get(gateway)?.isRefundBelieved ? 'Untold' : ''}`;
  }

  function wordsOf({ payment, goodwill }: PaymentRecord, kind: PaymentNotice['kind']): string {
    const money = kind === 'goodwill' && goodwill ? goodwill : payment;
    const language = pack.languages.find(({ locale }) => locale === payment.language);
    return texts.text(payment.language, keyOf(payment, kind), {
      provider: pack.methods.find(({ gateway }) => gateway === payment.gateway)?.name ?? '',
      brand: pack.brand.name,
      amount: formatMoney(money, language?.formats ?? payment.language, digitsOf(pack, money.currency)),
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
    return reason ? texts.text(payment.language, `reasons.${reason}`) : '';
  }

  /** Counted before it is sent; one that did not get through is given back and tried again by its job. */
  async function withinBudget(draws: readonly Draw[], send: () => Promise<unknown>): Promise<void> {
    const at = deps.now();
    if (await deps.budgets.take(draws)) return;
    try {
      await send();
    } catch (error) {
      await deps.budgets.giveBack(draws, at);
      throw error;
    }
  }

  async function sendSms(record: PaymentRecord, kind: PaymentNotice['kind']): Promise<void> {
    const { payment } = record;
    const payer = payment.payer_msisdn ?? payment.msisdn;
    // A credit is news to the line that got it, whoever paid.
    const isGift = kind === 'goodwill';
    const isForReceiver = kind === 'received' || isGift;
    const to = isForReceiver ? payment.msisdn : payer;
    // An invoice may be paid by card for an account without a number.
    if (!to || (kind === 'received' && payer === payment.msisdn)) return;
    // Who works for the operator has decided it: no stranger can cause it.
    const isProved = isGift || (!isForReceiver && provedToPay(payment, kind));
    if (!isProved && (kind === 'notTaken' || !isOwnNetwork(fromWire(to), pack.numbering))) return;
    const draws: Draw[] = isProved
      ? [{ budget: 'noticeNumber', subject: to }]
      : [{ budget: 'noticeUnproved', subject: to }, ...drawsOn('noticeNetwork', payment.asked_from)];
    await withinBudget([...draws, { budget: 'noticeAll', subject: '' }], () =>
      sms.send({
        to: toInternational(fromWire(to), pack.numbering).slice(1),
        text: toSmsText(wordsOf(record, kind)),
      }),
    );
  }

  async function sendMail(record: PaymentRecord, kind: PaymentNotice['kind']): Promise<void> {
    const { payment } = record;
    if (!payment.email) return;
    const t = (key: string, params?: Record<string, string>) => texts.text(payment.language, key, params);
    const language = pack.languages.find(({ locale }) => locale === payment.language);
    const amount = formatMoney(payment, language?.formats ?? payment.language, digitsOf(pack, payment.currency));
    const { rows } = receipts.facts(record, payment.language);
    const to = payment.email;
    const letter = {
      to,
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
    await withinBudget(
      [
        { budget: 'noticeMail', subject: mailboxOf(to) },
        { budget: 'noticeMailAll', subject: '' },
      ],
      () => mail.send(letter),
    );
  }

  async function send({ paymentId, kind, by = 'sms' }: PaymentNotice): Promise<void> {
    const record = await find(paymentId);
    if (record) await (by === 'mail' ? sendMail(record, kind) : sendSms(record, kind));
  }

  return {
    async notify(executor, notice) {
      // A job for each message, so that one which did not get through repeats no other. What one person is told of a payment
      // by one way comes in the order in which it happened.
      const queue = (message: PaymentNotice, to: 'payer' | 'receiver') =>
        jobs.send(executor, 'notice', message, `${message.paymentId} ${to} ${message.by ?? 'sms'}`);
      await queue(notice, notice.kind === 'goodwill' ? 'receiver' : 'payer');
      if (notice.kind === 'delivered') await queue({ ...notice, kind: 'received' }, 'receiver');
      if (mailed.includes(notice.kind)) await queue({ ...notice, by: 'mail' }, 'payer');
    },
    start: () => jobs.work<PaymentNotice>('notice', send),
  };
}
