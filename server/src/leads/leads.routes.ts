import type { Handlers } from '../http/register-calls.ts';
import { visitOf } from '../http/visit.ts';
import type { Leads } from './leads.service.ts';

export function leadHandlers(leads: Leads, secret: string): Handlers {
  return {
    sendLeadCode: async ({ body, headers, language }) => ({
      refId: await leads.sendCode({
        email: body.email,
        msisdn: body.msisdn || null,
        visit: visitOf(headers, secret),
        language,
      }),
    }),
    async submitLead({ body, language }) {
      const { id, isFeasible } = await leads.submit(body, language);
      return { refLeadId: id, feasibility: isFeasible };
    },
    trackLead: ({ body }) => leads.track(body.refLeadId),
  };
}
