import { payingSteps } from '@portal/domain/paying-steps.ts';
import { paymentEndings } from '@portal/domain/payment/endings.ts';
import { z } from 'zod';
import { eventFlows } from '../analytics.ts';
import { defineConsoleCall } from './define-console-call.ts';

const counted = { day: z.string(), language: z.string(), count: z.number() };

export const insightCalls = {
  insight: defineConsoleCall({
    summary: 'What people asked, said and got on the last days, counted by day and language: nobody is followed',
    permission: 'insight.read',
    query: z.object({
      days: z.coerce.number().int().min(1).max(30),
      /** In which questions of the help are told, where the operator has it: en, fr, mg. */
      reader: z.string().max(10).optional(),
    }),
    result: z.object({
      /** Every day of it, in the operator's time. */
      days: z.array(z.string()),
      languages: z.array(z.object({ locale: z.string(), name: z.string() })),
      votes: z.array(
        z.object({
          day: z.string(),
          language: z.string(),
          question: z.string(),
          /** As the help asks it; the id where it is gone. */
          title: z.string(),
          likes: z.number(),
          votes: z.number(),
        }),
      ),
      /** That found nothing, by how many visits; only what enough of them searched to be nobody's own. */
      searches: z.array(z.object({ ...counted, text: z.string() })),
      feedback: z.array(z.object({ ...counted, form: z.string() })),
      payments: z.array(z.object({ ...counted, way: z.string(), ended: z.enum(paymentEndings) })),
      /** Pages that were seen on the way to paying. */
      steps: z.array(z.object({ ...counted, step: z.enum(payingSteps) })),
      flows: z.array(
        z.object({
          ...counted,
          flow: z.enum(eventFlows),
          ended: z.enum(['success', 'failure']),
          /** A status or an error code. */
          outcome: z.string(),
        }),
      ),
    }),
  }),
};
