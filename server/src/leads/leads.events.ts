import type { Logger } from '../http/logging.ts';
import type { Metrics } from '../http/metrics.ts';

export type LeadEvents = ReturnType<typeof leadEvents>;

/** Log and metrics identify a lead by its id only, without personal data. */
export function leadEvents(log: Logger, metrics: Metrics) {
  const leads = metrics.counter('portal_leads_total', 'Leads by what became of them', ['outcome']);
  return {
    stored(id: string, isFeasible: boolean) {
      leads.inc({ outcome: isFeasible ? 'feasible' : 'notFeasible' });
      log.info({ lead: id, isFeasible }, 'lead stored');
    },
    notQualified(id: string, { detail }: { detail: string }) {
      leads.inc({ outcome: 'byTownList' });
      log.warn({ lead: id, detail }, 'service qualification unclear, the list of towns decided');
    },
    accepted(id: string) {
      leads.inc({ outcome: 'accepted' });
      log.info({ lead: id }, 'lead handed over');
    },
    notAccepted(id: string, outcome: { kind: string; detail: string }) {
      leads.inc({ outcome: outcome.kind });
      const level = outcome.kind === 'refused' ? 'error' : 'warn';
      log[level]({ lead: id, detail: outcome.detail }, 'lead not handed over yet');
    },
  };
}
