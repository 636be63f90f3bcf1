import type { StoredPageWord } from '@portal/domain/payment/shown-status.ts';
import { endedBefore, periods } from '../retention/retention-periods.ts';
import { paymentCallbacks, type ReceivedCallback } from './callbacks/callbacks.service.ts';
import type { PaymentsDependencies } from './core/payments.dependencies.ts';
import { type Attempt, type Order, paymentOrders } from './core/payments.orders.ts';
import { type PayerInput, paymentProcess } from './core/payments.process.ts';
import type { Quote } from './core/payments.quote.ts';
import { paymentRunner } from './core/payments.runner.ts';
import { paymentStateWriter } from './core/payments.state-writer.ts';
import { paymentSteps } from './core/payments.steps.ts';
import type { Payment } from './core/payments.store.ts';
import * as store from './core/payments.store.ts';
import { type Deciding, paymentReview } from './review/payments.review.ts';

export { referencesBy } from './core/payment-id.ts';
export type { PaymentsDependencies } from './core/payments.dependencies.ts';
export type { Attempt, Order } from './core/payments.orders.ts';
export type { Quote } from './core/payments.quote.ts';
export { makeOpenDue, type Payment } from './core/payments.store.ts';
export { goodwillCredits, goodwillEnds, refunds } from './desk/payments.approvables.ts';
export { createGoodwill, type Goodwill } from './goodwill/payments.goodwill.ts';
export { reconcileDay } from './reconcile/payments.reconcile.ts';
export { DecisionRefused } from './review/payments.review.ts';

export interface Payments {
  /** Idempotent: the same key with the same body returns the same order. The proof is spent in the same transaction. */
  initiate(quote: Quote, attempt: Attempt, spendProof?: (transaction: store.Executor) => Promise<void>): Promise<Order>;
  /** The order of an earlier request with this key, in whatever state. Refused if its body differs. */
  findOrder(attempt: Attempt): Promise<Order | undefined>;
  /**
   * Starts the payment once; `already` if an earlier call did. Responds within about two seconds. Initiate fixed who
   * pays what for whom: only a PIN, a code that was asked for, and the client's networks can be added.
   */
  process(id: string, added?: PayerInput): Promise<{ payment: Payment; already: boolean }>;
  /** Refuses another attempt of a paid order. Its own visit is told which payment paid it. */
  refuseOrderPaid(quote: Quote): Promise<void>;
  /** The same purchase from the same browser within ten minutes, as another order; failed ones do not count. */
  findRepeat(quote: Quote, key: string): Promise<string | null>;
  /**
   * Makes an open payment's next enquiry due now. `returned` has a higher floor, because every page reload sends it.
   */
  enquireSoon(id: string, because?: 'returned'): Promise<void>;
  /**
   * Stores how the payer's browser came back from the gateway's page. It is shown until the outcome is known, and
   * decides nothing.
   */
  storePageWord(id: string, word: StoredPageWord): Promise<void>;
  find(id: string): Promise<store.PaymentRecord | undefined>;
  /** The id of the payment with this short reference, as printed in SMS. */
  idOf(reference: string): Promise<string | undefined>;
  receiveCallback(callback: ReceivedCallback): Promise<void>;
  /** Processes payments that are due, and waits for them. Returns how many there were. */
  sweep(most: number): Promise<number>;
  /** The same without waiting. A gateway that hangs uses up only its own share of the sweep. */
  sweepOn(): Promise<void>;
  /** Whether this request for home broadband may still be paid or delivered. */
  isOrderUnderWay(leadId: string): Promise<boolean>;
  /** Payments that wait for a person, oldest first. */
  listReview(most: number): Promise<Payment[]>;
  /** Applies a named person's decision to a payment in REVIEW. */
  decide(id: string, deciding: Deciding): Promise<Payment>;
  /** Enquires about a payment in REVIEW. Returns all evidence about it. */
  ask(id: string): Promise<store.StoredEvidence[]>;
  evidence(id: string): Promise<store.StoredEvidence[]>;
  /** Deletes callbacks and idempotency keys after their retention period. */
  deleteExpired(): Promise<void>;
  /** Resolves when all work started by this process is done. */
  drain(): Promise<void>;
}

export function createPayments(deps: PaymentsDependencies): Payments {
  const { db, clock } = deps;
  const move = paymentStateWriter(deps);
  const steps = paymentSteps(deps, move);
  const runner = paymentRunner(deps, steps);
  const { enquireSoon, sweep, sweepOn, drain } = runner;

  return {
    ...paymentOrders(deps),
    process: paymentProcess(deps, { move, steps, runner }),
    ...{ enquireSoon, sweep, sweepOn, drain },
    ...paymentCallbacks(deps, runner),
    ...paymentReview(deps, move),
    storePageWord: (id, word) => store.storePageWord(db, id, word),
    find: (id) => store.findPaymentWithChanges(db, id),
    idOf: (reference) => store.findIdByReference(db, reference),
    listReview: (most) => store.listReview(db, most),
    isOrderUnderWay: (leadId) => store.isOrderUnderWay(db, leadId),
    evidence: (id) => store.evidenceOf(db, id),

    deleteExpired() {
      const now = clock.now();
      return store.deleteExpired(db, {
        callbacks: endedBefore(periods.callbacks, now),
        keys: endedBefore(periods.idempotency_keys, now),
      });
    },
  };
}
