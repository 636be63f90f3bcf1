import { z } from 'zod';
import type { HttpAnswer } from '../http-client.ts';
import type { CrmStage, Delivery, DeliveryLookup, DeliveryOutcome, HandedLead, LeadHandover } from '../ports.ts';
import { parseAnswer, refusingStatuses, unclear } from '../tmf-client.ts';

const identity = z.union([z.string().min(1), z.number()]).transform(String);
const salesLead = z.object({ id: identity, externalId: z.string(), status: z.string() });
const order = z.object({
  id: identity,
  externalId: z.string(),
  state: z.string(),
  orderTotalPrice: z.array(
    z.object({ price: z.object({ taxIncludedAmount: z.object({ unit: z.string(), value: z.number() }) }) }),
  ),
});

const stages: Record<string, CrmStage> = {
  acknowledged: 'received',
  pending: 'received',
  inProgress: 'scheduled',
  accepted: 'installed',
  rejected: 'closed',
  cancelled: 'closed',
};

/** A sales lead in the form of TMF699. */
export function writeLead(lead: HandedLead, digits: number): object {
  const { address, plan } = lead;
  return {
    '@type': 'SalesLead',
    externalId: lead.id,
    name: `${lead.reference}: ${plan.description}`,
    type: lead.source,
    creationDate: lead.createdAt.toISOString(),
    status: 'acknowledged',
    estimatedRevenue: { unit: plan.currency, value: plan.amount / 10 ** digits },
    productOffering: { id: plan.code, name: plan.description },
    prospectContact: [
      { mediumType: 'person', characteristic: { name: lead.fullName } },
      { mediumType: 'phone', characteristic: { phoneNumber: lead.contactNumber } },
      { mediumType: 'email', characteristic: { emailAddress: lead.email } },
      {
        mediumType: 'postalAddress',
        characteristic: {
          street1: address.street,
          street2: address.landmark,
          city: address.city,
          country: address.country,
          ...(address.lat === null ? {} : { coordinates: [address.lat, address.lng] }),
        },
      },
    ],
    characteristic: [
      { name: 'serviceQualification', value: lead.isFeasible ? 'qualified' : 'unqualified' },
      ...(lead.worksId ? [{ name: 'salesVisit', value: lead.worksId }] : []),
    ],
  };
}

export function readHandover(answer: HttpAnswer, leadId: string): LeadHandover {
  if (answer.kind === 'silence') return unclear(answer);
  if (refusingStatuses.includes(answer.status)) return { kind: 'refused', detail: `HTTP ${answer.status}` };
  const parsed = salesLead.safeParse(answer.json);
  if (answer.status >= 300 || !parsed.success || parsed.data.externalId !== leadId) return unclear(answer);
  return { kind: 'accepted', reference: parsed.data.id };
}

export function readStage(answer: HttpAnswer, leadId: string) {
  const leads = parseAnswer(z.array(salesLead), answer);
  if (!leads) return unclear(answer);
  const ours = leads.find(({ externalId }) => externalId === leadId);
  if (!ours) return { kind: 'none' as const };
  const stage = stages[ours.status];
  return stage
    ? { kind: 'stage' as const, stage }
    : { kind: 'unclear' as const, detail: `a lead that is ${ours.status}` };
}

/** A paid order in the form of TMF622. */
export function writeOrder({ reference, amount, currency, item }: Delivery, digits: number): object | null {
  if (item.kind !== 'order') return null;
  const price = { taxIncludedAmount: { unit: currency, value: amount / 10 ** digits } };
  return {
    '@type': 'ProductOrder',
    externalId: reference,
    category: 'home broadband',
    note: [{ text: 'paid' }],
    orderTotalPrice: [{ priceType: 'oneTime', price }],
    productOrderItem: [{ id: '1', action: 'add', quantity: 1, productOffering: { id: item.productCode } }],
    relatedEntity: [{ id: item.leadId, role: 'salesLead', '@referredType': 'SalesLead' }],
  };
}

const refusedStates: readonly string[] = ['rejected', 'cancelled', 'failed'];

export function readOrder(answer: HttpAnswer): DeliveryOutcome {
  if (answer.kind === 'silence') return unclear(answer);
  if (refusingStatuses.includes(answer.status)) return { kind: 'refused', detail: `HTTP ${answer.status}` };
  const parsed = order.safeParse(answer.json);
  if (answer.status >= 300 || !parsed.success) return unclear(answer);
  const { id, state } = parsed.data;
  if (refusedStates.includes(state)) return { kind: 'refused', detail: state };
  return { kind: 'delivered', providerReference: id };
}

/** An order of ours for another amount does not prove that this one is missing. */
export function readOrders(answer: HttpAnswer, delivery: Delivery, digits: number): DeliveryLookup {
  const orders = parseAnswer(z.array(order), answer);
  if (!orders) return unclear(answer);
  const ours = orders.filter(
    ({ externalId, state }) => externalId === delivery.reference && !refusedStates.includes(state),
  );
  const [first] = ours;
  if (!first) return { kind: 'notFound' };
  const total = first.orderTotalPrice[0]?.price.taxIncludedAmount;
  const isSame = total?.unit === delivery.currency && total.value === delivery.amount / 10 ** digits;
  return isSame
    ? { kind: 'delivered', providerReference: first.id }
    : { kind: 'unclear', detail: 'an order for another sum' };
}
