import { ticketAuthors, ticketStates, ticketText } from '@portal/domain/ticket.ts';
import { z } from 'zod';
import { text } from '../fields.ts';
import { defineConsoleCall } from './define-console-call.ts';
import { reason, time } from './fields.ts';

const id = z.string().min(1).max(20);
/** What one saw: whoever acts on an older one is told. */
const version = z.number().int().nonnegative();
const words = text(ticketText.most).refine((line) => line.length >= ticketText.least, 'too short');

const listed = z.object({
  id: z.string(),
  number: z.string(),
  state: z.enum(ticketStates),
  openedBy: z.enum(ticketAuthors),
  paymentId: z.string(),
  reference: z.string(),
  openedAt: time,
  promisedAt: time,
  answeredAt: time.nullable(),
  solvedAt: time.nullable(),
});

export const ticketConsoleCalls = {
  tickets: defineConsoleCall({
    summary: 'Tickets by whose turn it is, the oldest promise first; without a state all that are open',
    permission: 'tickets.read',
    query: z.object({ state: z.enum(ticketStates).optional(), after: z.string().max(100).optional() }),
    result: z.object({ tickets: z.array(listed), next: z.string().nullable() }),
  }),
  ticket: defineConsoleCall({
    summary: 'One ticket: the conversation, and the payment it is about',
    permission: 'tickets.read',
    query: z.object({ id }),
    result: listed.extend({
      version,
      /** Opened in the browser that paid; else by somebody who knows the reference, who may be anybody. */
      isOwn: z.boolean(),
      payment: z.object({
        state: z.string(),
        amount: z.number(),
        currency: z.string(),
        number: z.string(),
        hasContact: z.boolean(),
      }),
      messages: z.array(
        z.object({
          at: time,
          author: z.enum(ticketAuthors),
          person: z.string().nullable(),
          /** A word of the portal's, which the console says in its own language. */
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
    result: z.object({ id: z.string() }),
  }),
  answerTicket: defineConsoleCall({
    summary: 'Answers the customer, who is told by SMS or email',
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
