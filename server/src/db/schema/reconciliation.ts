import type { Explanation } from '@portal/domain/payment/reconciliation-differences.ts';
import type { Generated } from 'kysely';
import type { Json } from './column-types.ts';

export interface ReconciliationTables {
  /** A row without a report is a day that a process is reconciling for the first time. */
  reconciliations: {
    day: string;
    done_at: Date | null;
    unexplained: number | null;
    report: Json<unknown> | null;
    claimed_until: Date | null;
  };
  reconciliation_work: {
    day: string;
    what: string;
    reference: string;
    version: Generated<number>;
    person: string | null;
    explanation: Explanation | null;
    note: string | null;
    changed_by: string;
    changed_at: Date;
  };
}
