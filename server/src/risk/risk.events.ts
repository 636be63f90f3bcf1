import type { StoredDecision } from '../db/schema/payments.ts';
import type { Logger } from '../http/logging.ts';
import type { Metrics } from '../http/metrics.ts';

export type RiskEvents = ReturnType<typeof riskEvents>;

export function riskEvents(log: Logger, metrics: Metrics) {
  const decisions = metrics.counter(
    'portal_risk_decisions_total',
    'What was decided about payments before money moved',
    ['decision', 'rule'],
  );
  const unanswered = metrics.counter(
    'portal_sim_swap_unanswered_total',
    'Questions about a SIM swap that got no answer',
    [],
  );
  return {
    decided: (decision: StoredDecision, rule: string | null) => decisions.inc({ decision, rule: rule ?? 'none' }),
    notAnswered(payment: string, detail: string) {
      unanswered.inc();
      log.warn({ payment, call: 'sim swap', detail }, 'nobody said whether the SIM was swapped');
    },
  };
}
