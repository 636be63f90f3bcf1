import type { Logger } from '../http/logging.ts';
import type { Metrics } from '../http/metrics.ts';

export type BillEvents = ReturnType<typeof billEvents>;

/** Reasons that only the log has. The client gets one response for all of them. */
type Refusal = 'noToken' | 'otherToken' | 'invoiceGone' | 'accountMismatch' | 'accountUnknown';

export function billEvents(log: Logger, metrics: Metrics) {
  const refusals = metrics.counter(
    'portal_bills_not_told_total',
    'Bills and accounts that somebody could not show a right to',
    ['reason'],
  );
  return {
    refused(reason: Refusal) {
      refusals.inc({ reason });
      log.info({ reason }, 'bill not told');
    },
  };
}
