import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import { z } from 'zod';
import type { HttpAnswer } from '../http-client.ts';
import type { EnquiryOutcome, RefundOutcome, StartOutcome } from '../ports.ts';

const status = z.object({
  success: z.boolean().optional(),
  result_code: z.string().optional(),
  response_code: z.string().optional(),
  message: z.string().optional(),
});

export const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });
export const keyAnswer = z.object({ data: z.object({ key_id: z.coerce.string(), key: z.string().min(1) }) });

const startAnswer = z.object({ status });
const enquiryAnswer = z.object({
  data: z
    .object({
      transaction: z
        .object({
          id: z.string().optional(),
          airtel_money_id: z.string().nullish(),
          status: z.string().optional(),
          // Coercing would read null, true and '' as amounts.
          amount: z
            .union([
              z.int(),
              z
                .string()
                .regex(/^\d{1,15}(\.0+)?$/)
                .transform(Number),
            ])
            .nullish(),
          currency: z.string().nullish(),
        })
        .optional(),
    })
    .nullish(),
  status,
});
export const callbackBody = z.object({
  transaction: z.object({ id: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/) }).loose(),
  hash: z.string().optional(),
});

/** Refusals that prove no money moved. A code that is not listed here proves nothing. */
const refusals: Record<string, PaymentReason> = {
  DP00800001002: 'wrongPin',
  DP00800001003: 'limitExceeded',
  DP00800001004: 'refusedByProvider',
  DP00800001005: 'refusedByProvider',
  DP00800001007: 'insufficientFunds',
  DP00800001008: 'declined',
  DP00800001012: 'noWallet',
  DP00800001026: 'refusedByProvider',
  DP00800001029: 'expired',
};
const notFound = 'DP00800001025';
const alreadyRefunded = 'DP00800001041';
const repeatedReference = 'ESB000041';

/** The acceptance says SUCCESS and only means "in process"; a repeated reference means "ask". */
export function readStart(answer: HttpAnswer): StartOutcome {
  if (answer.kind === 'silence') return { kind: 'unclear', detail: answer.detail };
  const parsed = startAnswer.safeParse(answer.json);
  if (!parsed.success || answer.status >= 500) return { kind: 'unclear', detail: `HTTP ${answer.status}` };
  const { success, result_code, response_code } = parsed.data.status;
  if (result_code === repeatedReference) return { kind: 'unclear', detail: repeatedReference };
  if (success === true) return { kind: 'await' };
  const reason = response_code ? refusals[response_code] : undefined;
  return reason ? { kind: 'refused', reason } : { kind: 'unclear', detail: response_code ?? `HTTP ${answer.status}` };
}

/** Decided on the transaction's own status; the outer SUCCESS only says that the question was understood. */
export function readEnquiry(answer: HttpAnswer, asked: { reference: string }): EnquiryOutcome {
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
      if (!transaction.id || !transaction.airtel_money_id || !transaction.amount || !transaction.currency)
        return { kind: 'unclear', detail: 'TS without amount, currency or id' };
      return {
        kind: 'paid',
        providerReference: transaction.airtel_money_id,
        amount: transaction.amount,
        currency: transaction.currency,
      };
    case 'TF':
      return { kind: 'refused', reason: refusals[code] ?? 'refusedByProvider' };
    case 'TE':
      return { kind: 'refused', reason: 'expired' };
    case 'TIP':
      return { kind: 'pending' };
    default:
      return { kind: 'unclear', detail: transaction.status };
  }
}

export function readRefund(answer: HttpAnswer): RefundOutcome {
  if (answer.kind === 'silence') return { kind: 'unclear', detail: answer.detail };
  const parsed = startAnswer.safeParse(answer.json);
  if (!parsed.success || answer.status >= 500) return { kind: 'unclear', detail: `HTTP ${answer.status}` };
  if (parsed.data.status.success === true || parsed.data.status.response_code === alreadyRefunded)
    return { kind: 'refunded' };
  return { kind: 'unclear', detail: parsed.data.status.response_code ?? `HTTP ${answer.status}` };
}
