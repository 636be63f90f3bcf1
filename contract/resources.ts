import { z } from 'zod';
import { defineCall } from './define-call.ts';
import { amountOut, currencyCode, instant, text } from './fields.ts';

const configData = z.object({
  preMinAmnt: amountOut,
  preMaxAmnt: amountOut,
  postMinAmnt: amountOut,
  postMaxAmnt: amountOut,
  beta: z.object({ amountToHigherValueFeature: z.boolean() }),
  payStackConfig: z.string().describe('JSON as text: {"key": …}.').optional(),
  postpaidHybridCheck: z.boolean(),
  enableAmPin: z.boolean(),
  customerCareNumber: z.string(),
  pinResetDial: z.string(),
  paymentMaxTry: z.int().min(1),
  leadConnectionFee: z
    .string()
    .regex(/^\d+$/)
    .optional()
    .describe('What connecting home broadband costs once, in whole minor units, for the note under its plans.'),
  encryptionKeyDetails: z
    .object({ key: z.string(), keyId: z.string(), expiresAt: instant })
    .optional()
    .describe('The public key for a wallet number that must travel encrypted before a transaction exists.'),
});

export const resourceCalls = {
  config: defineCall({
    summary: 'Limits and switches of the flows',
    tags: ['resources'],
    query: z.object({ code: text(16) }),
    result: z.object({ configData }),
    errors: ['notFound'],
    access: { limit: 'read', proof: 'none' },
  }),
  productConfig: defineCall({
    summary: 'Brand, features and flags of this portal',
    tags: ['resources'],
    result: z.object({
      brand: z.object({ name: z.string(), slug: z.string() }),
      operator: z.string(),
      countryCode: z.string(),
      currency: currencyCode,
      currencyDigits: z.int().min(0).max(4),
      nationalLength: z.int().min(6).max(14),
      languages: z.array(z.object({ code: z.string(), locale: z.string(), prefix: z.string() })),
      features: z.record(z.string(), z.boolean()),
      flags: z.object({ showPostpaidBundles: z.boolean(), kpi: z.boolean() }),
    }),
    errors: ['unavailable'],
    access: { limit: 'read', proof: 'none' },
  }),
  cities: defineCall({
    summary: 'The towns of the lead flow, and where home broadband can be installed',
    tags: ['resources', 'leads'],
    result: z.object({ data: z.array(z.object({ cityName: z.string(), hbbLeadFeasibility: z.boolean() })) }),
    errors: ['unavailable'],
    access: { limit: 'read', proof: 'none' },
  }),
  announcements: defineCall({
    summary: 'What the operator tells every customer now: maintenance that is planned or under way, and the banner',
    tags: ['resources'],
    result: z.object({
      announcements: z.array(
        z.object({ kind: z.enum(['banner', 'maintenance']), text: z.string().describe('In the language of `lang`.') }),
      ),
    }),
    errors: ['unavailable'],
    access: { limit: 'read', proof: 'none' },
  }),
};
