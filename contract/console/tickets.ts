import { ticketAuthors, ticketStates, ticketText } from '@portal/domain/ticket.ts';
import { z } from 'zod';
import { textOfStaff } from '../fields.ts';
import { defineConsoleCall } from './define-console-call.ts';
import { reason, takenOtherwise, time } from './fields.ts';

const id = z.string().min(1).max(20);
/** The version the caller saw: an act on an older one is refused. */
const version = z.number().int().nonnegative();
const words = textOfStaff(ticketText.most).refine((line) => line.length >= ticketText.least, 'too short');

const listed = z.object({
  id: z.string(),
  number: z.string(),
  state: z.enum(ticketStates),
  openedBy: z.enum(ticketAuthors),
  /** Opened in the browser that paid; otherwise by anybody who knows the reference. */
  isOwn: z.boolean(),
  paymentId: z.string(),
  reference: z.string(),
  openedAt: time,
  promisedAt: time,
  answeredAt: time.nullable(),
  solvedAt: time.nullable(),
});

/** Its row in a list. */
const row = listed.extend({
  /** The beginning of what was written first, with numbers and emails masked; null where nobody wrote, or it was erased. */
  beginning: z.string().nullable(),
  /** The portal's own first message, as a key, if nobody wrote. */
  said: z.string().nullable(),
  payment: z.object({ amount: z.number(), currency: z.string(), taken: takenOtherwise }),
});

/** How the author is told of care's answer; null where it only appears on the page. */
const toldBy = z.array(z.enum(['sms', 'mail']));

export const ticketConsoleCalls = {
  tickets: defineConsoleCall({
    summary: 'Tickets by whose turn it is, the oldest promise first; without a state all that are open',
    permission: 'tickets.read',
    query: z.object({ state: z.enum(ticketStates).optional(), after: z.string().max(100).optional() }),
    result: z.object({ tickets: z.array(row), next: z.string().nullable() }),
  }),
  ticket: defineConsoleCall({
    summary: 'One ticket: the conversation, and the payment it is about',
    permission: 'tickets.read',
    query: z.object({ id }),
    result: listed.extend({
      version,
      payment: z.object({
        state: z.string(),
        amount: z.number(),
        currency: z.string(),
        taken: takenOtherwise,
        number: z.string(),
      }),
      toldBy,
      messages: z.array(
        z.object({
          at: time,
          author: z.enum(ticketAuthors),
          person: z.string().nullable(),
          /** Which of several strangers wrote it, counted from one; null in the payer's own ticket. */
          writer: z.number().int().nullable(),
          /** A text key of the portal's own message, translated by the console. */
          said: z.string().nullable(),
          /** Null where it was erased. */
          text: z.string().nullable(),
        }),
      ),
    }),
  }),
  openTicket: defineConsoleCall({
    summary: 'Opens a ticket about a payment, for somebody who called; the customer is told',
    permission: 'tickets.answer',
    body: z.object({ payment: z.string().min(1).max(100), text: words }),
    result: z.object({ id: z.string(), toldBy }),
  }),
  answerTicket: defineConsoleCall({
    summary: 'Answers the customer, who is told by the ways that the ticket names',
    permission: 'tickets.answer',
    body: z.object({ id, version, text: words }),
    result: z.null(),
  }),
  solveTicket: defineConsoleCall({
    summary: 'Marks a ticket as solved',
    permission: 'tickets.answer',
    body: z.object({ id, version }),
    result: z.null(),
  }),
  reopenTicket: defineConsoleCall({
    summary: 'Opens a solved ticket again',
    permission: 'tickets.answer',
    body: z.object({ id, version, reason }),
    result: z.null(),
  }),
};
