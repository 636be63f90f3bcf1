import type { HandedLead, LeadDesk, MailSender } from '../ports.ts';

export interface LeadMailSettings {
  /** Where the operator's sales people read. */
  to: string;
  brand: string;
  digits: number;
}

/** For an operator without a CRM: people read the leads, and nobody can be asked how far one is. */
export function leadMailDesk(mail: MailSender, { to, brand, digits }: LeadMailSettings): LeadDesk {
  const money = (amount: number, currency: string) => `${currency} ${(amount / 10 ** digits).toFixed(digits)}`;

  async function sent(subject: string, rows: [string, string][]): Promise<string | null> {
    const text = rows
      .filter(([, value]) => value !== '')
      .map(([label, value]) => `${label}: ${value}`)
      .join('\n');
    try {
      await mail.send({ to, subject: `${brand}: ${subject}`, text });
      return null;
    } catch (error) {
      return (error as Error).name;
    }
  }

  return {
    async hand(lead) {
      const failure = await sent(`home broadband request ${lead.id}`, rowsOf(lead, money));
      return failure ? { kind: 'unclear', detail: failure } : { kind: 'accepted', reference: `mail ${lead.id}` };
    },
    stageOf: async () => ({ kind: 'none' }),

    async deliver({ reference, amount, currency, item }) {
      if (item.kind !== 'order') return { kind: 'refused', detail: 'only orders are mailed' };
      const failure = await sent(`home broadband paid, request ${item.leadId}`, [
        ['Request', item.leadId],
        ['Plan', item.productCode],
        ['Paid', money(amount, currency)],
        ['Payment', reference],
      ]);
      return failure
        ? { kind: 'unclear', detail: failure }
        : { kind: 'delivered', providerReference: `mail ${reference}` };
    },
    // A second mail about one payment names the same payment, so a reader is not misled by it.
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
