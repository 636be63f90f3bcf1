import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import { z } from 'zod';
import { type CodeTable, meaningOf } from '../code-table.ts';
import type { HttpAnswer } from '../http-client.ts';
import { type DigitsOf, minorAmount } from '../major-amount.ts';
import type { EnquiryOutcome, RefundOutcome, StartOutcome, StatementEntry, WalletUsers } from '../ports.ts';
import { isUnsent, notReached } from '../unsent.ts';

const status = z.object({
  success: z.boolean().optional(),
  result_code: z.string().optional(),
  response_code: z.string().optional(),
  message: z.string().optional(),
});

export const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });
export const keyAnswer = z.object({ data: z.object({ key_id: z.coerce.string(), key: z.string().min(1) }) });

// Coercing would read null, true and '' as amounts.
const amount = z.union([z.number().transform(String), z.string().regex(/^\d{1,15}(\.\d+)?$/)]);

const startAnswer = z.object({ status });
const enquiryAnswer = z.object({
  data: z
    .object({
      transaction: z
        .object({
          id: z.string().optional(),
          airtel_money_id: z.string().nullish(),
          status: z.string().optional(),
          amount: amount.nullish(),
          currency: z.string().nullish(),
        })
        .optional(),
    })
    .nullish(),
  status,
});
const userAnswer = z.object({ data: z.object({ msisdn: z.string() }).nullish(), status });
/** Believed, from public clients: a total count and one page of transactions, newest or oldest first. */
const listAnswer = z.object({
  data: z.object({
    count: z.int().min(0),
    transactions: z.array(
      z.object({ transaction_id: z.string().min(1), amount, currency: z.string().min(1), status: z.string() }),
    ),
  }),
  status,
});
export const callbackBody = z.object({
  transaction: z.object({ id: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/) }).loose(),
  hash: z.string().optional(),
});

type Codes = CodeTable<PaymentReason>;

/** Refusals that prove that no money moved. A code that is neither here nor in the settings proves nothing. */
const refusals: Codes = {
  DP00800001002: 'wrongPin',
  DP00800001003: 'limitExceeded',
  DP00800001004: 'refusedByProvider',
  DP00800001005: 'refusedByProvider',
  DP00800001007: 'insufficientFunds',
  DP00800001008: 'declined',
  DP00800001009: 'declined',
  // "Barred" is the closest published code to a wallet locked by wrong PINs.
  DP00800001010: 'walletLocked',
  DP00800001012: 'noWallet',
  DP00800001026: 'refusedByProvider',
  DP00800001029: 'expired',
};
const notFound = 'DP00800001025';
const alreadyRefunded = 'DP00800001041';
const repeatedReference = 'ESB000041';
const success = 'DP00800001001';

function refusalOf(code: string | undefined, codes: Codes): PaymentReason | undefined {
  return meaningOf(codes, code) ?? meaningOf(refusals, code);
}

/** SUCCESS here only means "in process"; a repeated reference means "enquire". */
export function readStart(answer: HttpAnswer, asked: { codes: Codes; isDecided: boolean }): StartOutcome {
  if (isUnsent(answer)) return notReached;
  if (answer.kind === 'silence') return { kind: 'unclear', detail: answer.detail };
  const parsed = startAnswer.safeParse(answer.json);
  if (!parsed.success || answer.status >= 500) return { kind: 'unclear', detail: `HTTP ${answer.status}` };
  const { success, result_code, response_code } = parsed.data.status;
  if (result_code === repeatedReference) return { kind: 'unclear', detail: repeatedReference, isRepeated: true };
  if (success === true) return asked.isDecided ? { kind: 'await', isDecided: true } : { kind: 'await' };
  const reason = refusalOf(response_code, asked.codes);
  return reason ? { kind: 'refused', reason } : { kind: 'unclear', detail: response_code ?? `HTTP ${answer.status}` };
}

