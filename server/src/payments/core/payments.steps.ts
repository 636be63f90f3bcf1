import { collectSteps } from './collect.steps.ts';
import { deliverySteps } from './delivery.steps.ts';
import type { Move, PaymentsDependencies } from './payments.dependencies.ts';
import type { Payment } from './payments.store.ts';
import { refundSteps } from './refund.steps.ts';
import { inEarlierEpoch, stepContext } from './step-context.ts';

/**
 * Maps each state to its next step: which provider to call, and what the response proves. Only `move` writes states. A
 * step returns the payment if the next step is due at once, and null if it has to wait.
 */
export function paymentSteps(deps: PaymentsDependencies, move: Move) {
  const { epochs } = deps;
  const context = stepContext(deps, move);
  const { step, isOfOtherEpoch, mayRepeatLostAttempt } = context;
  const { deliver, findOutDelivery, lookUpDeliveryFirst, isSettledBy } = deliverySteps(context);
  const { start, enquire, lookForLateMoney, enquireOrderFirst, resume } = collectSteps(context, isSettledBy);
  const { refund, findOutRefund, lookUpRefundFirst } = refundSteps(context);

  async function next(payment: Payment): Promise<Payment | null> {
    const { number: epoch } = await epochs.current();
    switch (payment.state) {
      case 'CREATED':
        // This step makes no fenced call, so the epoch is checked here.
        await epochs.check();
        if (await isOfOtherEpoch(payment)) return enquireOrderFirst(payment);
        return payment.released_at ? resume(payment) : step(payment, 'expire', { reason: 'orderExpired' });
      case 'SUBMITTING':
        return step(payment, 'lose', (await mayRepeatLostAttempt(payment)) ? { patch: inEarlierEpoch(payment) } : {});
      case 'AWAITING_PAYER':
      case 'UNKNOWN':
        return enquire(payment);
      case 'PAID':
        return payment.epoch === epoch ? deliver(payment, epoch) : lookUpDeliveryFirst(payment);
      case 'FULFILLING':
        return step(payment, 'loseDelivery');
      case 'FULFIL_UNKNOWN':
        return findOutDelivery(payment);
      case 'REFUND_DUE':
        // Ordered by a person after one that may have arrived, or possibly sent in an earlier epoch.
        return payment.epoch === epoch && payment.refund_sent_at === null
          ? refund(payment, epoch)
          : lookUpRefundFirst(payment);
      case 'REFUND_UNKNOWN':
        return findOutRefund(payment);
      case 'REFUNDING':
        return step(payment, 'loseRefund');
      case 'FAILED':
        return lookForLateMoney(payment);
      case 'SUCCEEDED':
      case 'REFUNDED':
      case 'REVIEW':
        return null;
    }
  }

  return { start, next, isSettledBy };
}
