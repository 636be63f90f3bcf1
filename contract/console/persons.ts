import { z } from 'zod';
import { defineConsoleCall } from './define-console-call.ts';
import { reason, time } from './fields.ts';

/** A number or an email, as somebody types it; in the body, so that it stands in no log. */
const text = z.string().trim().min(3).max(254);

export const personCalls = {
  searchPerson: defineConsoleCall({
    summary: 'What is held about a number or an email: how much of which kind, nobody in clear',
    permission: 'erase.propose',
    body: z.object({ text, reason }),
    result: z.object({
      /** Of the number or email, the keyed hash that stays when all else is gone. */
      person: z.string(),
      masked: z.string(),
      held: z.array(
        z.object({
          table: z.string(),
          count: z.number(),
          oldest: time,
          /** What becomes of it. */
          ending: z.enum(['deleted', 'takenOut']),
          /** Of it, what belongs to money under way, and stays until that has ended. */
          open: z.number(),
        }),
      ),
      /** What is proposed and not decided. */
      proposal: z.string().nullable(),
    }),
  }),
  exportPerson: defineConsoleCall({
    summary: 'All that is held about a number or an email, in full',
    permission: 'erase.propose',
    stepUp: true,
    body: z.object({ text, reason, as: z.enum(['shown', 'json', 'csv']) }),
    result: z.object({
      person: z.string(),
      rows: z.array(z.object({ table: z.string(), at: time, values: z.record(z.string(), z.string()) })),
    }),
  }),
  proposeErasure: defineConsoleCall({
    summary: 'Proposes to erase what is held about a number or an email, except what the law has kept',
    permission: 'erase.propose',
    stepUp: true,
    body: z.object({ text, reason }),
    result: z.object({ proposal: z.string() }),
  }),
};
