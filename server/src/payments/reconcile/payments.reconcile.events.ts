import { differenceKinds } from '@portal/domain/payment/reconciliation-differences.ts';
import type { Logger } from '../../http/logging.ts';
import type { Metrics } from '../../http/metrics.ts';
import type { Report } from './payments.reconcile.ts';

/** Results of the daily comparison. A difference is a customer's money, so any amount is logged as an error. */
export function reconciliationEvents(log: Logger, metrics: Metrics) {
  const unexplained = metrics.counter('portal_reconciliation_differences_total', 'Payments on which the books differ', [
    'what',
  ]);
  const incomplete = metrics.counter(
    'portal_reconciliation_incomplete_total',
    'Comparisons that somebody gave no answer for',
    [],
  );
  // Start at zero, because Prometheus sees an increase only after an earlier sample.
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
    /** The process that was comparing the day died. */
    abandoned(day: string) {
      incomplete.inc();
      log.error({ job: 'reconcile', day }, 'a comparison was broken off, begun again');
    },
    /** The comparison failed or did not start, so its result is unknown. */
    failed(error: unknown) {
      incomplete.inc();
      log.error({ job: 'reconcile', err: error }, 'days not compared, tried again in an hour');
    },
  };
}
