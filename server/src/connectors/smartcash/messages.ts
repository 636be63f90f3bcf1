import { type PaymentReason, providerRefusals } from '@portal/domain/payment/reasons.ts';
import { z } from 'zod';
import { type CodeTable, meaningOf } from '../code-table.ts';
import type { HttpAnswer } from '../http-client.ts';
import type { EnquiryOutcome, RefundOutcome, StartOutcome, WalletUsers } from '../ports.ts';
import { isUnsent, notReached } from '../unsent.ts';

/** What a provider's code can mean; a code that is not in the table proves nothing. */
export const smartcashMeanings = [
  'accepted',
  'paid',
  'pending',
  'refunded',
  'notFound',
  'hasWallet',
  ...providerRefusals,
] as const;
export type SmartcashMeaning = (typeof smartcashMeanings)[number];
export type SmartcashCodes = CodeTable<SmartcashMeaning>;

/** 56D005 and 1006 are known codes of the provider; the others are the sandbox's, to be replaced by settings. */
export const defaultCodes: SmartcashCodes = {
  '56D005': 'wrongPin',
  '1006': 'walletLocked',
  SC000: 'paid',
  SC001: 'accepted',
  SC002: 'pending',
  SC003: 'refunded',
  SC004: 'hasWallet',
  SC101: 'declined',
  SC102: 'insufficientFunds',
  SC103: 'noWallet',
  SC104: 'limitExceeded',
  SC105: 'expired',
  SC106: 'refusedByProvider',
  SC201: 'notFound',
};

export const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });
export const keyAnswer = z.object({ key: z.string().min(1) });
export const callbackBody = z.object({ reference: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/) });

const codedAnswer = z.object({
  code: z.union([z.string(), z.int().transform(String)]),
  transaction: z
    .object({
      reference: z.string(),
      transactionId: z.string().nullish(),
      amount: z.int().min(1).nullish(),
      currency: z.string().nullish(),
    })
    .nullish(),
  user: z.object({ msisdn: z.string() }).nullish(),
});

type Read =
  | { kind: 'read'; meaning: SmartcashMeaning; answer: z.infer<typeof codedAnswer> }
  | { kind: 'unclear'; detail: string };

function read(answer: HttpAnswer, codes: SmartcashCodes): Read {
  if (answer.kind === 'silence') return { kind: 'unclear', detail: answer.detail };
  const parsed = codedAnswer.safeParse(answer.json);
  if (!parsed.success || answer.status >= 500) return { kind: 'unclear', detail: `HTTP ${answer.status}` };
  const meaning = meaningOf(codes, parsed.data.code);
  return meaning
    ? { kind: 'read', meaning, answer: parsed.data }
    : { kind: 'unclear', detail: `code ${parsed.data.code.slice(0, 20)}` };
}

function refusalOf(meaning: SmartcashMeaning): PaymentReason | null {
  return providerRefusals.find((reason) => reason === meaning) ?? null;
}

/**
 * The request contained the PIN, so there is nobody to wait for: even "paid" only means that the enquiry can follow at
 * once.
 */
export function readStart(answer: HttpAnswer, asked: { reference: string; codes: SmartcashCodes }): StartOutcome {
  if (isUnsent(answer)) return notReached;
  const outcome = read(answer, asked.codes);
  if (outcome.kind === 'unclear') return outcome;
  const { transaction } = outcome.answer;
  if (transaction && transaction.reference !== asked.reference)
    return { kind: 'unclear', detail: 'the answer is about another payment' };
  const reason = refusalOf(outcome.meaning);
  if (reason) return { kind: 'refused', reason };
  return ['accepted', 'paid', 'pending'].includes(outcome.meaning)
    ? { kind: 'await', isDecided: true }
    : { kind: 'unclear', detail: outcome.meaning };
}

export function readEnquiry(
  answer: HttpAnswer,
  asked: { reference: string; codes: SmartcashCodes },
): EnquiryOutcome | { kind: 'refunded' } {
  const outcome = read(answer, asked.codes);
  if (outcome.kind === 'unclear') return outcome;
  const { transaction } = outcome.answer;
  if (outcome.meaning === 'notFound') return { kind: 'notFound' };
  if (transaction?.reference !== asked.reference)
    return { kind: 'unclear', detail: 'the answer is not about this payment' };
  const reason = refusalOf(outcome.meaning);
  if (reason) return { kind: 'refused', reason };
  switch (outcome.meaning) {
    case 'paid': {
      const { transactionId, amount, currency } = transaction;
      if (!transactionId || !amount || !currency)
        return { kind: 'unclear', detail: 'paid without id, amount or currency' };
      return { kind: 'paid', providerReference: transactionId, amount, currency };
    }
    case 'refunded':
      return { kind: 'refunded' };
    case 'accepted':
    case 'pending':
      return { kind: 'pending' };
    default:
      return { kind: 'unclear', detail: outcome.meaning };
  }
}

export function readRefund(answer: HttpAnswer, asked: { reference: string; codes: SmartcashCodes }): RefundOutcome {
  const outcome = read(answer, asked.codes);
  if (outcome.kind === 'unclear') return outcome;
  const isOurs = outcome.answer.transaction?.reference === asked.reference;
  return isOurs && outcome.meaning === 'refunded'
    ? { kind: 'refunded' }
    : { kind: 'unclear', detail: `code ${outcome.answer.code.slice(0, 20)}` };
}

export function readUser(
  answer: HttpAnswer,
  asked: { number: string; codes: SmartcashCodes },
): Awaited<ReturnType<WalletUsers['hasWallet']>> {
  const outcome = read(answer, asked.codes);
  if (outcome.kind === 'unclear') return 'unclear';
  if (outcome.meaning === 'noWallet') return 'no';
  return outcome.meaning === 'hasWallet' && outcome.answer.user?.msisdn === asked.number ? 'yes' : 'unclear';
}
