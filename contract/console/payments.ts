import { decisions } from '@portal/domain/payment/settle.ts';
import { wayHealths } from '@portal/domain/payment/way-health.ts';
import { ticketStates } from '@portal/domain/ticket.ts';
import { z } from 'zod';
import { defineConsoleCall } from './define-console-call.ts';
import { reason, time } from './fields.ts';

const id = z.string().min(1).max(100);

/** One payment in a list. Numbers are masked. */
const listed = z.object({
  id: z.string(),
  reference: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  type: z.string(),
  /** As customers know it. */
  way: z.string(),
  amount: z.number(),
  currency: z.string(),
  number: z.string(),
  createdAt: time,
  changedAt: time,
});

/** What is masked until somebody says why they have to see it. */
export const hiddenFields = ['number', 'payer', 'email', 'account', 'invoice'] as const;

const event = z.object({
  at: time,
  /** Where it comes from: our own history, what a provider answered, the books, a decision about risk, the audit. */
  kind: z.enum(['state', 'evidence', 'posting', 'risk', 'message', 'ticket', 'audit']),
  /** What happened, as a code that the console has words for. */
  what: z.string(),
  /** More of it, as codes likewise: why, by which rule, which way, what became of it. */
  codes: z.array(z.string()),
  by: z.string().nullable(),
  detail: z.string().nullable(),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
});

const side = z.object({
  /** What each side says became of it, as far as it was asked. */
  said: z.string().nullable(),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  at: time.nullable(),
});

const sum = z.object({ amount: z.number(), count: z.number() });

export const paymentConsoleCalls = {
  today: defineConsoleCall({
    summary: 'How the operator’s day goes: sums of the books, what waits, payments a minute, each way to pay',
    permission: 'today.read',
    result: z.object({
      at: time,
      sums: z.array(z.object({ currency: z.string(), taken: sum, delivered: sum, givenBack: sum })),
      waiting: z.array(z.object({ state: z.string(), count: z.number(), since: time })),
      /** Not solved yet, by whose turn it is; the oldest promise of an answer. */
      tickets: z.array(z.object({ state: z.enum(ticketStates), count: z.number(), promisedAt: time })),
      /** Of the last hour; a minute in which nobody paid is not among them. */
      minutes: z.array(z.object({ at: time, count: z.number() })),
      ways: z.array(
        z.object({
          way: z.string(),
          health: z.enum(wayHealths),
          taken: z.number(),
          failed: z.number(),
          medianSeconds: z.number().nullable(),
          lastFailureAt: time.nullable(),
        }),
      ),
    }),
  }),
  find: defineConsoleCall({
    summary:
      'Payments by anything that is printed about them (number, email, reference, id, receipt, invoice, account, ticket), and requests for home broadband by their number, phone or email',
    permission: 'payments.find',
    query: z.object({ text: z.string().trim().min(1).max(200), before: z.string().max(200).optional() }),
    result: z.object({
      payments: z.array(listed),
      /** With the first page only. Numbers are masked. */
      leads: z.array(
        z.object({ id: z.string(), status: z.string(), plan: z.string(), number: z.string(), createdAt: time }),
      ),
      next: z.string().nullable(),
      /** Where the text is the number of a ticket, for who may read it. */
      ticket: z.string().nullable(),
    }),
  }),
  payment: defineConsoleCall({
    summary: 'The whole story of one payment, and what may be done about it',
    permission: 'payments.find',
    query: z.object({ id }),
    result: listed.extend({
      description: z.string().nullable(),
      payer: z.string().nullable(),
      email: z.string().nullable(),
      account: z.string().nullable(),
      invoice: z.string().nullable(),
      providerReference: z.string().nullable(),
      statusUrl: z.string(),
      provider: side,
      delivery: side,
      events: z.array(event),
      /** Only what its state and the roles of who asks allow. */
      actions: z.object({
        ask: z.boolean(),
        decisions: z.array(z.enum(decisions)),
        propose: z.array(z.enum(['refund', 'goodwill'])),
        /** The largest credit that may be proposed. */
        goodwillMost: z.object({ amount: z.number(), currency: z.string() }).nullable(),
        /** By which way it would go. */
        receiptAgain: z.enum(['mail', 'sms']).nullable(),
        openTicket: z.boolean(),
      }),
      goodwill: z.object({ amount: z.number(), currency: z.string(), state: z.string() }).nullable(),
      /** For who may read them, the newest first. */
      tickets: z.array(z.object({ id: z.string(), number: z.string(), state: z.enum(ticketStates) })),
      claim: z.object({ by: z.string(), until: time, isOwn: z.boolean() }).nullable(),
    }),
  }),
  reveal: defineConsoleCall({
    summary: 'One number, email, account or invoice in full',
    permission: 'payments.reveal',
    body: z.object({ id, field: z.enum(hiddenFields), reason }),
    result: z.object({ value: z.string() }),
  }),
  review: defineConsoleCall({
    summary: 'Payments that wait for a person, oldest first',
    permission: 'review.list',
    result: z.array(
      listed.extend({
        claimedBy: z.string().nullable(),
        /** By when the customer was told that it is decided. */
        promisedAt: time,
        /** To give it back; waits for somebody else. */
        proposal: z.string().nullable(),
      }),
    ),
  }),
  claim: defineConsoleCall({
    summary: 'Takes up a payment that waits for a person, so that no two people work on it; or lets go of it',
    permission: 'review.settle',
    body: z.object({ id, isTaken: z.boolean() }),
    result: z.null(),
  }),
  ask: defineConsoleCall({
    summary: 'Asks the provider now about a payment that is open, or waits for a person',
    permission: 'payments.ask',
    body: z.object({ id }),
    result: z.null(),
  }),
  receiptAgain: defineConsoleCall({
    summary: 'Sends the payer once more what they were told last, with the receipt where there is an email',
    permission: 'payments.receipt',
    body: z.object({ id }),
    result: z.null(),
  }),
  settle: defineConsoleCall({
    summary: 'Settles a payment that waits for a person',
    permission: 'review.settle',
    stepUp: true,
    body: z.object({ id, as: z.enum(decisions), reason }),
    result: z.object({ state: z.string() }),
  }),
};
