import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';

/** Thrown in the transaction that would have submitted a payment, which it undoes; what was decided is kept after it. */
export class RiskStop extends Error {
  readonly decision: 'ask' | 'hold';
  readonly keep: (executor: Kysely<Schema>) => Promise<void>;

  constructor(decision: 'ask' | 'hold', keep: RiskStop['keep']) {
    super(`stopped by the rules about risk: ${decision}`);
    this.decision = decision;
    this.keep = keep;
  }
}
