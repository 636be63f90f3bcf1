import { randomUUID } from 'node:crypto';
import type { ParsedBodyOf, ResultOf } from '@portal/contract/contract.ts';
import type { PaymentMethod } from '@portal/domain/operator.ts';
import { PortalError } from '../../http/portal-error.ts';
import { isProved, type Proved } from '../../otp/otp.service.ts';
import {
  type Initiation,
  methodFor,
  nameOf,
  orderDigestOf,
  proofNeeded,
  type Quote,
  quoteFor,
} from '../core/payments.quote.ts';
import type { Attempt, Order } from '../payments.service.ts';
import { isClear, type PaymentContext } from './payments.context.ts';

/** Three calls take the same body and differ only in the proof they carry. */
export type Initiate = {
  body: ParsedBodyOf<'initiate'>;
  headers: Record<string, unknown>;
  ip: string;
  language: string;
};

/** Fixes who pays what for whom, and stores the order. No provider is called yet. */
export function initiating(context: PaymentContext) {
  const { payments, pack, otp, pins, methods, refuseLocked, notVerified } = context;
  const { announcements } = context.ways;

  async function initiate(request: Initiate, options: { mayToken: boolean }): Promise<ResultOf<'initiate'>> {
    const method = methodFor(request.body, methods);
    const needed = proofNeeded(method, pack);
    const sealed = request.body.paymentMobile ?? '';
    const body = { ...request.body, paymentMobile: isClear(sealed) ? sealed : await pins.openNumber(sealed) };
    const visit = context.visits.of(request);
    const given = request.headers['idempotency-key'];
    // Sealed tokens differ each time they are issued, so they are left out of the body hash. The amount and invoice
    // they stand for are in the body.
    const same = { ...body, exchangeQuote: undefined, invoiceToken: undefined };
    // The idempotency key is scoped to the visit, so that somebody else's key is of no use.
    const attempt = { key: `${visit}:${typeof given === 'string' ? given : randomUUID()}`, body: same };
    const order = await place({ ...request, body }, { method, needed, visit, attempt, ...options }).catch(
      async (error: unknown) => {
        // A retry gets the first response again, even if price, invoice or proof have changed since.
        const earlier = error instanceof PortalError ? await payments.findOrder(attempt) : undefined;
        if (!earlier) throw error;
        return earlier;
      },
    );
    return {
      transactionId: order.id,
      amount: order.amount,
      currencyCode: order.currency,
      encryptionKeyDetails: needed === 'token' ? await pins.challenge(order.id) : await pins.publicKey(),
    };
  }

  async function place(
    request: Omit<Initiate, 'body'> & { body: Initiation },
    how: {
      method: PaymentMethod;
      needed: ReturnType<typeof proofNeeded>;
      visit: string;
      attempt: Attempt;
      mayToken: boolean;
    },
  ): Promise<Order> {
    const { body, headers, language } = request;
    const { method, needed, visit, attempt } = how;
    await announcements.refuseClosed(method, language);
    const order = await quoteFor(body, { ...context, method, language, visit });
    const token = needed === 'token' && how.mayToken ? otp.openToken(headers.authorization) : null;
    const quote: Quote = {
      ...order,
      payerProof: needed === 'none' ? null : needed,
      proofDigest: token?.proofDigest ?? null,
      orderDigest: body.orderId ? orderDigestOf(order, body.orderId) : null,
    };
    if (needed === 'token') {
      if (!token || !isProved(token, provedBy(quote))) throw notVerified();
      await refuseLocked(method, quote.payerMsisdn ?? '');
    }
    await payments.refuseOrderPaid(quote);
    if (!body.confirmRepeat) {
      const earlier = await payments.findRepeat(quote, attempt.key);
      if (earlier)
        throw new PortalError('paidRecently', {
          earlierTransactionId: earlier,
        });
    }
    const wait = await context.limits.take('order', request.ip);
    if (wait !== null)
      throw new PortalError('tooManyThisMinute', {
        retryAfterSeconds: wait,
      });
    // Fetched before anything is stored, so that a failure here leaves no order without a response.
    await pins.publicKey();
    return payments.initiate(
      quote,
      attempt,
      needed === 'code'
        ? (transaction) => otp.spendProof(transaction, body.uniqueCode ?? '', provedBy(quote), attempt.key)
        : undefined,
    );
  }

  /** What a proof must match to pay this. */
  const provedBy = (quote: Quote): Proved => ({
    purpose: quote.paymentMode,
    subject: quote.payerMsisdn ?? '',
    visit: quote.visit,
    payment: nameOf(quote, pack).digest,
  });

  return initiate;
}
