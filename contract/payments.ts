import { z } from 'zod';
import { defineCall } from './define-call.ts';
import { amountOut, currencyCode, identifier, instant, rateText, text } from './fields.ts';
import {
  initiationBody,
  initiationResult,
  optionsBody,
  optionsResult,
  processBody,
  processResult,
} from './payment-payloads.ts';
import { transactionResult } from './transaction.ts';

const idempotencyKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,128}$/)
  .optional()
  .describe(
    'Made at the Pay click. The same key and body give the same answer; the same key with another body is refused.',
  );

const paymentHeaders = z.looseObject({ 'idempotency-key': idempotencyKey });
const tokenHeaders = z.looseObject({
  'idempotency-key': idempotencyKey,
  authorization: text(2048).min(3).describe('Token type, a space and the access token of the verified wallet.'),
});

const initiationErrors = [
  'notVerified',
  'lineUnknown',
  'lineNotEligible',
  'amountOutOfRange',
  'priceChanged',
  'notOffered',
  'paidRecently',
  'orderPaid',
  'keyReused',
  'walletLocked',
  'upstreamFailed',
  'upstreamTimeout',
] as const;
const processErrors = [
  'notFound',
  'notVerified',
  'notOffered',
  'keyReused',
  'orderPaid',
  'wrongState',
  'insufficientBalance',
  'walletLocked',
  'payerBusy',
  'codeNeeded',
] as const;
const pinErrors = ['wrongPin', 'wrongSmartCashPin', 'pinRefused'] as const;

const initiation = (summary: string, proof: 'mode' | 'none') =>
  defineCall({
    summary,
    tags: ['payments'],
    headers: paymentHeaders,
    body: initiationBody,
    result: initiationResult,
    errors: initiationErrors,
    access: { limit: 'payment', proof },
  });

const processing = (summary: string, proof: 'mode' | 'none') =>
  defineCall({
    summary,
    tags: ['payments'],
    headers: paymentHeaders,
    body: processBody,
    result: processResult,
    errors: processErrors,
    access: { limit: 'payment', proof },
  });

const options = (summary: string) =>
  defineCall({
    summary,
    tags: ['payments'],
    query: z.object({ channel: text(32).optional(), pg: text(32).optional() }),
    body: optionsBody,
    result: optionsResult,
    errors: ['lineUnknown', 'notOffered'],
    access: { limit: 'lookup', proof: 'none' },
  });

export const paymentCalls = {
  paymentOptions: options('The ways to pay for a purchase'),
  paymentOptionsByChannel: options('The ways to pay for a purchase, for one channel or gateway'),
  initiate: initiation('Register a payment; nothing is taken yet', 'mode'),
  mpesaInitiate: initiation('Register a payment by MPESA; nothing is taken yet', 'none'),
  authInitiate: defineCall({
    ...initiation('Register a payment from a verified wallet; nothing is taken yet', 'mode'),
    headers: tokenHeaders,
    access: { limit: 'payment', proof: 'token' },
  }),
  process: processing('Carry out a registered payment', 'mode'),
  mpesaProcess: processing('Send the MPESA prompt of a registered payment', 'none'),
  authProcess: defineCall({
    ...processing('Carry out a registered payment with the wallet PIN', 'mode'),
    headers: tokenHeaders,
    errors: [...processErrors, ...pinErrors],
    access: { limit: 'payment', proof: 'token' },
  }),
  transactionStatus: defineCall({
    summary: 'The state of a payment',
    tags: ['payments'],
    query: z.object({ tid: identifier(), channel: text(32).optional(), pg: text(32).optional() }),
    result: transactionResult,
    errors: ['notFound'],
    access: { limit: 'status', proof: 'none' },
  }),
  transactionFetch: defineCall({
    summary: 'The state of a payment, for the status page',
    tags: ['payments'],
    query: z.object({
      txnId: identifier(),
      channel: text(32).optional(),
      pg: text(32).optional(),
      from: z
        .literal('gateway')
        .optional()
        .describe('The browser has just come back from the page of a gateway: a hint to ask it for the truth now.'),
      said: text(32).optional().describe('The status in the address by which it came back, as the gateway wrote it.'),
    }),
    result: transactionResult,
    errors: ['notFound'],
    access: { limit: 'status', proof: 'none' },
  }),
  exchangeRate: defineCall({
    summary: 'An amount in the other currency of a dual-currency operator',
    tags: ['payments'],
    query: z.object({
      fromCurrency: currencyCode,
      toCurrency: currencyCode,
      amount: z
        .string()
        .regex(/^\d{1,12}(\.\d{1,2})?$/)
        .describe('In major units.'),
    }),
    result: z.object({
      convertedAmount: amountOut.describe('In minor units of toCurrency, rounded up.'),
      fromCurrency: currencyCode,
      toCurrency: currencyCode,
      rate: rateText,
      rateAt: instant.describe('Since when the rate stands.'),
      quote: z.string().describe('The promise to take just this: initiate takes it as exchangeQuote.'),
    }),
    errors: ['notOffered', 'upstreamFailed', 'upstreamTimeout'],
    access: { limit: 'lookup', proof: 'none' },
  }),
  paystackCallback: defineCall({
    summary: 'Where the browser comes back from the Paystack popup; a hint only, the gateway is asked for the truth',
    tags: ['payments'],
    query: z.object({ txref: identifier(), PnrID: identifier().optional(), status: text(32) }),
    result: z.object({ transactionId: z.string(), redirectUrl: z.string() }),
    answer: 'redirect',
    errors: ['notFound'],
    access: { limit: 'status', proof: 'none' },
  }),
};
