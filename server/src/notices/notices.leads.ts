import { mailboxOf } from '@portal/domain/email.ts';
import { foreignLineType } from '@portal/domain/line-types.ts';
import { digitsOf, formatMoney } from '@portal/domain/money.ts';
import { fromWire, toInternational } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { toSmsText, withWordIfFree } from '@portal/domain/sms-text.ts';
import type { Kysely } from 'kysely';
import type { Budgets } from '../budgets/budgets.service.ts';
import type { MailSender, SmsSender } from '../connectors/ports.ts';
import type { Texts } from '../content/content.service.ts';
import type { Schema } from '../db/schema.ts';
import type { Lead } from '../leads/leads.service.ts';
import type { NoticeQueue } from '../notice-queue/notice-queue.ts';
import { withinBudget } from './within-budget.ts';

/** A message with the number of a request for home broadband. */
export interface LeadNotice {
  leadId: string;
  by: 'sms' | 'mail';
}

interface Dependencies {
  find: (id: string) => Promise<Lead | undefined>;
  budgets: Budgets;
  now: () => Date;
  sms: Pick<SmsSender, 'send'>;
  mail: Pick<MailSender, 'send'>;
  texts: Texts;
  pack: OperatorPack;
  trackUrl: (id: string, locale: string) => string;
}

/**
 * Enqueues the message about a new request in its transaction. It goes where the code went: by SMS to a number of ours,
 * otherwise by mail. The other address was not proved, and gets mail only of a request that was paid for.
 */
export async function queueLeadNotice(queue: NoticeQueue, executor: Kysely<Schema>, lead: Lead): Promise<void> {
  const by = lead.line_type === foreignLineType ? 'mail' : 'sms';
  const notice: LeadNotice = { leadId: lead.id, by };
  await queue.send(executor, notice, `${lead.id} ${by}`);
}

export function createLeadNotices(deps: Dependencies): (notice: LeadNotice) => Promise<void> {
  const { texts, pack, trackUrl } = deps;

  const messageOf = ({ id, language, is_feasible, address }: Lead) =>
    texts.text(language, `notices.${is_feasible ? 'lead' : 'leadKept'}`, {
      brand: pack.brand.name,
      number: id,
      town: address.city,
    });

  function letterOf(lead: Lead) {
    const { id, language, email } = lead;
    const t = (key: string, params?: Record<string, string>) => texts.text(language, key, params);
    const price = { amount: lead.plan_amount, currency: lead.plan_currency };
    const formats = pack.languages.find(({ locale }) => locale === language)?.formats ?? language;
    const rows = [
      [t('lead.status.id'), id],
      [t('lead.plan'), lead.plan_description],
      [t('lead.price'), formatMoney(price, formats, digitsOf(pack, price.currency))],
      [t('lead.town'), lead.address.city],
    ] as const;
    return {
      to: email,
      subject: t('receipt.line', { label: pack.brand.name, value: t('receipt.subject.lead', { number: id }) }),
      text: [
        t('receipt.hello'),
        messageOf(lead),
        rows.map(([label, value]) => t('receipt.line', { label, value })).join('\n'),
        `${t('receipt.followLead')}\n${trackUrl(id, language)}`,
        t('receipt.care', { care: pack.care.number }),
      ].join('\n\n'),
    };
  }

  return async ({ leadId, by }) => {
    // It may have been deleted meanwhile.
    const lead = await deps.find(leadId);
    if (!lead) return;
    if (by === 'mail') {
      const draws = [
        { budget: 'noticeMail', subject: mailboxOf(lead.email) },
        { budget: 'noticeMailAll', subject: '' },
      ] as const;
      await withinBudget(deps, draws, () => deps.mail.send(letterOf(lead)));
      return;
    }
    const draws = [
      { budget: 'noticeNumber', subject: lead.contact_number },
      { budget: 'noticeAll', subject: '' },
    ] as const;
    await withinBudget(deps, draws, () =>
      deps.sms.send({
        to: toInternational(fromWire(lead.contact_number), pack.numbering).slice(1),
        text: withWordIfFree(toSmsText(messageOf(lead)), trackUrl(lead.id, lead.language)),
      }),
    );
  };
}
