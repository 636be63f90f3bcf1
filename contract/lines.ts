import { postpaidAccountPattern } from '@portal/domain/account-number.ts';
import { lineTypes } from '@portal/domain/line-types.ts';
import { z } from 'zod';
import { challengeHeaders } from './challenge.ts';
import { defineCall } from './define-call.ts';
import { identifier, instant, text, truth, wireNumber } from './fields.ts';

const balanceEntry = z.object({
  serviceType: z.enum(['DATA', 'AIRTIME', 'VOICE', 'SMS']),
  balanceDescription: z.string(),
  balanceType: z.enum(['limited', 'unlimited']),
  balance: z.number().describe('Airtime in whole minor units; anything else in unitType.'),
  unitType: z.string(),
  expireTime: instant.optional(),
});

export const lineCalls = {
  lineType: defineCall({
    summary: 'What kind of line a number is',
    tags: ['lines'],
    body: z.object({ msisdn: wireNumber, checkIfBroadband: truth.optional(), requestType: text(64).optional() }),
    result: z.enum(lineTypes),
    errors: ['lineUnknown', 'lineNotEligible', 'upstreamFailed', 'upstreamTimeout'],
    access: { limit: 'lookup', proof: 'none' },
  }),
  validateBrandNumber: defineCall({
    summary: "Whether a number is one of the operator's",
    tags: ['lines'],
    body: z.object({ msisdn: wireNumber }),
    result: z.object({ lineType: z.enum(lineTypes) }),
    errors: ['lineUnknown', 'upstreamFailed', 'upstreamTimeout'],
    access: { limit: 'lookup', proof: 'none' },
  }),
  validateAccount: defineCall({
    summary: 'Prove ownership of a postpaid line by its account number',
    tags: ['lines'],
    body: z.object({ data: z.object({ msisdn: wireNumber, accountNo: z.string().regex(postpaidAccountPattern) }) }),
    result: z.object({ uniqueCode: z.string() }),
    errors: [
      'accountMismatch',
      'accountUnknown',
      'attemptsExhausted',
      'challengeNeeded',
      'upstreamFailed',
      'upstreamTimeout',
    ],
    access: { limit: 'verify', proof: 'none' },
  }),
  queryBalance: defineCall({
    summary: 'Balances of a line whose owner proved it',
    tags: ['lines'],
    body: z.object({
      data: z.object({
        msisdn: wireNumber,
        uniqueCode: identifier(),
        serviceType: z.enum(['AIRTIME', 'DATA', 'ALL']).optional(),
      }),
    }),
    result: z.object({ queryBalanceResult: z.array(balanceEntry) }),
    errors: ['notVerified', 'lineUnknown', 'upstreamFailed', 'upstreamTimeout'],
    access: { limit: 'lookup', proof: 'code' },
  }),
  fetchBalance: defineCall({
    summary: 'Send the code that opens the balance of a broadband line',
    tags: ['lines'],
    body: z.object({ msisdn: wireNumber, requestType: text(64).optional() }),
    headers: challengeHeaders,
    result: z.object({
      otpRecipient: z.string().describe('The masked number that gets the code.'),
      txnRefId: z.string().describe('The refId to verify the code with.'),
    }),
    errors: ['lineUnknown', 'notOffered', 'maxLimit', 'challengeNeeded', 'upstreamFailed', 'upstreamTimeout'],
    access: { limit: 'code', proof: 'none' },
  }),
};
