import type { Logger } from '../http/logging.ts';
import type { Metrics } from '../http/metrics.ts';
import type { AuditVerdict } from './audit.service.ts';

/** Publishes the length and head of the hash chain, so that a rewritten chain differs from what was published. */
export function auditEvents(log: Logger, metrics: Metrics) {
  const broken = metrics.counter('portal_audit_broken_total', 'Checks that found the audit not as it was written', []);
  // Starts at zero, because an alert sees an increase only with an earlier value.
  broken.inc({}, 0);
  return {
    verified({ rows, head, problem }: AuditVerdict) {
      if (!problem) return log.info({ job: 'audit', rows, head }, 'the audit is as it was written');
      broken.inc();
      log.error({ job: 'audit', rows, head, ...problem }, 'the audit is not as it was written');
    },
  };
}
