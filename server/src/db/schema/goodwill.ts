import type { Generated } from 'kysely';

export type GoodwillState = 'due' | 'sending' | 'unknown' | 'given' | 'refused' | 'stuck';

export interface GoodwillTable {
  /** The idempotency key at the charging system. */
  id: string;
  approval_id: string;
  payment_id: string;
  amount: number;
  currency: string;
  state: GoodwillState;
  version: Generated<number>;
  epoch: number;
  looks: Generated<number>;
  sent_at: Date | null;
  due_at: Date | null;
  created_at: Date;
  changed_at: Date;
  provider_reference: string | null;
}

export interface GoodwillTables {
  goodwill: GoodwillTable;
}
