import { formatMoney } from '@portal/domain/money.ts';
import { fromWire, maskNational, toInternational } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import type { Kysely } from 'kysely';
import type { SmsSender } from '../connectors/ports.ts';
import type { Texts } from '../content/content.service.ts';
import type { Schema } from '../db/schema.ts';
import type { Jobs } from '../jobs/jobs.ts';

/** What a customer is told by SMS: the same words as the status page, one message for each turn of the money. */
export interface PaymentNotice {
  paymentId: string;
  kind: 'delivered' | 'received' | 'notTaken' | 'goingBack' | 'givenBack';
}

export interface Notices {
  notify(executor: Kysely<Schema>, notice: PaymentNotice): Promise<void>;
  start(): Promise<void>;
}

interface Dependencies {
  db: Kysely<Schema>;
  jobs: Jobs;
  sms: SmsSender;
  texts: Texts;
  pack: OperatorPack;
}

export function createNotices({ db, jobs, sms, texts, pack }: Dependencies): Notices {
  async function send(notice: PaymentNotice): Promise<void> {
    const payment = await db.selectFrom('payments').selectAll().where('id', '=', notice.paymentId).executeTakeFirst();
    if (!payment) return;
    const payer = payment.payer_msisdn ?? payment.msisdn;
    const language = pack.languages.find(({ locale }) => locale === payment.language);
    const params = {
      brand: pack.brand.name,
      amount: formatMoney(payment, language?.formats ?? payment.language, pack.currency.digits),
      // The screen's dot is not in the alphabet of SMS and would double the price of every message.
      number: maskNational(fromWire(payment.msisdn), pack.numbering.groups).replaceAll('•', '*'),
      reference: payment.short_reference,
      reason: payment.reason ? texts.text(payment.language, `reasons.${payment.reason}`) : '',
    };
    const isForReceiver = notice.kind === 'received';
    if (isForReceiver && payer === payment.msisdn) return;
    await sms.send({
      to: toInternational(fromWire(isForReceiver ? payment.msisdn : payer), pack.numbering).slice(1),
      text: texts
        .text(payment.language, `notices.${notice.kind}`, params)
        .replaceAll(/[\u00a0\u202f]/g, ' ')
        .trim(),
    });
  }

  return {
    async notify(executor, notice) {
      await jobs.send(executor, 'notice', notice);
      // A job of its own, so that a message which did not get through is not repeated to the one who has read it.
      if (notice.kind === 'delivered') await jobs.send(executor, 'notice', { ...notice, kind: 'received' });
    },
    start: () => jobs.work<PaymentNotice>('notice', send),
  };
}
