import { collectSteps } from './collect.steps.ts';
import { deliverySteps } from './delivery.steps.ts';
import type { Move, PaymentsDependencies } from './payments.dependencies.ts';
import type { Payment } from './payments.store.ts';
import { refundSteps } from './refund.steps.ts';
import { ofLostPast, stepContext } from './step-context.ts';

/**
 * What each state asks for: which provider to call, and what its answer proves. The states are written by `move` alone.
 * A step gives the payment back when the next one is to be taken at once, and null when there is something to wait for.
 */
export function paymentSteps(deps: PaymentsDependencies, move: Move) {
  const { epochs } = deps;
  const context = stepContext(deps, move);
  const { step, isDoubted, mayBeRepeated } = context;
  const { deliver, findOutDelivery, doubtDelivery, isSettledBy } = deliverySteps(context);
  const { start, enquire, lookForLateMoney, doubtOrder, goOn } = collectSteps(context, isSettledBy);
  const { refund, findOutRefund, doubtRefund } = refundSteps(context);

  async function next(payment: Payment): Promise<Payment | null> {
    const { number: epoch } = await epochs.current();
    switch (payment.state) {
      case 'CREATED':
        // Nothing is sent that a fence would check, so it is asked here whether this is still the same past.
        await epochs.check();
        if (await isDoubted(payment)) return doubtOrder(payment);
        return payment.released_at ? goOn(payment) : step(payment, 'expire', { reason: 'orderExpired' });
      case 'SUBMITTING':
        return step(payment, 'lose', (await mayBeRepeated(payment)) ? { patch: ofLostPast(payment) } : {});
      case 'AWAITING_PAYER':
      case 'UNKNOWN':
        return enquire(payment);
      case 'PAID':
        return payment.epoch === epoch ? deliver(payment, epoch) : doubtDelivery(payment);
      case 'FULFILLING':
        return step(payment, 'loseDelivery');
      case 'FULFIL_UNKNOWN':
        return findOutDelivery(payment);
      case 'REFUND_DUE':
        return payment.epoch === epoch ? refund(payment, epoch) : doubtRefund(payment);
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
