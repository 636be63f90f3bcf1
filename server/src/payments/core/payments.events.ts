import type { PaymentEvent, PaymentState } from '@portal/domain/payment/transitions.ts';
import type { Epoch } from '../../db/epochs.ts';
import type { GoodwillState } from '../../db/schema/goodwill.ts';
import type { Logger } from '../../http/logging.ts';
import type { Metrics } from '../../http/metrics.ts';
import { traceEvent } from '../../http/tracing.ts';
import type { CallbackVerdict } from '../callbacks/callbacks.store.ts';
import type { Quote } from './payments.quote.ts';
import type { Payment } from './payments.store.ts';

export type PaymentEvents = ReturnType<typeof paymentEvents>;

/** One function for each payment event. It feeds both log and metrics, and neither gets a phone number. */
export function paymentEvents(log: Logger, metrics: Metrics) {
  const moves = metrics.counter('portal_payment_moves_total', 'Payments that changed state', ['gateway', 'from', 'to']);
  const created = metrics.counter('portal_payments_created_total', 'Orders stored', ['gateway', 'type']);
  const unclear = metrics.counter('portal_provider_unclear_total', 'Provider answers that prove nothing', [
    'gateway',
    'call',
  ]);
  const callbacks = metrics.counter('portal_callbacks_total', 'Callbacks received', ['provider', 'verdict']);
  const failedSteps = metrics.counter('portal_payment_steps_failed_total', 'Steps that ended in an error of ours', []);
  const leasesLost = metrics.counter('portal_payment_leases_lost_total', 'Calls not made, their lease being over', []);
  return {
    created(quote: Quote) {
      created.inc({ gateway: quote.gateway, type: quote.transactionType });
    },
    moved(payment: Payment, from: PaymentState, event: PaymentEvent) {
      moves.inc({ gateway: payment.gateway, from, to: payment.state });
      traceEvent('payment moved', { from, to: payment.state, event });
      const level = payment.state === 'REVIEW' ? 'error' : 'info';
      log[level]({ payment: payment.id, from, to: payment.state, event, reason: payment.reason }, 'payment moved');
    },
    unclear(payment: Payment, call: string, detail: string) {
      unclear.inc({ gateway: payment.gateway, call });
      log.warn({ payment: payment.id, call, detail }, 'provider answer unclear');
    },
    credited(paymentId: string, state: GoodwillState) {
      const level = state === 'refused' || state === 'stuck' ? 'error' : 'info';
      log[level]({ payment: paymentId, state }, 'goodwill credit moved');
    },
    leaseLost(payment: Pick<Payment, 'id'>) {
      leasesLost.inc();
      log.warn({ payment: payment.id }, 'a call was not made: the payment is held by somebody else');
    },
    callback(provider: string, verdict: CallbackVerdict) {
      callbacks.inc({ provider, verdict });
      // Anybody can send stray callbacks, so they are counted but kept out of the log.
      log[verdict === 'stray' ? 'debug' : 'info']({ provider, verdict }, 'callback received');
    },
    stepFailed(id: string, error: unknown) {
      failedSteps.inc();
      log.error({ payment: id, err: error }, 'payment step failed');
    },
  };
}

/** A new epoch began: open payments are looked up before anything is sent for them. */
export function epochEvents(log: Logger, metrics: Metrics) {
  const begun = metrics.counter('portal_epochs_total', 'Epochs of the database that this process began', ['restored']);
  for (const restored of ['true', 'false']) begun.inc({ restored }, 0);
  return ({ number, isRestored, openPayments }: Epoch, droppedMessages: number) => {
    begun.inc({ restored: `${isRestored}` });
    const found = { epoch: number, openPayments, droppedMessages };
    if (isRestored) log.error(found, 'the database comes from an earlier moment: providers are asked first');
    else log.warn(found, 'the database server was started again: providers are asked first');
  };
}
