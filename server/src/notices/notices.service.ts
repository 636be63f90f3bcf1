import { digitsOf, formatMoney } from '@portal/domain/money.ts';
import { fromWire, maskNational, toInternational } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import type { Kysely } from 'kysely';
import type { MailSender, SmsSender } from '../connectors/ports.ts';
import type { Texts } from '../content/content.service.ts';
import type { Schema } from '../db/schema.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { PaymentRecord, Receipts } from '../receipts/receipts.service.ts';

/** What a customer is told: the same words as the status page, one message for each turn of the money. */
export interface PaymentNotice {
  paymentId: string;
  kind: 'delivered' | 'received' | 'notTaken' | 'goingBack' | 'givenBack';
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
  sms: SmsSender;
  mail: MailSender;
  receipts: Receipts;
  texts: Texts;
  pack: OperatorPack;
  statusUrl: (id: string, locale: string) => string;
}

const mailed: readonly PaymentNotice['kind'][] = ['delivered', 'goingBack', 'givenBack'];
const byItem: readonly PaymentNotice['kind'][] = ['delivered', 'received'];

export function createNotices({ find, jobs, sms, mail, receipts, texts, pack, statusUrl }: Dependencies): Notices {
  function wordsOf(payment: Payment, kind: PaymentNotice['kind']): string {
    const language = pack.languages.find(({ locale }) => locale === payment.language);
    const key = byItem.includes(kind) ? `notices.${kind}.${payment.details.item.kind}` : `notices.${kind}`;
    return texts.text(payment.language, key, {
      brand: pack.brand.name,
      amount: formatMoney(payment, language?.formats ?? payment.language, digitsOf(pack, payment.currency)),
      number: payment.msisdn ? maskNational(fromWire(payment.msisdn), pack.numbering.groups) : '',
      description: payment.description ?? '',
      reference: payment.short_reference,
      reason: payment.reason ? texts.text(payment.language, `reasons.${payment.reason}`) : '',
    });
  }

  async function sendSms(payment: Payment, kind: PaymentNotice['kind']): Promise<void> {
    const payer = payment.payer_msisdn ?? payment.msisdn;
    const isForReceiver = kind === 'received';
    const to = isForReceiver ? payment.msisdn : payer;
    // An invoice may be paid by card for an account without a number.
    if (!to || (isForReceiver && payer === payment.msisdn)) return;
    await sms.send({
      to: toInternational(fromWire(to), pack.numbering).slice(1),
      // Narrow spaces and the dot of a masked number are not in the alphabet of SMS and would double its price.
      text: wordsOf(payment, kind)
        .replaceAll('•', '*')
        .replaceAll(/[\u00a0\u202f]/g, ' ')
        .replaceAll(/ +/g, ' ')
        .trim(),
    });
  }

  async function sendMail(record: PaymentRecord, kind: PaymentNotice['kind']): Promise<void> {
    const { payment } = record;
    if (!payment.email) return;
    const t = (key: string, params?: Record<string, string>) => texts.text(payment.language, key, params);
    const language = pack.languages.find(({ locale }) => locale === payment.language);
    const amount = formatMoney(payment, language?.formats ?? payment.language, digitsOf(pack, payment.currency));
    const { rows } = receipts.facts(record, payment.language);
    await mail.send({
      to: payment.email,
      subject: t('receipt.line', { label: pack.brand.name, value: t(`receipt.subject.${kind}`, { amount }) }),
      text: [
        t('receipt.hello'),
        wordsOf(payment, kind),
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
    });
  }

  async function send({ paymentId, kind, by = 'sms' }: PaymentNotice): Promise<void> {
    const record = await find(paymentId);
    if (record) await (by === 'mail' ? sendMail(record, kind) : sendSms(record.payment, kind));
  }

  return {
    async notify(executor, notice) {
      // A job for each message, so that one which did not get through repeats no other.
      await jobs.send(executor, 'notice', notice);
      if (notice.kind === 'delivered') await jobs.send(executor, 'notice', { ...notice, kind: 'received' });
      if (mailed.includes(notice.kind)) await jobs.send(executor, 'notice', { ...notice, by: 'mail' });
    },
    start: () => jobs.work<PaymentNotice>('notice', send),
  };
}
