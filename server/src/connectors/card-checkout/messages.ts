import { parseMajor } from '@portal/domain/money.ts';
import { z } from 'zod';
import { referencePattern } from '../callback-parsing.ts';
import type { HttpAnswer } from '../http-client.ts';
import type { EnquiryOutcome, RefundLookup, RefundOutcome } from '../ports.ts';
import { isUnsent, notReached } from '../unsent.ts';

const identifier = z.union([z.int().positive(), z.string().regex(/^\d{1,20}$/)]).transform(String);
/** Kept as the text received: fractions of money must not become floats. */
const major = z.union([z.number().positive().transform(String), z.string()]);

const startAnswer = z.object({ status: z.literal('success'), data: z.object({ link: z.string() }) });
const transaction = z.object({
  id: identifier,
  tx_ref: z.string(),
  status: z.string(),
  amount: major,
  charged_amount: major.nullish(),
  currency: z.string().regex(/^[A-Z]{3}$/),
});
const enquiryAnswer = z.object({ status: z.literal('success'), data: transaction });
const attemptsAnswer = z.object({ status: z.literal('success'), data: z.array(transaction) });
/** The gateway has no error codes: this sentence is its response for a reference that nobody has tried to pay. */
const notFoundAnswer = z.object({
  status: z.literal('error'),
  message: z.literal('No transaction was found for this id'),
});
const refund = z.object({ tx_id: identifier, amount_refunded: major, status: z.string() });
const refundAnswer = z.object({ status: z.literal('success'), data: refund });
const refundsAnswer = z.object({ status: z.literal('success'), data: z.array(refund) });

export const callbackBody = z.object({ data: z.object({ tx_ref: z.string().regex(referencePattern) }) });

const unclear = (detail: string) => ({ kind: 'unclear', detail }) as const;

/** The body of a 2xx response, or why there is none. */
function bodyOf(answer: HttpAnswer): { json: unknown; problem: string } {
  if (answer.kind === 'silence') return { json: undefined, problem: answer.detail };
  const isGood = answer.status >= 200 && answer.status < 300;
  return { json: isGood ? answer.json : undefined, problem: `HTTP ${answer.status}` };
}

function isNotFound(answer: HttpAnswer): boolean {
  return answer.kind === 'answer' && answer.status < 500 && notFoundAnswer.safeParse(answer.json).success;
}

/** Without the link nobody can pay. But a link lost on the way could still be used, so any other response is unclear. */
export function readStart(
  answer: HttpAnswer,
  asked: { checkoutOrigins: readonly string[] },
): { kind: 'link'; url: string } | { kind: 'unclear'; detail: string } | typeof notReached {
  if (isUnsent(answer)) return notReached;
  const { json, problem } = bodyOf(answer);
  const parsed = startAnswer.safeParse(json);
  if (!parsed.success) return unclear(problem);
  const { link } = parsed.data.data;
  const isAllowed = URL.canParse(link) && asked.checkoutOrigins.includes(new URL(link).origin);
  return isAllowed ? { kind: 'link', url: link } : unclear('a link to a place that is not on the list');
}

interface AskedPayment {
  reference: string;
  digits: number;
}

/** A failed attempt is not a failed payment: the customer may try another card on the same page. */
export function readVerification(answer: HttpAnswer, asked: AskedPayment): EnquiryOutcome | { kind: 'attemptFailed' } {
  if (isNotFound(answer)) return { kind: 'notFound' };
  const { json, problem } = bodyOf(answer);
  const parsed = enquiryAnswer.safeParse(json);
  return parsed.success ? readTransaction(parsed.data.data, asked) : unclear(problem);
}

/** All attempts under one reference: a paid one decides, and only if all have failed is their number returned. */
export function readAttempts(
  answer: HttpAnswer,
  asked: AskedPayment,
): EnquiryOutcome | { kind: 'attemptsFailed'; count: number } {
  const { json, problem } = bodyOf(answer);
  const parsed = attemptsAnswer.safeParse(json);
  if (!parsed.success) return unclear(problem);
  const outcomes = parsed.data.data.map((one) => readTransaction(one, asked));
  const other = outcomes.find(({ kind }) => kind === 'paid') ?? outcomes.find(({ kind }) => kind !== 'attemptFailed');
  if (other && other.kind !== 'attemptFailed') return other;
  return { kind: 'attemptsFailed', count: outcomes.length };
}

function readTransaction(
  data: z.output<typeof transaction>,
  asked: AskedPayment,
): EnquiryOutcome | { kind: 'attemptFailed' } {
  if (data.tx_ref !== asked.reference) return unclear('the answer is about another payment');
  switch (data.status) {
    case 'successful': {
      const amount = parseMajor(data.amount, asked.digits);
      const charged = parseMajor(data.charged_amount ?? data.amount, asked.digits);
      if (!amount || !charged || amount < 0 || charged < 0) return unclear('successful without an amount');
      // Fees may be added on top. An amount below the one asked for must not pass as the full amount.
      const taken = Math.min(amount, charged);
      return { kind: 'paid', providerReference: data.id, amount: taken, currency: data.currency };
    }
    case 'failed':
      return { kind: 'attemptFailed' };
    case 'pending':
      return { kind: 'pending' };
    default:
      return unclear(data.status);
  }
}

interface AskedRefund {
  transaction: string;
  amount: number;
  digits: number;
}

/** Refunds made so far; `notFound` allows requesting one. */
export function readRefunds(answer: HttpAnswer, asked: AskedRefund): RefundLookup {
  const { json, problem } = bodyOf(answer);
  const parsed = refundsAnswer.safeParse(json);
  if (!parsed.success) return unclear(problem);
  const open = parsed.data.data.filter((one) => one.tx_id === asked.transaction && one.status !== 'failed');
  if (open.length === 0) return { kind: 'notFound' };
  const completed = open.filter((one) => isCompleted(one.status));
  const given = completed.reduce((sum, one) => sum + (parseMajor(one.amount_refunded, asked.digits) ?? 0), 0);
  return given >= asked.amount ? { kind: 'refunded' } : unclear(`refund ${open.at(-1)?.status}`);
}

export function readRefund(answer: HttpAnswer, asked: AskedRefund): RefundOutcome {
  const { json, problem } = bodyOf(answer);
  const parsed = refundAnswer.safeParse(json);
  if (!parsed.success) return unclear(problem);
  const { tx_id, amount_refunded, status } = parsed.data.data;
  const isAll = tx_id === asked.transaction && (parseMajor(amount_refunded, asked.digits) ?? 0) >= asked.amount;
  return isAll && isCompleted(status) ? { kind: 'refunded' } : unclear(`refund ${status}`);
}

/** The status has the channel as a suffix: completed-momo, completed-bank-transfer. */
function isCompleted(status: string): boolean {
  return status === 'completed' || status.startsWith('completed-');
}
