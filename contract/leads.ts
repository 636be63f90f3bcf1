import { leadStatuses } from '@portal/domain/lead/lead-status.ts';
import { foreignLineType, lineTypes } from '@portal/domain/line-types.ts';
import { z } from 'zod';
import { challengeHeaders } from './challenge.ts';
import { defineCall } from './define-call.ts';
import {
  amountIn,
  amountOut,
  blankOr,
  currencyCode,
  email,
  identifier,
  instant,
  message,
  text,
  truth,
  wireNumber,
} from './fields.ts';

const fullName = text(120).min(1);

const leadBody = z.object({
  fullName,
  contactNumber: wireNumber,
  email,
  feasibility: truth,
  address: z.object({
    type: text(32),
    landmark: blankOr(text(200)),
    lat: z.number().min(-90).max(90).optional(),
    lng: z.number().min(-180).max(180).optional(),
    city: text(80).min(1),
    street1: text(200),
    country: text(60),
  }),
  plan: z.object({
    code: identifier(64),
    amount: amountIn,
    currency: currencyCode,
    description: message(300),
  }),
  source: text(64),
  reference: text(64).optional(),
  worksId: identifier(64).optional().describe('The sales visit it came from.'),
  uniqueCode: identifier(),
  lineType: z.enum([...lineTypes, foreignLineType]),
  consent: truth,
});

export const leadCalls = {
  submitLead: defineCall({
    summary: 'Ask for home broadband',
    tags: ['leads'],
    body: leadBody,
    result: z.object({ refLeadId: z.string(), feasibility: z.boolean() }),
    errors: ['notVerified', 'notOffered', 'priceChanged', 'upstreamFailed', 'upstreamTimeout'],
    access: { limit: 'write', proof: 'code' },
  }),
  trackLead: defineCall({
    summary: 'How far a request for home broadband is',
    tags: ['leads'],
    body: z.object({ refLeadId: identifier(64) }),
    result: z.object({
      refLeadId: z.string(),
      leadStatus: z.enum(leadStatuses),
      submittedAt: instant,
      planDescription: z.string().optional(),
      city: z.string().optional(),
      timeline: z.array(z.object({ status: z.enum(leadStatuses), at: instant })),
      isPayable: z.boolean().describe('It waits for its payment.'),
      toPay: z
        .object({
          msisdn: wireNumber,
          emailId: z.string(),
          lineType: z.string(),
          productCode: z.string(),
          amount: amountOut,
          currency: z.string(),
        })
        .optional()
        .describe('Only for the visit that asked for it, while it waits for its payment.'),
    }),
    errors: ['notFound'],
    access: { limit: 'lookup', proof: 'none' },
  }),
  sendLeadCode: defineCall({
    summary: 'Send the code of the lead flow, by SMS to a number of ours, else by email',
    tags: ['leads', 'otp'],
    body: z.object({
      email,
      customerDetails: z.object({ fullName }),
      requestType: text(64),
      msisdn: blankOr(wireNumber),
    }),
    headers: challengeHeaders,
    result: z.object({ refId: z.string() }),
    errors: ['maxLimit', 'challengeNeeded', 'codeRefused', 'upstreamFailed', 'upstreamTimeout'],
    access: { limit: 'code', proof: 'none' },
  }),
};