/** Decides by the transaction's own status; the outer SUCCESS only means that the request was understood. */
export function readEnquiry(
  answer: HttpAnswer,
  asked: { reference: string; codes: Codes; statesAmount: boolean; digitsOf: DigitsOf },
): EnquiryOutcome {
  if (answer.kind === 'silence') return { kind: 'unclear', detail: answer.detail };
  const parsed = enquiryAnswer.safeParse(answer.json);
  if (!parsed.success || answer.status >= 500) return { kind: 'unclear', detail: `HTTP ${answer.status}` };
  const transaction = parsed.data.data?.transaction;
  const code = parsed.data.status.response_code ?? '';
  if (!transaction?.status) return code === notFound ? { kind: 'notFound' } : { kind: 'unclear', detail: code };
  if (transaction.id !== undefined && transaction.id !== asked.reference)
    return { kind: 'unclear', detail: 'the answer is about another payment' };
  switch (transaction.status) {
    case 'TS':
      return readPaid(transaction, asked);
    case 'TF':
      return { kind: 'refused', reason: refusalOf(code, asked.codes) ?? 'refusedByProvider' };
    case 'TE':
      return { kind: 'refused', reason: 'expired' };
    case 'TIP':
      return { kind: 'pending' };
    default:
      return { kind: 'unclear', detail: transaction.status };
  }
}

function readPaid(
  transaction: NonNullable<NonNullable<z.infer<typeof enquiryAnswer>['data']>['transaction']>,
  asked: { statesAmount: boolean; digitsOf: DigitsOf },
): EnquiryOutcome {
  const { id, airtel_money_id: providerReference, amount: stated, currency } = transaction;
  if (!id || !providerReference) return { kind: 'unclear', detail: 'TS without its ids' };
  const amount = stated && currency ? minorAmount(stated, asked.digitsOf(currency)) : null;
  if (amount && currency) return { kind: 'paid', providerReference, amount, currency };
  const isSilent = (stated === undefined || stated === null) && (currency === undefined || currency === null);
  if (asked.statesAmount || !isSilent) return { kind: 'unclear', detail: 'TS without amount or currency' };
  return { kind: 'paid', providerReference, amount: null, currency: null };
}

export function readRefund(answer: HttpAnswer): RefundOutcome {
  if (answer.kind === 'silence') return { kind: 'unclear', detail: answer.detail };
  const parsed = startAnswer.safeParse(answer.json);
  if (!parsed.success || answer.status >= 500) return { kind: 'unclear', detail: `HTTP ${answer.status}` };
  if (parsed.data.status.success === true || parsed.data.status.response_code === alreadyRefunded)
    return { kind: 'refunded' };
  return { kind: 'unclear', detail: parsed.data.status.response_code ?? `HTTP ${answer.status}` };
}

export function readUser(
  answer: HttpAnswer,
  asked: { number: string; codes: Codes },
): Awaited<ReturnType<WalletUsers['hasWallet']>> {
  const parsed = answer.kind === 'answer' && answer.status < 500 ? userAnswer.safeParse(answer.json) : null;
  if (!parsed?.success) return 'unclear';
  const { data } = parsed.data;
  const { success: isAnswered, response_code } = parsed.data.status;
  if (isAnswered === true && response_code === success) return data?.msisdn === asked.number ? 'yes' : 'unclear';
  return isAnswered === false && refusalOf(response_code, asked.codes) === 'noWallet' ? 'no' : 'unclear';
}

const takenStatuses: CodeTable<{ isTaken: boolean; givenBack: boolean }> = {
  TS: { isTaken: true, givenBack: false },
  TR: { isTaken: true, givenBack: true },
  TF: { isTaken: false, givenBack: false },
  TE: { isTaken: false, givenBack: false },
  TIP: { isTaken: false, givenBack: false },
};

/** Null if unclear: a list with a gap would create false differences in the reconciliation. */
export function readStatementPage(
  answer: HttpAnswer,
  digitsOf: DigitsOf,
): { count: number; listed: number; entries: StatementEntry[] } | null {
  const parsed = answer.kind === 'answer' && answer.status < 400 ? listAnswer.safeParse(answer.json) : null;
  if (!parsed?.success || parsed.data.status.success !== true) return null;
  const { count, transactions } = parsed.data.data;
  const entries: StatementEntry[] = [];
  for (const { transaction_id: reference, amount: stated, currency, status } of transactions) {
    const meaning = meaningOf(takenStatuses, status);
    const amount = minorAmount(stated, digitsOf(currency));
    if (!meaning || amount === null) return null;
    if (meaning.isTaken) entries.push({ reference, amount, currency, givenBack: meaning.givenBack });
  }
  return { count, listed: transactions.length, entries };
}
