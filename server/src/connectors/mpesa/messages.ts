import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import { z } from 'zod';
import { type CodeTable, meaningOf } from '../code-table.ts';
import type { HttpAnswer } from '../http-client.ts';
import { minorAmount } from '../major-amount.ts';
import type { EnquiryOutcome, RefundOutcome, StartOutcome } from '../ports.ts';
import { isUnsent, notReached } from '../unsent.ts';

export const receiptPattern = /^[A-Z0-9]{8,12}$/;

/** Codes are numbers or strings, sometimes both in one exchange. */
const code = z.union([z.string(), z.int().transform(String)]);

export const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

const errorAnswer = z.object({ errorCode: z.string(), errorMessage: z.string().optional() });
const pushAnswer = z.object({ ResponseCode: code, CheckoutRequestID: z.string().min(1) });
const queryAnswer = z.object({ ResponseCode: code, ResultCode: code, CheckoutRequestID: z.string() });
const reversalAnswer = z.object({ ResponseCode: code });
const row = z.object({
  transactionId: z.string().min(1),
  transactiontype: z.string().nullish(),
  billreference: z.union([z.string(), z.number().transform(String)]).nullish(),
  // A stranger's row must not invalidate the list, so an amount that is not whole is read as null.
  amount: z
    .union([z.int().min(1), z.string().regex(/^\d{1,15}(\.0+)?$/)])
    .nullable()
    .catch(null),
});
/** Observed as a list of rows and as a list of lists. */
const pullAnswer = z.object({ ResponseCode: code, Response: z.array(z.union([row, z.array(row)])) });

export interface PulledRow {
  transactionId: string;
  billReference: string;
  amount: number | null;
  isReversal: boolean;
}

/** Results of a push that prove that no money moved. A code that is not listed proves nothing. */
const refusals: CodeTable<PaymentReason> = {
  '1': 'insufficientFunds',
  '1001': 'requestOpen',
  '1019': 'expired',
  '1032': 'declined',
  '1037': 'expired',
  '2001': 'wrongPin',
  '8006': 'walletLocked',
};
const stillWaiting = '500.001.1001';
const invalidRequest = '400.002.02';
const invalidToken = ['404.001.03', '400.003.01'];
const alreadyReversed = 'R000001';
const pulled = '1000';

/** Daraja responds 401, 400 or 404 to an unknown token; the error code distinguishes it. */
export function isTokenRefused(answer: HttpAnswer): boolean {
  if (answer.kind === 'silence') return false;
  return answer.status === 401 || (answer.status < 500 && invalidToken.includes(errorCodeOf(answer.json) ?? ''));
}

export function readPush(answer: HttpAnswer): StartOutcome {
  if (isUnsent(answer)) return notReached;
  if (answer.kind === 'silence') return { kind: 'unclear', detail: answer.detail };
  const error = errorAnswer.safeParse(answer.json);
  if (error.success && answer.status === 400 && error.data.errorCode === invalidRequest) {
    const isNumber = /invalid phonenumber$/i.test(error.data.errorMessage ?? '');
    return { kind: 'refused', reason: isNumber ? 'noWallet' : 'refusedByProvider' };
  }
  const parsed = pushAnswer.safeParse(answer.json);
  if (!parsed.success || answer.status >= 400 || parsed.data.ResponseCode !== '0')
    return { kind: 'unclear', detail: detailOf(answer) };
  return { kind: 'await', providerReference: parsed.data.CheckoutRequestID };
}

/** The response has no amount; the list of transactions has it. */
export function readQuery(answer: HttpAnswer, asked: { checkoutRequestId: string }): EnquiryOutcome {
  if (answer.kind === 'silence') return { kind: 'unclear', detail: answer.detail };
  if (errorCodeOf(answer.json) === stillWaiting) return { kind: 'pending' };
  const parsed = queryAnswer.safeParse(answer.json);
  if (!parsed.success || answer.status >= 400 || parsed.data.ResponseCode !== '0')
    return { kind: 'unclear', detail: detailOf(answer) };
  const { CheckoutRequestID, ResultCode } = parsed.data;
  if (CheckoutRequestID !== asked.checkoutRequestId)
    return { kind: 'unclear', detail: 'the answer is about another payment' };
  if (ResultCode === '0') return { kind: 'paid', providerReference: CheckoutRequestID, amount: null, currency: null };
  const reason = meaningOf(refusals, ResultCode);
  return reason ? { kind: 'refused', reason } : { kind: 'unclear', detail: `result ${ResultCode.slice(0, 20)}` };
}

