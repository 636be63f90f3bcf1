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
  kind: 'delivered' | 'notTaken' | 'goingBack' | 'givenBack';
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
    const params = {
      brand: pack.brand.name,
      amount: formatMoney(payment, payment.language, pack.currency.digits),
      number: maskNational(fromWire(payment.msisdn), pack.numbering.groups),
      reference: payment.short_reference,
      reason: payment.reason ? texts.text(payment.language, `reasons.${payment.reason}`) : '',
    };
    const say = (to: string, key: string) =>
      sms.send({
        to: toInternational(fromWire(to), pack.numbering).slice(1),
        text: texts
          .text(payment.language, `notices.${key}`, params)
          .replaceAll(/[\u00a0\u202f]/g, ' ')
          .trim(),
      });
    await say(payer, notice.kind);
    if (notice.kind === 'delivered' && payer !== payment.msisdn) await say(payment.msisdn, 'received');
  }

  return {
    notify: (executor, notice) => jobs.send(executor, 'notice', notice),
    start: () => jobs.work<PaymentNotice>('notice', send),
  };
}
