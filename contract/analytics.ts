import { z } from 'zod';
import { defineCall } from './define-call.ts';
import { text } from './fields.ts';

export const eventNames = ['page_view', 'success', 'failure', 'page_timing'] as const;
export const eventFlows = ['recharge', 'payment', 'lead', 'otp', 'feedback'] as const;

export const analyticsCalls = {
  recordEvent: defineCall({
    summary: 'Count a page view or the outcome of a flow',
    tags: ['analytics'],
    // Strict and without free text, so that it cannot contain a number, an address, a code or a PIN.
    body: z.strictObject({
      event: z.enum(eventNames),
      page_name: z.string().regex(/^(?!.*\d{6})[a-z0-9_]{1,64}$/),
      flow: z.enum(eventFlows).optional(),
      outcome: z
        .string()
        .regex(/^(?!.*\d{6})[A-Za-z0-9_]{1,32}$/)
        .optional()
        .describe('A status or an error code.'),
    }),
    result: z.null(),
    errors: ['malformed'],
    access: { limit: 'event', proof: 'none' },
  }),
  recordSearch: defineCall({
    summary: 'Count a search of the help that found nothing',
    tags: ['analytics'],
    body: z.strictObject({
      text: text(100).describe(
        'Kept only where it looks like a few words, and shown only once several visits sent it.',
      ),
    }),
    result: z.null(),
    errors: ['malformed'],
    access: { limit: 'event', proof: 'none' },
  }),
};