const callbackItem = z.object({ Name: z.string(), Value: z.unknown().optional() });
const stkCallback = z.object({
  Body: z.object({
    stkCallback: z.object({
      CheckoutRequestID: z.string(),
      ResultCode: code,
      CallbackMetadata: z.object({ Item: z.array(callbackItem) }),
    }),
  }),
});

/** Receipt and amount from the callbacks of a paid push; null if none states them, or two differ. */
export function readCallbacks(
  bodies: readonly unknown[],
  { checkoutRequestId, digits }: { checkoutRequestId: string; digits: number },
): { receipt: string; amount: number } | null {
  const stated = bodies.flatMap((body) => {
    const { data } = stkCallback.safeParse(body);
    const callback = data?.Body.stkCallback;
    if (callback?.CheckoutRequestID !== checkoutRequestId || callback.ResultCode !== '0') return [];
    const items = new Map(callback.CallbackMetadata.Item.map(({ Name, Value }) => [Name, Value]));
    const amount = z.number().positive().safeParse(items.get('Amount')).data;
    const receipt = z.string().regex(receiptPattern).safeParse(items.get('MpesaReceiptNumber')).data;
    const minor = amount === undefined ? null : minorAmount(amount, digits);
    return minor === null || receipt === undefined ? [] : [{ receipt, amount: minor }];
  });
  const [first] = stated;
  const isOne = stated.every(({ receipt, amount }) => receipt === first?.receipt && amount === first.amount);
  return first && isOne ? first : null;
}

/** Only "already reversed" is proof. Acceptance means only that the request was read; its result comes later. */
export function readReversal(answer: HttpAnswer): RefundOutcome {
  if (answer.kind === 'silence') return { kind: 'unclear', detail: answer.detail };
  if (answer.status >= 500) return { kind: 'unclear', detail: detailOf(answer) };
  const parsed = reversalAnswer.safeParse(answer.json);
  const code = parsed.success ? parsed.data.ResponseCode : errorCodeOf(answer.json);
  if (code === alreadyReversed) return { kind: 'refunded' };
  const isAccepted = answer.status < 400 && code === '0';
  return { kind: 'unclear', detail: isAccepted ? 'the reversal was accepted' : detailOf(answer) };
}

export function readPullPage(answer: HttpAnswer, digits: number): PulledRow[] | null {
  const parsed = answer.kind === 'answer' && answer.status < 400 ? pullAnswer.safeParse(answer.json) : null;
  if (!parsed?.success || parsed.data.ResponseCode !== pulled) return null;
  return parsed.data.Response.flat().map(({ transactionId, transactiontype, billreference, amount }) => ({
    transactionId,
    billReference: billreference ?? '',
    amount: amount === null ? null : minorAmount(amount, digits),
    isReversal: /revers/i.test(transactiontype ?? ''),
  }));
}

export type Found =
  | { kind: 'debit'; receipt: string; amount: number }
  | { kind: 'reversed'; receipt: string; amount: number }
  | { kind: 'none' }
  | { kind: 'doubt'; detail: string };

/** Finds one payment in the list. Anybody can pay the shop under any reference, so two debits are unclear. */
export function findPayment(rows: readonly PulledRow[], shortReference: string): Found {
  const wanted = shortReference.toLowerCase();
  const ours = rows.filter(({ billReference }) => billReference.toLowerCase() === wanted);
  const reversals = ours.filter(({ isReversal }) => isReversal);
  const [debit, second] = ours.filter(({ isReversal }) => !isReversal);
  if (ours.length === 0) return { kind: 'none' };
  if (!debit || second || reversals.length > 1) return { kind: 'doubt', detail: `${ours.length} rows for one payment` };
  const { transactionId: receipt, amount } = debit;
  if (!amount) return { kind: 'doubt', detail: 'an amount that is not whole' };
  const [reversal] = reversals;
  if (!reversal) return { kind: 'debit', receipt, amount };
  return reversal.amount === amount
    ? { kind: 'reversed', receipt, amount }
    : { kind: 'doubt', detail: 'reversed by another amount' };
}

function errorCodeOf(json: unknown): string | undefined {
  return errorAnswer.safeParse(json).data?.errorCode;
}

function detailOf(answer: { status: number; json: unknown }): string {
  return errorCodeOf(answer.json)?.slice(0, 20) ?? `HTTP ${answer.status}`;
}
