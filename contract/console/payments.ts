import { decisions } from '@portal/domain/payment/review-decisions.ts';
import { paymentStates } from '@portal/domain/payment/transitions.ts';
import { wayHealths } from '@portal/domain/payment/way-health.ts';
import { ticketStates } from '@portal/domain/ticket.ts';
import { z } from 'zod';
import { defineConsoleCall } from './define-console-call.ts';
import { lines, reason, takenOtherwise, time } from './fields.ts';

const id = z.string().min(1).max(100);

/** A payment in a list. Numbers are masked. */
const listed = z.object({
  id: z.string(),
  reference: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  type: z.string(),
  /** By the name that customers see. */
  way: z.string(),
  amount: z.number(),
  currency: z.string(),
  taken: takenOtherwise,
  number: z.string(),
  createdAt: time,
  changedAt: time,
});

/** Fields that are masked until somebody reveals them for a reason. */
export const hiddenFields = ['number', 'payer', 'email', 'account', 'invoice'] as const;

const event = z.object({
  at: time,
  /** Its source: our history, a provider's answer, the ledger, a goodwill credit, a risk decision, or the audit. */
  kind: z.enum(['state', 'evidence', 'posting', 'goodwill', 'risk', 'message', 'ticket', 'audit']),
  /** What happened, as a code; the console has a text for each. */
  what: z.string(),
  /** Details as codes: the reason, the rule, the method, the outcome. */
  codes: z.array(z.string()),
  by: z.string().nullable(),
  /** For an approval by `by`: the proposer and the reason. */
  proposed: z.object({ by: z.string(), reason: z.string() }).nullable(),
  detail: z.string().nullable(),
  /** The other system's own message, in whatever language; shown as a quotation beside our text. */
  quote: z.string().nullable(),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
});

const side = z.object({
  /** What each system reports about it, as far as it was asked. */
  said: z.string().nullable(),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  at: time.nullable(),
});

/** Hours and minutes. */
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** Any text printed about a payment; without one, the payments of the given days, a month at most. */
const sought = {
  /** Also a whole message that was pasted: a long SMS is three of 160 letters. */
  text: z.string().trim().min(1).max(500).optional(),
  state: z.enum(paymentStates).optional(),
  /** A payment method, by its code. */
  way: z.string().max(40).optional(),
  /** The amount requested or taken: one value for each currency it may be meant in. */
  sums: z
    .array(z.object({ amount: z.int().positive(), currency: z.string().length(3) }))
    .min(1)
    .max(4)
    .optional(),
  from: z.iso.date().optional(),
  until: z.iso.date().optional(),
  /** Times on the first and the last day, in the operator's time zone; without a day, today. */
  fromTime: clock.optional(),
  untilTime: clock.optional(),
};

const sum = z.object({ amount: z.number(), count: z.number() });

export const paymentConsoleCalls = {
  today: defineConsoleCall({
    summary: 'How the operator’s day goes: sums of the books, what waits, payments a minute, each way to pay',
    permission: 'today.read',
    result: z.object({
      at: time,
      sums: z.array(z.object({ currency: z.string(), taken: sum, delivered: sum, givenBack: sum })),
      waiting: z.array(z.object({ state: z.string(), count: z.number(), since: time })),
      /** Requests for home broadband that were paid and lost, whose money has not gone back; the oldest first. */
      owed: z.array(z.object({ lead: z.string(), amount: z.number(), currency: z.string(), since: time })),
      /** Unsolved tickets by whose turn it is, and the earliest deadline. */
      tickets: z.array(z.object({ state: z.enum(ticketStates), count: z.number(), promisedAt: time })),
      /** Unexplained differences of yesterday's comparison; null while it has not run. */
      differences: z.object({ day: z.string(), open: z.number(), isComplete: z.boolean() }).nullable(),
      /** The last hour; minutes without payments are left out. */
      minutes: z.array(z.object({ at: time, count: z.number() })),
      ways: z.array(
        z.object({
          way: z.string(),
          health: z.enum(wayHealths),
          taken: z.number(),
          failed: z.number(),
          medianSeconds: z.number().nullable(),
          endedByPayer: z.number(),
          lastFailureAt: time.nullable(),
        }),
      ),
    }),
  }),
  find: defineConsoleCall({
    summary:
      'Payments by anything that is printed about them (number, email, reference, id, receipt, invoice, account, ticket), and requests for home broadband by their number, phone or email',
    permission: 'payments.find',
    isReading: true,
    body: z.object({ ...sought, before: z.string().max(200).optional() }),
    result: z.object({
      /** The listed days; null where a text finds payments of any time. */
      days: z.object({ from: z.string(), until: z.string() }).nullable(),
      payments: z.array(listed),
      /** On the first page only. Numbers are masked. */
      leads: z.array(
        z.object({ id: z.string(), status: z.string(), plan: z.string(), number: z.string(), createdAt: time }),
      ),
      next: z.string().nullable(),
      /** When the text is a ticket number, for people who may read tickets. */
      ticket: z.string().nullable(),
    }),
  }),
  exportFound: defineConsoleCall({
    summary: 'What was found as a table, numbers masked',
    permission: 'payments.export',
    body: z.object({ ...sought, reason }),
    isFile: true,
    result: lines,
  }),
  exportFoundInFull: defineConsoleCall({
    summary: 'The same with numbers, emails, accounts and invoices',
    permission: 'payments.exportInFull',
    stepUp: true,
    body: z.object({ ...sought, reason }),
    isFile: true,
    result: lines,
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
      /** The last digits of the account of a bill paid by its line, once money was taken; never more of it. */
      billedAccount: z.string().nullable(),
      providerReference: z.string().nullable(),
      statusUrl: z.string(),
      provider: side,
      /** When the provider was last asked, its last distinct answer, and the latest time of the next enquiry. */
      enquiry: z.object({ askedAt: time.nullable(), said: z.string().nullable(), nextAt: time.nullable() }),
      delivery: side,
      /** The lost request whose money it is and to whose payer it has to go back. */
      owedFor: z.string().nullable(),
      events: z.array(event),
      /** Only what its state and the caller's roles allow. */
      actions: z.object({
        ask: z.boolean(),
        decisions: z.array(z.enum(decisions)),
        propose: z.array(z.enum(['refund', 'goodwill'])),
        /** Acts that already wait for another person, with the id of the proposal. */
        proposed: z.array(z.object({ kind: z.enum(['refund', 'goodwill', 'goodwillEnd']), id: z.string() })),
        /** The largest credit that may be proposed. */
        goodwillMost: z.object({ amount: z.number(), currency: z.string() }).nullable(),
        /** A stuck goodwill credit that this person may settle; `isProposed` waits for another one. */
        stuckGoodwill: z.object({ isProposed: z.boolean() }).nullable(),
        /** The channel it would be sent by. */
        receiptAgain: z.enum(['mail', 'sms']).nullable(),
        openTicket: z.boolean(),
        /** The open ticket, for people who may answer it. */
        openedTicket: z.string().nullable(),
      }),
      goodwill: z.object({ amount: z.number(), currency: z.string(), state: z.string() }).nullable(),
      /** For people who may read them, newest first. */
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
        /** The time by which the customer was promised a decision. */
        promisedAt: time,
        /** Proposal of a refund, waiting for somebody else. */
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
    /** The provider's answer, where the call waited for it: for an open payment it appears in the story. */
    result: z.object({ said: side.nullable() }),
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
