import { wayHealths } from '@portal/domain/payment/way-health.ts';
import { paymentOptionTypes, transactionTypes } from '@portal/domain/transaction-types.ts';
import { z } from 'zod';
import {
  amountIn,
  amountOut,
  blankOr,
  ciphertext,
  currencyCode,
  email,
  identifier,
  instant,
  numberOrCiphertext,
  text,
  truth,
  wireNumber,
} from './fields.ts';
import { transactionResult } from './transaction.ts';

export const optionsBody = z.object({
  amount: amountIn,
  mobileNumber: blankOr(wireNumber),
  subscriberType: text(32).optional(),
  rechargeType: text(32).optional(),
  transactionType: z.enum(transactionTypes),
});

export const optionsResult = z.object({
  paymentOption: z.array(
    z.object({
      name: z.string(),
      type: z.enum(paymentOptionTypes),
      paymentMode: z.string().describe('What initiate takes as paymentMode.'),
      paymentGateway: z.string().optional().describe('What initiate takes as paymentGateway.'),
      health: z
        .enum(wayHealths)
        .optional()
        .describe('What the payments of the last hour say about it. Of fewer than twenty they say nothing.'),
    }),
  ),
  closed: z
    .array(z.object({ name: z.string(), text: z.string().describe('What to tell customers, in their language.') }))
    .optional()
    .describe('Ways that the operator has switched off for now.'),
});

/** What is bought, for whom and for how much: a payment code is sent for exactly this. */
export const purchase = z.object({
  amount: amountIn,
  countryCode: text(8).optional(),
  currencyCode: blankOr(currencyCode),
  mobileNumber: blankOr(wireNumber),
  productCode: text(64).optional(),
  transactionType: z.enum(transactionTypes),
  accountId: text(32).optional(),
  invoiceNumber: text(64).optional(),
  invoiceToken: text(2048).optional().describe('With an invoice number: what openInvoices answered for it.'),
  txnId: text(64).optional().describe('The lead id.'),
  exchangeQuote: text(2048)
    .optional()
    .describe(
      'With the second currency of the operator: what exchangeRate answered as quote. Amount is what it converted to.',
    ),
});

export const initiationBody = z
  .object({
    ...purchase.shape,
    paymentMobile: blankOr(numberOrCiphertext),
    emailId: blankOr(email),
    paymentGateway: text(32).optional(),
    unit: z.number().min(0).max(1_000_000).optional(),
    loggedInNumber: blankOr(wireNumber),
    accountType: text(32).optional(),
    paymentMode: text(32).min(1),
    uniqueCode: blankOr(identifier()),
    orderId: z
      .string()
      .regex(/^[A-Za-z0-9_-]{22,64}$/)
      .optional()
      .describe(
        'Random, at least 128 bits, made with the order and sent with each attempt to pay it: of all of them one is delivered, and money that arrives for another goes back. Without it a payment is an order by itself.',
      ),
    confirmRepeat: z.boolean().optional().describe('Pay although the same purchase was made minutes ago.'),
  })
  .refine((body) => Boolean(body.mobileNumber) || Boolean(body.invoiceNumber), {
    path: ['mobileNumber'],
    message: 'a number is needed where no invoice is paid',
  });

export const initiationResult = z.object({
  transactionId: z.string(),
  amount: amountOut.describe('What will be taken: the price of the server.'),
  currencyCode,
  encryptionKeyDetails: z
    .object({
      key: z.string(),
      keyId: z.string(),
      nonce: z.string().optional().describe('Only where a PIN is asked for.'),
      expiresAt: instant,
    })
    .describe('For the PIN: RSA-OAEP with SHA-256 and the transaction id as label.'),
});

export const processBody = z.object({
  transactionId: identifier(),
  isSubscriberRequest: truth.optional(),
  paymentGateway: text(32).optional(),
  paymentMode: text(32).optional(),
  proccessFlag: z.union([z.boolean(), text(32)]).optional(),
  accountId: text(32).optional(),
  accountType: text(32).optional(),
  paymentMobile: blankOr(numberOrCiphertext).describe('Who pays is fixed by initiate; another number is refused.'),
  amPin: ciphertext.optional(),
  uniqueCode: blankOr(identifier()).describe('After CODE_NEEDED: what verifying the fresh code answered.'),
  amPinKeyId: identifier(64).optional().describe('The keyId the PIN was encrypted with.'),
});

export const processResult = z.object({
  transactionId: z.string(),
  status: transactionResult.shape.status,
  next: z.enum(['redirect', 'popup', 'await', 'pin', 'done']).describe('What the customer does now.'),
  redirectUrl: z.url().optional(),
  popup: z
    .object({
      scriptUrl: z.url().describe("Where the gateway's own script is."),
      key: z.string(),
      accessCode: z.string(),
      reference: z.string(),
      amount: amountOut.describe('In hundredths, as the popup wants it.'),
      currency: currencyCode,
      channels: z.array(z.string()),
    })
    .optional(),
  unclear: transactionResult.shape.unclear,
  nextPollSeconds: z.int().min(1).optional(),
});
