import { oneLine } from '@portal/domain/printable.ts';
import type { HandedLead, LeadReceiver, MailSender } from '../ports.ts';

export interface LeadMailSettings {
  /** The mailbox of the operator's sales people. */
  to: string;
  brand: string;
  digits: number;
  /** The portal's host name, used in each Message-ID. */
  host: string;
}

/**
 * For an operator without a CRM: people read the leads, so neither a lead's stage nor a mail's delivery can be queried.
 * A process that crashes between sending a mail and recording it sends that mail again, once for each crash. Both
 * copies have the same Message-ID, so that mail systems drop the second, and name the same lead or payment.
 */
export function leadMailReceiver(mail: MailSender, { to, brand, digits, host }: LeadMailSettings): LeadReceiver {
  const money = (amount: number, currency: string) => `${currency} ${(amount / 10 ** digits).toFixed(digits)}`;

  async function sent(id: string, subject: string, rows: [string, string][]): Promise<string | null> {
    const text = rows
      .filter(([, value]) => value !== '')
      .map(([label, value]) => `${label}: ${oneLine(value)}`)
      .join('\n');
    try {
      await mail.send({ to, subject: `${brand}: ${subject}`, text, messageId: `<${id}@${host}>` });
      return null;
    } catch (error) {
      return (error as Error).name;
    }
  }

  return {
    async hand(lead) {
      const failure = await sent(`lead.${lead.id}`, `home broadband request ${lead.id}`, rowsOf(lead, money));
      return failure ? { kind: 'unclear', detail: failure } : { kind: 'accepted', reference: `mail ${lead.id}` };
    },
    stageOf: async () => ({ kind: 'none' }),

    async deliver({ reference, amount, currency, item }) {
      if (item.kind !== 'order') return { kind: 'refused', detail: 'only orders are mailed' };
      const failure = await sent(`order.${reference}`, `home broadband paid, request ${item.leadId}`, [
        ['Request', item.leadId],
        ['Plan', item.productCode],
        ['Paid', money(amount, currency)],
        ['Payment', reference],
      ]);
      return failure
        ? { kind: 'unclear', detail: failure }
        : { kind: 'delivered', providerReference: `mail ${reference}` };
    },
    // Delivery of a mail cannot be checked, and a paid order that nobody reads is worse than one read twice.
    findDelivery: async () => ({ kind: 'notFound' }),
  };
}

function rowsOf(lead: HandedLead, money: (amount: number, currency: string) => string): [string, string][] {
  const { address, plan } = lead;
  return [
    ['Request', lead.id],
    ['Name', lead.fullName],
    ['Number', lead.contactNumber],
    ['Email', lead.email],
    ['Plan', `${plan.description} (${plan.code}), ${money(plan.amount, plan.currency)}`],
    ['Address', `${address.street}, ${address.city}`],
    ['Landmark', address.landmark],
    ['Point', address.lat === null ? '' : `${address.lat}, ${address.lng}`],
    ['Served there', lead.isFeasible ? 'yes' : 'not yet'],
    ['Source', lead.source],
    ['Sales visit', lead.worksId ?? ''],
    ['Sent', lead.createdAt.toISOString()],
  ];
}
