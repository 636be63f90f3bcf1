import { hash } from 'node:crypto';
import { orderLifeSeconds } from '@portal/domain/payment/schedule.ts';
import { batched } from '../../db/batched.ts';
import { PortalError } from '../../http/portal-error.ts';
import { isOfBrowser } from '../../http/visits.ts';
import * as claims from './order-claims.store.ts';
import type { PaymentsDependencies } from './payments.dependencies.ts';
import type { Quote } from './payments.quote.ts';
import * as store from './payments.store.ts';
import { bringsLostAttempts } from './step-context.ts';

/** One press of Pay. `key` is its idempotency key and is sent with every retry. */
export interface Attempt {
  key: string;
  body: unknown;
}

export interface Order {
  id: string;
  amount: number;
  currency: string;
}

const repeatSeconds = 600;

/** Stores an order once, however often the request is repeated. */
export function paymentOrders(deps: PaymentsDependencies) {
  const { db, events, clock } = deps;
  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000);

  /** Inserting is idempotent, so a failed batch can be retried one by one. */
  const insertPayment = batched((orders: store.NewOrder[]) => store.insertPayments(db, orders), {
    atOnce: 4,
    most: 50,
  });

  async function findOrder(attempt: Attempt): Promise<Order | undefined> {
    const earlier = await store.findAttempt(db, 'initiate', attempt.key);
    if (!earlier) return undefined;
    const { body_hash, ...order } = earlier;
    return body_hash === hashOf(attempt) ? order : refuseKey();
  }

  const rowOf = (quote: Quote, references: { id: string; short: string }) => ({
    id: references.id,
    short_reference: references.short,
    state: 'CREATED' as const,
    version: 0,
    gateway: quote.gateway,
    payment_mode: quote.paymentMode,
    transaction_type: quote.transactionType,
    amount: quote.amount,
    currency: quote.currency,
    msisdn: quote.msisdn,
    payer_msisdn: quote.payerMsisdn,
    payer_proof: quote.payerProof,
    proof_digest: quote.proofDigest,
    email: quote.email,
    product_code: quote.productCode,
    description: quote.description,
    account_id: quote.accountId,
    invoice_number: quote.invoiceNumber,
    language: quote.language,
    visit: quote.visit,
    details: JSON.stringify(quote.details),
    order_id: quote.orderId,
    order_digest: quote.orderDigest,
    created_at: clock.now(),
    changed_at: clock.now(),
    due_at: inSeconds(orderLifeSeconds),
  });

  return {
    findOrder,

    async initiate(
      quote: Quote,
      attempt: Attempt,
      spendProof?: (transaction: store.Executor) => Promise<void>,
    ): Promise<Order> {
      const bodyHash = hashOf(attempt);
      const references = deps.referencesOf(`${attempt.key} ${bodyHash}`);
      const fresh = {
        payment: rowOf(quote, references),
        attempt: { operation: 'initiate', key: attempt.key, body_hash: bodyHash },
      };
      const open = () =>
        spendProof
          ? db.transaction().execute(async (transaction) => {
              await spendProof(transaction);
              const [inserted] = await store.insertPayments(transaction, [fresh]);
              return inserted;
            })
          : insertPayment(fresh);
      const inserted = await open().catch(async (error: unknown) => {
        if (!store.isWithoutEpoch(error)) throw error;
        await deps.epochs.check();
        return open();
      });
      if (!inserted) return (await findOrder(attempt)) ?? refuseKey();
      events.created(quote);
      return { id: references.id, amount: quote.amount, currency: quote.currency };
    },

    async refuseOrderPaid({ orderDigest, visit }: Quote): Promise<void> {
      // It may be an attempt that a restore lost and its provider has. It is stored, so that its provider is asked about
      // it, and is refused when it is to be paid.
      if (bringsLostAttempts(await deps.epochs.current(), clock.now())) return;
      const paidBy = orderDigest === null ? undefined : await claims.findOrderPaid(db, orderDigest);
      if (paidBy) throw orderPaid(paidBy, visit);
    },

    async findRepeat(quote: Quote, key: string): Promise<string | null> {
      if (!isOfBrowser(quote.visit)) return null;
      const price = quote.details.conversion?.price ?? quote.amount;
      return store.findRepeat(db, { ...quote, visit: quote.visit, price }, { key, since: inSeconds(-repeatSeconds) });
    },
  };
}

const hashOf = ({ body }: Attempt) => hash('sha256', JSON.stringify(body), 'hex');

/** The refusal names the payment that paid the order only to the browser that made it. */
export function orderPaid(paidBy: { id: string; visit: string | null }, visit: string | null): PortalError {
  const isOwn = isOfBrowser(visit) && paidBy.visit === visit;
  return new PortalError('orderPaid', isOwn ? { earlierTransactionId: paidBy.id } : {});
}

function refuseKey(): never {
  throw new PortalError('keyReused');
}
