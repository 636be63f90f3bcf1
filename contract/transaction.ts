import { moneyStates } from '@portal/domain/payment/shown-status.ts';
import { transactionTypes } from '@portal/domain/transaction-types.ts';
import { z } from 'zod';
import { amountOut, currencyCode, instant, rateText } from './fields.ts';

export const transactionStatuses = [
  'SUCCESS',
  'FAILED',
  'REQUEST_REGISTERED',
  'REQUEST_RAISED',
  'ALREADY_PROCESSED',
  'IN_PROCESS',
] as const;

const status = z.enum(transactionStatuses);
const moneyState = z.enum(moneyStates);

export const transactionResult = z.object({
  status,
  transactionStatus: status,
  transactionId: z.string(),
  refTransactionId: z.string().optional(),
  transactionType: z.enum(transactionTypes),
  rechargeType: z.literal('broadband').optional().describe('Where the line is that of a router.'),
  paymentMode: z.string(),
  paymentGateway: z.string().optional(),
  mobileNumber: z.string().describe('Masked.'),
  msisdn: z.string().describe('Masked.'),
  currencyCode,
  amount: amountOut,
  conversion: z
    .object({ price: amountOut, fromCurrency: currencyCode, rate: rateText, rateAt: instant })
    .optional()
    .describe('The price in the first currency, and the rate at which it was paid in the second.'),
  accountId: z.string().optional(),
  invoiceNumber: z.string().optional(),
  bundleDescription: z.string().optional(),
  statusReason: z.string().optional(),
  metaInfo: z
    .object({
      leadId: z.string().optional(),
      note: z.string().optional(),
      message: z.string().optional(),
      lineType: z.string().optional(),
      email: z.string().optional().describe('Masked.'),
      isErased: z.literal(true).optional().describe('The request was erased: nothing more follows from it.'),
    })
    .optional(),
  sameOrder: z
    .object({
      kind: z.enum(['paidBy', 'paidTwice']),
      isBack: z.literal(true).optional().describe('The money that goes back has come back.'),
      transactionId: z.string().optional(),
      reference: z.string().optional(),
    })
    .optional()
    .describe(
      'paidBy: another payment is the one that pays this order, so money for this one goes back. paidTwice: this is that one, and money for another goes back. Which one the other is, is told to the visit that made both.',
    ),
  payer: z
    .string()
    .optional()
    .describe('The number that was asked for the money: whole for the visit that ordered it, masked for others.'),
  order: z
    .object({
      msisdn: z.string(),
      amount: amountOut,
      currency: currencyCode,
      transactionType: z.enum(transactionTypes),
      lineType: z.string().optional(),
      rechargeType: z.literal('broadband').optional(),
      productCode: z.string().optional(),
      description: z.string().optional(),
      emailId: z.string().optional(),
      invoice: z
        .object({
          accountNo: z.string(),
          invoiceNo: z.string(),
          invoiceToken: z.string().describe('That this visit was shown the invoice: initiate takes it.'),
        })
        .optional(),
      leadId: z.string().optional(),
      orderId: z.string().optional(),
    })
    .optional()
    .describe(
      'What was ordered, to pay it another way: only for the visit that ordered it, and while nothing was taken.',
    ),
  reference: z.string().describe('Short, to read out to customer care.'),
  moneyState: moneyState.describe('Where the money is, in one of five plain states.'),
  timeline: z.array(z.object({ state: moneyState, at: instant })),
  refund: z
    .object({
      startedAt: instant,
      expectedBy: instant.optional().describe('Absent where the provider has not told us by when it gives money back.'),
      completedAt: instant.optional(),
    })
    .optional()
    .describe('Only where money goes back.'),
  goodwill: z
    .object({ amount: amountOut, currencyCode: z.string(), isGiven: z.boolean() })
    .optional()
    .describe('Credit that the operator gives the line on top, which changes nothing about the payment.'),
  left: z
    .literal(true)
    .optional()
    .describe(
      'The gateway said that its page was left without paying. It proves nothing: while nothing else is known, it may still be paid there.',
    ),
  declined: z
    .literal(true)
    .optional()
    .describe('Likewise: its page said that the card was declined, or that the payment failed there.'),
  unopened: z
    .literal(true)
    .optional()
    .describe('The gateway has given no page to pay on, so nobody can have paid; it is asked about all the same.'),
  unclear: z
    .literal(true)
    .optional()
    .describe(
      'The provider gave no clear answer: whether the payer was asked, or paid, is being found out. It is neither failed nor waiting for the payer.',
    ),
  final: z.boolean().describe('Nothing will change any more.'),
  nextPollSeconds: z.int().min(1).optional().describe('When to ask again; absent when final.'),
});
