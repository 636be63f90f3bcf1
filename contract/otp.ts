import { z } from 'zod';
import { challengeHeaders } from './challenge.ts';
import { defineCall } from './define-call.ts';
import { identifier, numberOrCiphertext, oneTimeCode, text, wireNumber } from './fields.ts';
import { purchase } from './payment-payloads.ts';

const otpId = z.object({ otpId: z.string() });
const refId = z.object({ refId: z.string() });

const verified = z.object({
  uniqueCode: z.string().describe('Proof of ownership, for one use.'),
  tokenType: z.string().optional(),
  accessToken: z.string().optional(),
});

const sendErrors = [
  'maxLimit',
  'challengeNeeded',
  'codeRefused',
  'invalidWalletUser',
  'upstreamFailed',
  'upstreamTimeout',
] as const;
const verifyErrors = ['wrongCode', 'attemptsExhausted', 'invalidWalletUser', 'codeRefused'] as const;

const sending = { limit: 'code', proof: 'none' } as const;
const verifying = { limit: 'verify', proof: 'none' } as const;

const verifyBody = z.object({
  data: z.object({
    refId: identifier(),
    otp: oneTimeCode,
    username: numberOrCiphertext.optional().describe('The wallet number.'),
    paymentMode: text(32).optional(),
  }),
});

export const otpCalls = {
  sendInvoiceCode: defineCall({
    summary: 'Send the code that opens a postpaid bill',
    tags: ['otp'],
    body: z.object({
      data: z.object({
        text: wireNumber,
        text1: text(254).optional().describe('An account number or an email address.'),
        otpAction: z.literal('INVOICE'),
      }),
    }),
    headers: challengeHeaders,
    result: otpId,
    errors: sendErrors,
    access: sending,
  }),
  resendInvoiceCode: defineCall({
    summary: 'Send a newer code in place of the last',
    tags: ['otp'],
    body: z.object({ data: z.object({ otpId: identifier() }) }),
    headers: challengeHeaders,
    result: otpId,
    errors: sendErrors,
    access: sending,
  }),
  verifyInvoiceCode: defineCall({
    summary: 'Verify the code that opens a postpaid bill',
    tags: ['otp'],
    body: z.object({ data: z.object({ otp: oneTimeCode, otpId: identifier() }) }),
    result: verified,
    errors: verifyErrors,
    access: verifying,
  }),
  sendCode: defineCall({
    summary: 'Send a code to a number',
    tags: ['otp'],
    body: z.object({
      data: z.object({
        msisdn: numberOrCiphertext,
        paymentMode: text(32).optional().describe('The way to pay that the code is for; a code serves no other.'),
        payment: purchase
          .optional()
          .describe('With paymentMode: what the code pays. The SMS names it, and the code pays nothing else.'),
        transactionId: identifier()
          .optional()
          .describe('A registered payment that asked for a fresh code (CODE_NEEDED). The code pays that one only.'),
        otpAction: text(32).optional(),
      }),
    }),
    headers: challengeHeaders,
    result: refId,
    errors: [
      ...sendErrors,
      'notFound',
      'lineUnknown',
      'lineNotEligible',
      'amountOutOfRange',
      'priceChanged',
      'notOffered',
    ],
    access: sending,
  }),
  resendCode: defineCall({
    summary: 'Send a newer code in place of the last',
    tags: ['otp'],
    body: z.object({ data: z.object({ refId: identifier() }) }),
    headers: challengeHeaders,
    result: refId,
    errors: sendErrors,
    access: sending,
  }),
  verifyCode: defineCall({
    summary: 'Verify a code; for a wallet the answer carries its token too',
    tags: ['otp'],
    body: verifyBody,
    result: verified,
    errors: verifyErrors,
    access: verifying,
  }),
  verifyUser: defineCall({
    summary: 'Verify a code and get the token of a wallet user',
    tags: ['otp'],
    body: verifyBody,
    result: verified.required(),
    errors: verifyErrors,
    access: verifying,
  }),
};
