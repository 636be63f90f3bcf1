import type { WireNumber } from '@portal/domain/msisdn.ts';
import { type Decision, decide, type RiskRules } from '@portal/domain/risk.ts';
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { countFacts, decidedOn } from './risk.store.ts';

export interface Replay {
  /** Payments that the rules were asked about on that day. */
  decided: number;
  changed: {
    payment: string;
    then: { decision: Decision; rule: string | null };
    now: { decision: Decision; rule: string | null };
  }[];
}

/**
 * What other rules would have decided, each payment by itself: counts as of its own moment, and what was answered about SIM
 * and line at the time. That a payment which would have been stopped then would not have counted for the next is not followed.
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
    // A code that was given answers what was asked: the rules had asked.
    const then = { decision: decision === 'answered' ? ('ask' as const) : decision, rule };
    if (then.decision !== now.decision || then.rule !== now.rule) changed.push({ payment: payment.id, then, now });
  }
  return { decided: decided.length, changed };
}
