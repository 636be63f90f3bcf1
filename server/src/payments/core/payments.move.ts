import { callLeaseSeconds } from '@portal/domain/payment/schedule.ts';
import { isFinal, next, type PaymentState } from '@portal/domain/payment/transitions.ts';
import type { Move, PaymentsDependencies, Step } from './payments.dependencies.ts';
import type { Payment } from './payments.store.ts';
import * as store from './payments.store.ts';

/** Ends without a delivery: the order is free for another payment. */
const leavesOrder: readonly PaymentState[] = ['REFUND_DUE', 'REFUNDED', 'FAILED'];

/** The only writer of a state: state, history, books and message are one transaction. Null: somebody was quicker. */
export function paymentMove(deps: PaymentsDependencies): Move {
  const { db, events, clock } = deps;

  /**
   * In a past that is lost the customer may have been told the same: better once too seldom, since the page says it. What is done only
   * now was not told before: a person's decision, and a delivery that was just made. Who had to order anew is told anew.
   */
  async function mayBeTold(payment: Payment, { notice, settled }: Step): Promise<boolean> {
    if (settled || notice === 'delivered') return false;
    const { number, beganAt } = await deps.epochs.current();
    return payment.epoch !== number && payment.created_at < beganAt;
  }

  return async (payment, event, step = {}) => {
    const at = clock.now();
    const to = next(payment.state, event);
    const isTold = step.notice && (await mayBeTold(payment, step));
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
      if (step.posting) await store.insertPosting(transaction, row, step.posting, at);
      if (row.order_digest !== null && leavesOrder.includes(to)) await store.releaseOrder(transaction, row.id);
      if (step.notice && !isTold) await deps.notify(transaction, { paymentId: row.id, kind: step.notice });
      await step.also?.(transaction, row);
      return row;
    });
    if (moved) events.moved(moved, payment.state, event);
    return moved;
  };
}

/** Until then whoever holds a payment may call the outside for it. */
export const leaseEnd = (clock: PaymentsDependencies['clock']): Date =>
  new Date(clock.now().getTime() + callLeaseSeconds * 1000);
