import { z } from 'zod';
import { defineConsoleCall } from './define-console-call.ts';
import { reason, time } from './fields.ts';

/** A number or an email as typed; in the body, so that it is in no log. */
const text = z.string().trim().min(3).max(254);

/** How much of one table is held about a person. */
export const held = z.object({
  table: z.string(),
  count: z.number(),
  /** Null where a row only says until when it holds. */
  oldest: time.nullable(),
  /** The effect of erasing. */
  ending: z.enum(['deleted', 'takenOut']),
  /** Rows of open payments, which are kept until these end. */
  open: z.number(),
});
export type Held = z.output<typeof held>;

/** Something that has to end before the rows that belong to it can be erased. */
export const underWay = z.object({
  kind: z.enum(['payment', 'ticket', 'proposal', 'lead', 'wallet']),
  id: z.string(),
  /** As it is printed. */
  name: z.string(),
  /** A code: of a proposal its kind. */
  state: z.string(),
  /** Of a payment: what was bought. */
  type: z.string().optional(),
});
export type UnderWay = z.output<typeof underWay>;

export const personCalls = {
  searchPerson: defineConsoleCall({
    summary: 'What is held about a number or an email: how much of which kind, nobody in clear',
    permission: 'erase.propose',
    body: z.object({ text, reason }),
    result: z.object({
      /** Keyed hash of the number or email, which remains after erasing. */
      person: z.string(),
      masked: z.string(),
      held: z.array(held),
      underWay: z.array(underWay),
      /** How many of these could be erased now. */
      erasable: z.number(),
      /** A pending proposal. */
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
