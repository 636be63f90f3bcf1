import { z } from 'zod';
import { approvalKinds } from './approval-kinds.ts';
import { defineConsoleCall } from './define-console-call.ts';
import { reason, time } from './fields.ts';
import { held, underWay } from './persons.ts';
import { type ConsoleRefusalCode, consoleRefusals } from './refusals.ts';
import { sheetNamesOf } from './sheets.ts';

export const approvalStates = ['open', 'approved', 'refused', 'withdrawn', 'expired'] as const;

/**
 * 'open' waits for a second person; 'undecided' also has what can no longer be carried out, which 'expired' has too.
 * 'mine' waits for the person who asks; 'refusedMine' was proposed by them and refused in the last seven days.
 */
export const approvalLists = ['open', 'mine', 'undecided', 'decided', 'refusedMine', 'expired'] as const;

const refusalCodes = Object.keys(consoleRefusals) as [ConsoleRefusalCode];

const id = z.string().min(1).max(100);

const proposal = z.object({
  id: z.string(),
  kind: z.enum(approvalKinds),
  subject: z.object({ kind: z.string(), id: z.string() }),
  /** Readable name of the subject: a payment's reference, or a masked number. */
  name: z.string(),
  /** What people call the subject whose readable name is a code; empty for any other. */
  names: sheetNamesOf,
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  reason: z.string(),
  state: z.enum(approvalStates),
  proposedBy: z.string(),
  proposedAt: time,
  expiresAt: time,
  /** When it takes effect, if that is planned for later than its approval. */
  startsAt: time.nullable(),
  /** Who approved, rejected or withdrew it; null where one person sufficed, or nobody did. */
  decidedBy: z.string().nullable(),
  decidedAt: time.nullable(),
  note: z.string().nullable(),
  /** The outcome of carrying it out, as a code; the console has a text for each. */
  outcome: z.string().nullable(),
  /** Why it can no longer be carried out, as a refusal's code; null while it can. */
  overtaken: z.object({ code: z.enum(refusalCodes), parameters: z.record(z.string(), z.string()) }).nullable(),
  /** It waits, and the person who asks may decide it. */
  isMine: z.boolean(),
});

export const approvalCalls = {
  approvals: defineConsoleCall({
    summary: 'What was proposed and waits for somebody else, or was decided, or ran out; newest first',
    permission: 'approvals.list',
    query: z.object({ list: z.enum(approvalLists), before: z.string().max(200).optional() }),
    result: z.object({ proposals: z.array(proposal), next: z.string().nullable() }),
  }),
  approval: defineConsoleCall({
    summary: 'One proposal, what is known about its subject, and what the person who asks may do about it',
    permission: 'approvals.list',
    query: z.object({ id }),
    result: proposal.extend({
      digest: z.string(),
      evidence: z.array(
        z.object({
          what: z.string(),
          detail: z.string().nullable(),
          amount: z.number().nullable(),
          currency: z.string().nullable(),
          /** The language of a text for customers. */
          locale: z.string().optional(),
          /** Two versions of a page to compare. */
          compare: z.object({ page: z.string(), from: z.number(), to: z.number() }).optional(),
          /** Of an erasure: what is held in one table. */
          held: held.optional(),
          /** Of an erasure: what stays until it has ended. */
          underWay: z.array(underWay).optional(),
        }),
      ),
      actions: z.object({ approve: z.boolean(), refuse: z.boolean(), withdraw: z.boolean() }),
    }),
  }),
  approve: defineConsoleCall({
    summary: 'Approves what somebody else proposed, exactly as it was shown, and has it carried out once',
    permission: 'approvals.decide',
    stepUp: true,
    body: z.object({ id, digest: z.string().length(64) }),
    result: z.null(),
  }),
  refuseProposal: defineConsoleCall({
    summary: 'Refuses what somebody else proposed',
    permission: 'approvals.decide',
    body: z.object({ id, reason }),
    result: z.null(),
  }),
  withdrawProposal: defineConsoleCall({
    summary: 'Takes back what oneself proposed',
    permission: 'approvals.list',
    body: z.object({ id }),
    result: z.null(),
  }),
  proposeRefund: defineConsoleCall({
    summary: 'Proposes to give back what was taken for a payment that waits for a person',
    permission: 'refund.propose',
    body: z.object({ id, reason }),
    result: z.object({ proposal: z.string() }),
  }),
  proposeGoodwill: defineConsoleCall({
    summary: 'Proposes to credit airtime to the line that got a purchase, at the cost of the operator',
    permission: 'goodwill.propose',
    body: z.object({ id, amount: z.number().int().positive(), reason }),
    result: z.object({ proposal: z.string() }),
  }),
  askGoodwill: defineConsoleCall({
    summary: 'Asks the charging system about a goodwill credit that is stuck; what it credited is given from then on',
    permission: 'goodwill.settle',
    body: z.object({ id }),
    result: z.object({ answer: z.enum(['delivered', 'notFound', 'unclear']) }),
  }),
  proposeGoodwillEnd: defineConsoleCall({
    summary: 'Proposes to settle a stuck credit as not given, where the charging system says that it is not there',
    permission: 'goodwill.settle',
    body: z.object({ id, reason }),
    result: z.object({ proposal: z.string() }),
  }),
};
