import type { HttpClient } from '../http-client.ts';
import type { LeadReceiver } from '../ports.ts';
import { termsOf } from '../provider-terms.ts';
import { CrmClient, type CrmSettings } from './client.ts';
import { readHandover, readOrder, readOrders, readStage, writeLead, writeOrder } from './messages.ts';

const leadApi = '/tmf-api/salesManagement/v4/salesLead';
const orderApi = '/tmf-api/productOrderingManagement/v4/productOrder';

/** The operator's CRM, by TMF699 (sales leads) and TMF622 (orders). */
export function crmLeadReceiver(http: HttpClient, settings: CrmSettings & { digits: number }): LeadReceiver {
  const client = new CrmClient(http, settings);
  const { digits } = settings;
  const byOurId = (api: string, id: string) => client.get(`${api}?externalId=${encodeURIComponent(id)}`);

  return {
    ...termsOf({ lag: settings.lag }),
    hand: async (lead) => readHandover(await client.post(leadApi, writeLead(lead, digits)), lead.id),
    stageOf: async (leadId) => readStage(await byOurId(leadApi, leadId), leadId),

    async deliver(delivery) {
      const order = writeOrder(delivery, digits);
      if (!order) return { kind: 'refused', detail: 'the CRM takes only orders' };
      return readOrder(await client.post(orderApi, order));
    },

    findDelivery: async (delivery) => readOrders(await byOurId(orderApi, delivery.reference), delivery, digits),
  };
}
