import { endedBefore, periods } from '../db/periods.ts';
import type { ReceivedCallback } from './core/callback-inbox.ts';
import type { PaymentsDependencies } from './core/payments.dependencies.ts';
import { paymentMove } from './core/payments.move.ts';
import { type Attempt, type Order, paymentOrders } from './core/payments.orders.ts';
import { type Added, paymentProcess } from './core/payments.process.ts';
import type { Quote } from './core/payments.quote.ts';
import { paymentRunner } from './core/payments.runner.ts';
import { paymentSteps } from './core/payments.steps.ts';
import type { Payment } from './core/payments.store.ts';
import * as store from './core/payments.store.ts';
import { type Deciding, paymentReview } from './review/payments.review.ts';

export { referencesBy } from './core/payment-id.ts';
export type { PaymentsDependencies } from './core/payments.dependencies.ts';
export type { Attempt, Order } from './core/payments.orders.ts';
export type { Quote } from './core/payments.quote.ts';
export { hurryOpen, type Payment } from './core/payments.store.ts';
export { goodwillCredits, refunds } from './desk/payments.refunds.ts';
export { createGoodwill, type Goodwill } from './goodwill/payments.goodwill.ts';
export { reconcileDay } from './reconcile/payments.reconcile.ts';
export { DecisionRefused } from './review/payments.review.ts';

export interface Payments {
  /** The same key with the same body gives the same order. The proof is spent with it. */
  initiate(quote: Quote, attempt: Attempt, spendProof?: (transaction: store.Executor) => Promise<void>): Promise<Order>;
  /** What the attempt was answered before, whatever has become of it; refused where it had another body. */
  findOrder(attempt: Attempt): Promise<Order | undefined>;
  /**
   * Starts the payment once; `already` when an earlier call did. Answers within about two seconds. Who pays what for whom
   * was settled by initiate: all that can be added is a PIN, a fresh code that was asked for, and which networks asked.
   */
  process(id: string, added?: Added): Promise<{ payment: Payment; already: boolean }>;
  /** Refuses another attempt of an order that was paid; its own visit is told by which payment. */
  refuseOrderPaid(quote: Quote): Promise<void>;
  /** The same purchase from the same browser within ten minutes, as another order; failed ones do not count. */
  findRepeat(quote: Quote, key: string): Promise<string | null>;
  /** Brings an open payment's next look forward; `returned` is no more than the browser's word, which comes with each reload. */
  hurry(id: string, because?: 'returned'): Promise<void>;
  find(id: string): Promise<store.PaymentRecord | undefined>;
  /** Of the payment with this short reference, as an SMS names it. */
  idOf(reference: string): Promise<string | undefined>;
  receiveCallback(callback: ReceivedCallback): Promise<void>;
  /** One sweep over what is due; gives how many payments it looked at, once it is through with them. */
  sweep(most: number): Promise<number>;
  /** The same without waiting for them: what hangs keeps its own gateway's share busy, and nobody else's. */
  sweepOn(): Promise<void>;
  /** Whether money for this request for home broadband may still come, or what was paid for be brought. */
  isOrderUnderWay(leadId: string): Promise<boolean>;
  /** Payments that wait for a person, oldest first. */
  listReview(most: number): Promise<Payment[]>;
  /** A named person's decision about a payment that waits for one. */
  decide(id: string, deciding: Deciding): Promise<Payment>;
  /** Asks the provider of a payment that waits for a person; gives all that was ever stated about it. */
  ask(id: string): Promise<store.StoredEvidence[]>;
  evidence(id: string): Promise<store.StoredEvidence[]>;
  /** Drops callbacks and attempt keys that nobody will ask about any more. */
  forgetOld(): Promise<void>;
  /** Resolves when no call started here is under way. */
  drain(): Promise<void>;
}

export function createPayments(deps: PaymentsDependencies): Payments {
  const { db, clock } = deps;
  const move = paymentMove(deps);
  const steps = paymentSteps(deps, move);
  const runner = paymentRunner(deps, steps);
  const { hurry, receiveCallback, sweep, sweepOn, drain } = runner;

  return {
    ...paymentOrders(deps),
    process: paymentProcess(deps, { move, steps, runner }),
    ...{ hurry, receiveCallback, sweep, sweepOn, drain },
    ...paymentReview(deps, move),
    find: (id) => store.findPaymentWithChanges(db, id),
    idOf: (reference) => store.findIdByReference(db, reference),
    listReview: (most) => store.listReview(db, most),
    isOrderUnderWay: (leadId) => store.isOrderUnderWay(db, leadId),
    evidence: (id) => store.evidenceOf(db, id),

    forgetOld() {
      const now = clock.now();
      return store.forgetOld(db, {
        callbacks: endedBefore(periods.callbacks, now),
        keys: endedBefore(periods.idempotency_keys, now),
      });
    },
  };
}
