import { callLeaseSeconds } from '@portal/domain/payment/schedule.ts';
import { isFinal, next, type PaymentState } from '@portal/domain/payment/transitions.ts';
import * as ledger from './ledger.store.ts';
import * as claims from './order-claims.store.ts';
import type { Move, PaymentsDependencies, Step } from './payments.dependencies.ts';
import type { Payment } from './payments.store.ts';
import * as store from './payments.store.ts';

/** States that end without a delivery and release the order for another payment. */
const leavesOrder: readonly PaymentState[] = ['REFUND_DUE', 'REFUNDED', 'FAILED'];

/** The only writer of states. State, history, ledger and message are one transaction. Null: changed concurrently. */
export function paymentStateWriter(deps: PaymentsDependencies): Move {
  const { db, events, clock } = deps;

  /**
   * The customer may have got the same message before a restore. Rather none than two, since the status page shows it
   * too. A person's decision and a delivery made just now are new, so they are always announced, and so is a payment
   * that was ordered after the restore.
   */
  async function mayBeNotified(payment: Payment, { notice, settled }: Step): Promise<boolean> {
    if (settled || notice === 'delivered') return false;
    const { number, beganAt } = await deps.epochs.current();
    return payment.epoch !== number && payment.created_at < beganAt;
  }

  return async (payment, event, step = {}) => {
    const at = clock.now();
    const to = next(payment.state, event);
    const isMaybeNotified = step.notice && (await mayBeNotified(payment, step));
    const moved = await db.transaction().execute(async (transaction) => {
      const row = await store.movePayment(transaction, payment, {
        event,
        to,
        at,
        reason: step.reason,
        settled: step.settled,
        patch: { due_at: isFinal(to) || to === 'REVIEW' ? null : leaseEnd(clock), ...step.patch },
      });
      if (!row) return null;
      if (step.evidence) await store.insertEvidence(transaction, row, { ...step.evidence, at });
      if (step.posting) await ledger.insertPosting(transaction, row, step.posting, at);
      if (row.order_digest !== null && leavesOrder.includes(to)) await claims.releaseOrder(transaction, row.id);
      if (step.notice && !isMaybeNotified) await deps.notify(transaction, { paymentId: row.id, kind: step.notice });
      await step.also?.(transaction, row);
      return row;
    });
    if (moved) events.moved(moved, payment.state, event);
    return moved;
  };
}

/** When the lease ends. Until then its holder may call providers for the payment. */
export const leaseEnd = (clock: PaymentsDependencies['clock']): Date =>
  new Date(clock.now().getTime() + callLeaseSeconds * 1000);
