import { bundleServiceTypes } from '@portal/domain/bundle.ts';
import { foreignLineType, lineTypes } from '@portal/domain/line-types.ts';
import { z } from 'zod';
import { defineCall } from './define-call.ts';
import { amountOut, blankOr, currencyCode, wireNumber } from './fields.ts';

export const bundle = z.object({
  name: z.string(),
  category: z.string(),
  description: z.string(),
  data: z.string().optional(),
  dataUnit: z.string().optional(),
  voice: z.string().optional(),
  voiceUnit: z.string().optional(),
  sms: z.string().optional(),
  validity: z.string().describe("'-1' is unlimited."),
  validityUnit: z.string().optional(),
  periodType: z.string().optional(),
  amount: amountOut,
  currency: currencyCode,
  productCode: z.string(),
  lineType: z.string().optional(),
  linetype: z.string().optional().describe('The same as lineType; some clients read this spelling.'),
  serviceType: z.enum(bundleServiceTypes).exclude(['ALL']).optional(),
  hours: z
    .string()
    .optional()
    .describe("The part of the day it can be used in, as '22:00-06:00'; missing means all day."),
  popular: z.boolean().optional(),
});

export const bundleCalls = {
  bundles: defineCall({
    summary: 'The bundles on sale for a line, or of a kind of service',
    tags: ['bundles'],
    body: z.object({
      data: z.object({
        msisdn: blankOr(wireNumber),
        lineType: blankOr(z.enum([...lineTypes, foreignLineType])),
        serviceType: z
          .enum(bundleServiceTypes)
          .default('ALL')
          .describe('ALL of a line leaves out what that line cannot use: router plans, or all but those for a router.'),
        popular: z.boolean().optional().describe('Only those offered on the home page.'),
      }),
    }),
    result: z.array(bundle),
    errors: ['lineUnknown', 'upstreamFailed', 'upstreamTimeout'],
    access: { limit: 'lookup', proof: 'none' },
  }),
};
