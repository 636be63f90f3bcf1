import { z } from 'zod';
import { defineCall } from './define-call.ts';
import { email, identifier, message } from './fields.ts';

export const formTypes = [
  'HBB_LEADS',
  'ENTERPRISE',
  'HBB_AIRTIME',
  'AIR_TIME',
  'HBB_ODU_AW',
  'Prepaid',
  'WEBPORTAL',
  'INSTALLATION',
] as const;

const answer = z.union([message(2000), z.boolean(), z.number()]);
const mostAnswers = 40;
/** Limits of a stored form entry. */
const mostBytes = 4096;
const bytesOf = (data: object) => new TextEncoder().encode(JSON.stringify(data)).length;

export const formCalls = {
  saveForm: defineCall({
    summary: 'Keep what a visitor filled in: contact, feedback, enterprise request',
    tags: ['forms'],
    body: z.object({
      formType: z.enum(formTypes),
      email: email.optional(),
      data: z
        .record(identifier(64), answer)
        .refine((data) => Object.keys(data).length <= mostAnswers, 'too many fields')
        .refine((data) => bytesOf(data) <= mostBytes, 'too long')
        .describe(`At most ${mostAnswers} fields and ${mostBytes} bytes of JSON in all.`),
    }),
    result: z.object({ formId: z.string() }),
    errors: ['notOffered'],
    access: { limit: 'write', proof: 'none' },
  }),
};
