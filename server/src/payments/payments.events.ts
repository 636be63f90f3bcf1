import type { PaymentEvent, PaymentState } from '@portal/domain/payment/transitions.ts';
import type { Epoch } from '../db/epochs.ts';
import type { Logger } from '../http/logging.ts';
import type { Metrics } from '../http/metrics.ts';
import { traceEvent } from '../http/tracing.ts';
import type { CallbackVerdict } from './callback-inbox.ts';
import type { Quote } from './payments.quote.ts';
import { differenceKinds, type Report } from './payments.reconcile.ts';
import type { Payment } from './payments.store.ts';

export type PaymentEvents = ReturnType<typeof paymentEvents>;

/** One function for each thing that happens to a payment; log and metric are fed alike, and no number enters either. */
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
    leaseLost(payment: Payment) {
      leasesLost.inc();
      log.warn({ payment: payment.id }, 'a call was not made: the payment is held by somebody else');
    },
    callback(provider: string, verdict: CallbackVerdict) {
      callbacks.inc({ provider, verdict });
      // Anybody can send strays: they are counted, and do not fill the log.
      log[verdict === 'stray' ? 'debug' : 'info']({ provider, verdict }, 'callback received');
    },
    stepFailed(id: string, error: unknown) {
      failedSteps.inc();
      log.error({ payment: id, err: error }, 'payment step failed');
    },
  };
}

/** A database that is not the one seen last: what was open is asked about before anything is sent for it. */
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

/** What the daily comparison found; a difference is somebody's money, so it is an error whatever its size. */
export function reconciliationEvents(log: Logger, metrics: Metrics) {
  const unexplained = metrics.counter('portal_reconciliation_differences_total', 'Payments on which the books differ', [
    'what',
  ]);
  const incomplete = metrics.counter(
    'portal_reconciliation_incomplete_total',
    'Comparisons that somebody gave no answer for',
    [],
  );
  // An increase is only seen by whoever saw the figure before it.
  for (const what of differenceKinds) unexplained.inc({ what }, 0);
  const compared = (report: Report) => {
    for (const { what, reference } of report.differences) {
      unexplained.inc({ what });
      log.error({ job: 'reconcile', what, payment: reference }, 'the books differ');
    }
    const { day, taken, delivered, givenBack, unchecked, unanswered } = report;
    const figures = { job: 'reconcile', day, taken, delivered, givenBack, unchecked: unchecked.length };
    if (unanswered.length === 0) log.info(figures, 'a day compared');
    else {
      incomplete.inc();
      log.warn({ ...figures, unanswered: unanswered.length }, 'a day not compared in full, asked again in an hour');
    }
  };
  return {
    compared,
    /** The process that had begun with it ended before it was done. */
    abandoned(day: string) {
      incomplete.inc();
      log.error({ job: 'reconcile', day }, 'a comparison was broken off, begun again');
    },
    /** Not even begun with, or broken off: nobody knows what it would have found. */
    failed(error: unknown) {
      incomplete.inc();
      log.error({ job: 'reconcile', err: error }, 'days not compared, tried again in an hour');
    },
  };
}
