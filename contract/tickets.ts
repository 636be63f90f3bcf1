import { ticketAuthors, ticketStates, ticketText } from '@portal/domain/ticket.ts';
import { z } from 'zod';
import { defineCall } from './define-call.ts';
import { identifier, instant, message } from './fields.ts';

const about = {
  tid: identifier().describe('The transaction id of the payment, or its reference.'),
  key: identifier(32).optional().describe('As it stands in the link that came with an answer.'),
};

const result = z.object({
  mayWrite: z.boolean().describe('Whether who asks can open a ticket, or write in the one there is.'),
  ticket: z
    .object({
      number: z.string().describe('To read out to customer care.'),
      state: z.enum(ticketStates),
      openedAt: instant,
      promisedAt: instant.describe('By when customer care answers.'),
      isLate: z.boolean().describe('It is our turn, and that time has passed.'),
      solvedAt: instant.optional(),
      key: z
        .string()
        .optional()
        .describe(
          'Opens the conversation in any browser. It and the messages are for the browser that paid and for who has the key: a reference alone shows that there is a ticket, and nothing of what is in it.',
        ),
      messages: z.array(z.object({ at: instant, author: z.enum(ticketAuthors), text: z.string() })),
    })
    .nullable(),
});

export const ticketCalls = {
  ticket: defineCall({
    summary: 'The ticket about a payment: what was asked, what was answered',
    tags: ['tickets'],
    query: z.object(about),
    result,
    errors: ['notFound'],
    access: { limit: 'status', proof: 'none' },
  }),
  writeTicket: defineCall({
    summary: 'Ask customer care about a payment, or write in the ticket that is open',
    tags: ['tickets'],
    body: z.object({
      ...about,
      text: message(ticketText.most).refine((line) => line.length >= ticketText.least, 'too short'),
    }),
    result,
    errors: ['notFound', 'wrongState'],
    access: { limit: 'write', proof: 'none' },
  }),
};
