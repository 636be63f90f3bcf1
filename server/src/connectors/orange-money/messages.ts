import { z } from 'zod';
import type { HttpAnswer } from '../http-client.ts';
import type { EnquiryOutcome, RefundOutcome } from '../ports.ts';
import { isUnsent, notReached } from '../unsent.ts';

const token = z.string().regex(/^[^\s]{1,256}$/);
const startAnswer = z.object({ pay_token: token, payment_url: z.string() });
const statusAnswer = z.object({ status: z.string(), order_id: z.string(), txnid: z.string().nullish() });
const refundAnswer = z.object({ status: z.enum(['SUCCESS', 'ALREADY_REFUNDED']), order_id: z.string() });

const unclear = (detail: string) => ({ kind: 'unclear', detail }) as const;

/** The body of a 2xx response, or why there is none. */
function bodyOf(answer: HttpAnswer): { json: unknown; problem: string } {
  if (answer.kind === 'silence') return { json: undefined, problem: answer.detail };
  const isGood = answer.status >= 200 && answer.status < 300;
  return { json: isGood ? answer.json : undefined, problem: `HTTP ${answer.status}` };
}

export function readStart(
  answer: HttpAnswer,
  asked: { checkoutOrigins: readonly string[] },
): { kind: 'page'; url: string; payToken: string } | { kind: 'unclear'; detail: string } | typeof notReached {
  if (isUnsent(answer)) return notReached;
  const { json, problem } = bodyOf(answer);
  const parsed = startAnswer.safeParse(json);
  if (!parsed.success) return unclear(problem);
  const { payment_url: url, pay_token: payToken } = parsed.data;
  const isAllowed = URL.canParse(url) && asked.checkoutOrigins.includes(new URL(url).origin);
  return isAllowed ? { kind: 'page', url, payToken } : unclear('a link to a place that is not on the list');
}

/** The amount is part of the request, so the response does not repeat it. */
export function readStatus(answer: HttpAnswer, asked: { reference: string; payToken: string }): EnquiryOutcome {
  const { json, problem } = bodyOf(answer);
  const parsed = statusAnswer.safeParse(json);
  if (!parsed.success) return unclear(problem);
  const { status, order_id, txnid } = parsed.data;
  if (order_id !== asked.reference) return unclear('the answer is about another payment');
  switch (status) {
    case 'SUCCESS':
      if (!txnid || !token.safeParse(txnid).success) return unclear('SUCCESS without a transaction number');
      // Both are needed for a refund and for another enquiry.
      return { kind: 'paid', providerReference: `${asked.payToken} ${txnid}`, amount: null, currency: null };
    case 'FAILED':
      return { kind: 'refused', reason: 'refusedByProvider' };
    case 'EXPIRED':
      return { kind: 'refused', reason: 'expired' };
    case 'INITIATED':
    case 'PENDING':
      return { kind: 'pending' };
    default:
      return unclear(status);
  }
}

export function readRefund(answer: HttpAnswer, asked: { reference: string }): RefundOutcome {
  const { json, problem } = bodyOf(answer);
  const parsed = refundAnswer.safeParse(json);
  if (!parsed.success) return unclear(problem);
  return parsed.data.order_id === asked.reference
    ? { kind: 'refunded' }
    : unclear('the answer is about another payment');
}
