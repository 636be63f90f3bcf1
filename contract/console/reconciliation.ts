import { differenceKinds, explanations } from '@portal/domain/payment/reconciliation-differences.ts';
import { z } from 'zod';
import { defineConsoleCall } from './define-console-call.ts';
import { lines, reason, time } from './fields.ts';

const day = z.iso.date();
const sum = z.object({ amount: z.number(), count: z.number() });
const what = z.enum(differenceKinds);
/** One difference of a day, as the caller saw it. */
const named = { day, what, reference: z.string().min(1).max(200), version: z.number().int().min(0) };

export const reconciliationCalls = {
  reconciliation: defineConsoleCall({
    summary: 'A day as our books, the providers and the systems that deliver see it, and where they differ',
    permission: 'reconciliation.read',
    query: z.object({
      /** Yesterday by default. */
      day: day.optional(),
      list: z.enum(['open', 'explained']).default('open'),
      /** The last difference of the previous page. */
      after: z.coerce.number().int().min(0).default(0),
    }),
    result: z.object({
      day: z.string(),
      /** Newest first; `open` counts unexplained differences. */
      days: z.array(
        z.object({ day: z.string(), comparedAt: time.nullable(), open: z.number(), isComplete: z.boolean() }),
      ),
      comparedAt: time.nullable(),
      isRunning: z.boolean(),
      /** The day is over, and its payments are still stored. */
      isComparable: z.boolean(),
      isOver: z.boolean(),
      /** Earlier days have no data: it was deleted, or nobody had paid yet. */
      firstDay: z.string(),
      /** False for a comparison made before totals were stored. */
      hasTotals: z.boolean(),
      /** By payment method and currency; null where that side did not answer. */
      sides: z.array(
        z.object({
          way: z.string(),
          currency: z.string(),
          booked: z.object({ taken: sum, delivered: sum, givenBack: sum }),
          listed: z.object({ taken: sum, givenBack: sum }).nullable(),
          delivered: sum,
        }),
      ),
      /** Methods whose provider has no list. */
      unchecked: z.array(z.string()),
      /** Methods and payments without an answer yet, and their number. */
      unanswered: z.array(z.string()),
      unansweredCount: z.number(),
      counts: z.object({ open: z.number(), explained: z.number() }),
      differences: z.array(
        z.object({
          place: z.number(),
          what,
          reference: z.string(),
          way: z.string(),
          version: z.number(),
          person: z.string().nullable(),
          isOwn: z.boolean(),
          explanation: z.enum(explanations).nullable(),
          note: z.string().nullable(),
          changedBy: z.string().nullable(),
          changedAt: time.nullable(),
          /** Its current state; null where the portal does not know it. */
          payment: z
            .object({
              id: z.string(),
              reference: z.string(),
              state: z.string(),
              amount: z.number(),
              currency: z.string(),
              /** The person who claimed it at the REVIEW desk. */
              claimedBy: z.string().nullable(),
            })
            .nullable(),
        }),
      ),
      next: z.number().nullable(),
    }),
  }),
  compareDay: defineConsoleCall({
    summary: 'Compares a day that is over once more: providers and systems are asked again',
    permission: 'reconciliation.work',
    body: z.object({ day }),
    result: z.null(),
  }),
  takeDifference: defineConsoleCall({
    summary: 'Says that oneself works on a difference, or not any more',
    permission: 'reconciliation.work',
    body: z.object({ ...named, isTaken: z.boolean() }),
    result: z.null(),
  }),
  explainDifference: defineConsoleCall({
    summary: 'Says what explains a difference; null opens it again',
    permission: 'reconciliation.work',
    body: z.object({ ...named, as: z.enum(explanations).nullable(), reason }),
    result: z.null(),
  }),
  exportDay: defineConsoleCall({
    summary: 'The postings of a day and its differences as a table; nobody is named in it',
    permission: 'reconciliation.read',
    body: z.object({ day }),
    isFile: true,
    result: lines,
  }),
};
