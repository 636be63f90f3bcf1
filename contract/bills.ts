import { fixedInternetAccountPattern } from '@portal/domain/account-number.ts';
import { z } from 'zod';
import { challengeHeaders } from './challenge.ts';
import { defineCall } from './define-call.ts';
import { amountOut, currencyCode, email, identifier, statedAmount, wireNumber } from './fields.ts';

const invoice = z.object({
  accountNo: z.string(),
  invoiceNo: z.string(),
  dueDate: z.iso.date(),
  billingStartDate: z.iso.date(),
  billingEndDate: z.iso.date(),
  currency: currencyCode,
  outstandingAmount: statedAmount,
  amountDue: amountOut,
  invoiceStatus: z.enum(['PAID', 'DUE', 'OVERDUE']),
  invoiceToken: z.string().describe('What initiate takes as invoiceToken: that this visitor was shown the invoice.'),
});

export const billCalls = {
  bill: defineCall({
    summary: 'The amount outstanding on a postpaid line',
    tags: ['bills'],
    body: z.object({ data: z.object({ msisdn: wireNumber, uniqueCode: identifier() }) }),
    result: z.object({
      totalOutstanding: statedAmount,
      amountDue: amountOut,
      isRoundedUp: z.boolean().describe('amountDue is the next whole unit above totalOutstanding.'),
      currency: currencyCode,
      accountNo: z.string().optional(),
    }),
    errors: ['notVerified', 'lineUnknown', 'lineNotEligible', 'upstreamFailed', 'upstreamTimeout'],
    access: { limit: 'lookup', proof: 'code' },
  }),
  openInvoices: defineCall({
    summary: 'The invoices of a fixed-internet account; none when account and email do not belong together',
    tags: ['bills'],
    body: z.object({ accountNo: z.string().regex(fixedInternetAccountPattern), contactPersonEmailId: email }),
    headers: challengeHeaders,
    result: z.object({
      response: z.object({
        invoices: z.array(invoice),
        lineNumber: wireNumber.optional(),
        contactPersonMsisdn: z.string().optional().describe('Masked.'),
      }),
    }),
    errors: ['attemptsExhausted', 'challengeNeeded', 'upstreamFailed', 'upstreamTimeout'],
    access: { limit: 'verify', proof: 'none' },
  }),
};
