import { askerOf } from '../challenges/challenges.service.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Visits } from '../http/visits.ts';
import type { Leads } from './leads.service.ts';

export function leadHandlers(leads: Leads, visits: Visits): Handlers {
  return {
    sendLeadCode: async ({ body, headers, ip, language }) => ({
      refId: await leads.sendCode({
        email: body.email,
        msisdn: body.msisdn || null,
        asker: askerOf(visits)({ headers, ip }),
        language,
      }),
    }),
    async submitLead({ body, headers, ip, language }) {
      const { id, isFeasible } = await leads.submit(body, { language, visit: visits.of({ headers, ip }) });
      return { refLeadId: id, feasibility: isFeasible };
    },
    trackLead: ({ body, headers, ip }) => leads.track(body.refLeadId, visits.of({ headers, ip })),
  };
}
