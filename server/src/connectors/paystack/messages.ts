import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import { z } from 'zod';
import { referencePattern } from '../callback-parsing.ts';
import type { HttpAnswer } from '../http-client.ts';
import type { EnquiryOutcome, RefundLookup, RefundOutcome, StartOutcome } from '../ports.ts';
import { isUnsent, notReached } from '../unsent.ts';

const identifier = z.union([z.int().positive(), z.string().regex(/^\d{1,20}$/)]).transform(String);
const hundredths = z.int().positive();

const problemAnswer = z.object({ status: z.literal(false), code: z.string() });
const startAnswer = z.object({
  status: z.literal(true),
  data: z.object({ access_code: z.string().regex(/^[\w-]{1,100}$/), reference: z.string() }),
});
const enquiryAnswer = z.object({
  status: z.literal(true),
  data: z.object({
    id: identifier,
    domain: z.string(),
    status: z.string(),
    reference: z.string(),
    amount: hundredths,
    requested_amount: hundredths.nullish(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    gateway_response: z.string().nullish(),
    created_at: z.string().nullish(),
    authorization: z
      .object({ signature: z.string().min(1).max(200).nullish() })
      .nullish()
      .catch(null),
  }),
});
const refund = z.object({
  transaction: z.union([identifier, z.object({ id: identifier }).transform(({ id }) => id)]),
  amount: hundredths,
  status: z.string(),
});
const refundAnswer = z.object({ status: z.literal(true), data: refund });
const refundsAnswer = z.object({ status: z.literal(true), data: z.array(refund) });

const eventReference = z.string().regex(referencePattern);
export const callbackBody = z.object({
  event: z.string(),
  data: z.union([
    z.object({ reference: eventReference }).transform(({ reference }) => reference),
    // Events about refunds name the payment differently.
    z.object({ transaction_reference: eventReference }).transform((data) => data.transaction_reference),
  ]),
});

/** Refusals to register a payment: without an access code nobody can pay it. */
const startRefusals = new Set(['unsupported_currency', 'invalid_amount', 'invalid_email_address']);
const gatewayResponses = new Map<string | null | undefined, PaymentReason>([
  ['Declined', 'declined'],
  ['Insufficient Funds', 'insufficientFunds'],
]);

/** Paystack never closes an unfinished payment; after a day it is treated as expired. Money that comes later is refunded. */
const abandonedAfterMs = 24 * 60 * 60 * 1000;

const unclear = (detail: string) => ({ kind: 'unclear', detail }) as const;

/** The body of a successful response; otherwise the error code, or why there is none. */
function bodyOf(answer: HttpAnswer): { json: unknown; problem: string } {
  if (answer.kind === 'silence') return { json: undefined, problem: answer.detail };
  if (answer.status >= 200 && answer.status < 300) return { json: answer.json, problem: `HTTP ${answer.status}` };
  const refusal = answer.status < 500 ? problemAnswer.safeParse(answer.json) : null;
  return { json: undefined, problem: refusal?.data?.code ?? `HTTP ${answer.status}` };
}

export function readStart(
  answer: HttpAnswer,
  asked: { reference: string },
): Extract<StartOutcome, { kind: 'refused' | 'unclear' }> | { kind: 'registered'; accessCode: string } {
  if (isUnsent(answer)) return notReached;
  const { json, problem } = bodyOf(answer);
  const parsed = startAnswer.safeParse(json);
  if (parsed.success) {
    if (parsed.data.data.reference !== asked.reference) return unclear('the answer is about another payment');
    return { kind: 'registered', accessCode: parsed.data.data.access_code };
  }
  if (problem === 'duplicate_reference') return { ...unclear(problem), isRepeated: true };
  return startRefusals.has(problem) ? { kind: 'refused', reason: 'refusedByProvider' } : unclear(problem);
}

export function readEnquiry(
  answer: HttpAnswer,
  asked: { reference: string; mode: string; fromHundredths: (amount: number) => number | null; now: number },
): EnquiryOutcome {
  const { json, problem } = bodyOf(answer);
  if (problem === 'transaction_not_found') return { kind: 'notFound' };
  const parsed = enquiryAnswer.safeParse(json);
  if (!parsed.success) return unclear(problem);
  const { data } = parsed.data;
  if (data.reference !== asked.reference) return unclear('the answer is about another payment');
  if (data.domain !== asked.mode) return unclear(`a payment of the mode ${data.domain}`);
  switch (data.status) {
    case 'success': {
      // Fees may be added on top. An amount below the one asked for must not pass as the full amount.
      const amount = asked.fromHundredths(Math.min(data.requested_amount ?? data.amount, data.amount));
      if (amount === null) return unclear('paid an amount that the currency does not have');
      const card = data.authorization?.signature;
      return { kind: 'paid', providerReference: data.id, amount, currency: data.currency, ...(card ? { card } : {}) };
    }
    case 'failed':
      return { kind: 'refused', reason: gatewayResponses.get(data.gateway_response) ?? 'refusedByProvider' };
    case 'abandoned':
      return asked.now - Date.parse(data.created_at ?? '') > abandonedAfterMs
        ? { kind: 'refused', reason: 'expired' }
        : { kind: 'pending' };
    case 'ongoing':
    case 'pending':
    case 'processing':
    case 'queued':
      return { kind: 'pending' };
    default:
      // "reversed" is among these: money came and went, perhaps in part, so a person has to look.
      return unclear(data.status);
  }
}

/** Refunds made so far; `notFound` allows requesting one. */
export function readRefunds(answer: HttpAnswer, asked: { transaction: string; hundredths: number }): RefundLookup {
  const { json, problem } = bodyOf(answer);
  const parsed = refundsAnswer.safeParse(json);
  if (!parsed.success) return unclear(problem);
  const open = parsed.data.data.filter((one) => one.transaction === asked.transaction && one.status !== 'failed');
  if (open.length === 0) return { kind: 'notFound' };
  const processed = open.filter((one) => one.status === 'processed').reduce((sum, one) => sum + one.amount, 0);
  return processed >= asked.hundredths ? { kind: 'refunded' } : unclear(`refund ${open.at(-1)?.status}`);
}

export function readRefund(answer: HttpAnswer, asked: { transaction: string; hundredths: number }): RefundOutcome {
  const { json, problem } = bodyOf(answer);
  const parsed = refundAnswer.safeParse(json);
  if (!parsed.success) return unclear(problem);
  const { transaction, amount, status } = parsed.data.data;
  const isAll = transaction === asked.transaction && amount >= asked.hundredths;
  return isAll && status === 'processed' ? { kind: 'refunded' } : unclear(`refund ${status}`);
}
