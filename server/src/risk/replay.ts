import type { WireNumber } from '@portal/domain/msisdn.ts';
import { type Decision, decide, type RiskRules } from '@portal/domain/risk.ts';
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { countFacts, decidedOn } from './risk.store.ts';

export interface Replay {
  /** Payments that the rules decided on that day. */
  decided: number;
  changed: {
    payment: string;
    then: { decision: Decision; rule: string | null };
    now: { decision: Decision; rule: string | null };
  }[];
}

/**
 * Applies other rules to each payment by itself: with counts as of its own time and the answers about SIM and line that
 * were stored then. It does not model that a payment stopped by the new rules would not count for later ones.
 */
export async function replayDay(
  db: Kysely<Schema>,
  day: { from: Date; to: Date },
  rules: RiskRules,
  canBeAsked: (payerMsisdn: WireNumber | null) => boolean,
): Promise<Replay> {
  const decided = (await decidedOn(db, day)).filter(({ facts }) => facts !== null);
  const changed: Replay['changed'] = [];
  for (const { payment, facts, decision, rule, at } of decided) {
    if (!facts) continue;
    const counts = await countFacts(db, payment, { at, rules });
    const now = decide({ ...counts, lineHours: facts.lineHours, simSwap: facts.simSwap }, rules);
    if (now.decision === 'ask' && !canBeAsked(payment.payer_msisdn)) now.decision = 'hold';
    // A code that was entered means that the rules had asked for it.
    const then = { decision: decision === 'answered' ? ('ask' as const) : decision, rule };
    if (then.decision !== now.decision || then.rule !== now.rule) changed.push({ payment: payment.id, then, now });
  }
  return { decided: decided.length, changed };
}
