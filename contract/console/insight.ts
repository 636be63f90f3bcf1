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
      /** The language of the help questions, where the operator has it: en, fr, mg. */
      reader: z.string().max(10).optional(),
    }),
    result: z.object({
      /** Every day of the period, in the operator's time zone. */
      days: z.array(z.string()),
      languages: z.array(z.object({ locale: z.string(), name: z.string() })),
      votes: z.array(
        z.object({
          day: z.string(),
          language: z.string(),
          question: z.string(),
          /** The question as in the help centre; its id if it was removed. */
          title: z.string(),
          likes: z.number(),
          votes: z.number(),
        }),
      ),
      /** Searches without results, by number of visits; only those of enough visits to identify nobody. */
      searches: z.array(z.object({ ...counted, text: z.string() })),
      feedback: z.array(z.object({ ...counted, form: z.string() })),
      payments: z.array(
        z.object({
          ...counted,
          way: z.string(),
          ended: z.enum(paymentEndings),
          /** Purchases: several payments may be tries to pay one. */
          orders: z.number(),
        }),
      ),
      /** Views of the pages on the way to a payment. */
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
