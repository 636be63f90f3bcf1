import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import type { Payment } from './payments.store.ts';

type Executor = Kysely<Schema>;

export interface Booked {
  payment: Payment;
  /** The postings of the day. */
  kinds: string[];
}

export async function bookedBetween(db: Executor, from: Date, to: Date): Promise<Booked[]> {
  const rows = await db
    .selectFrom('payments')
    .selectAll('payments')
    .innerJoin(
      (one) =>
        one
          .selectFrom('ledger_postings')
          .select(['payment_id', sql<string[]>`array_agg(kind)`.as('kinds')])
          .where('at', '>=', from)
          .where('at', '<', to)
          .groupBy('payment_id')
          .as('booked'),
      (join) => join.onRef('booked.payment_id', '=', 'payments.id'),
    )
    .select('booked.kinds')
    .execute();
  return rows.map(({ kinds, ...payment }) => ({ payment, kinds }));
}

export async function findByReferences(
  db: Executor,
  gateway: string,
  references: string[],
): Promise<(Pick<Payment, 'id' | 'short_reference' | 'state'> & { isBooked: boolean })[]> {
  if (references.length === 0) return [];
  return db
    .selectFrom('payments')
    .select(['id', 'short_reference', 'state'])
    .select(
      sql<boolean>`exists (select from ledger_postings where payment_id = payments.id and kind = 'paid')`.as(
        'isBooked',
      ),
    )
    .where('gateway', '=', gateway)
    .where((where) => where.or([where('id', 'in', references), where('short_reference', 'in', references)]))
    .execute();
}

/** What payments that are neither delivered nor given back hold of customers' money. */
export async function openAmount(db: Executor): Promise<number> {
  const row = await sql<{ amount: number }>`
    select coalesce(sum(amount), 0)::bigint as amount from ledger_postings paid where kind = 'paid' and not exists (
      select from ledger_postings done where done.payment_id = paid.payment_id and done.kind in ('delivered', 'refunded')
    )`.execute(db);
  return Number(row.rows[0]?.amount ?? 0);
}

export async function owedBalance(db: Executor): Promise<number> {
  const row = await sql<{ amount: number }>`
    select coalesce(sum(case when credit_account = 'customers:owed' then amount else -amount end), 0)::bigint as amount
    from ledger_postings where 'customers:owed' in (credit_account, debit_account)`.execute(db);
  return Number(row.rows[0]?.amount ?? 0);
}

export async function isReconciled(db: Executor, day: string): Promise<boolean> {
  const row = await db.selectFrom('reconciliations').select('done_at').where('day', '=', day).executeTakeFirst();
  return row !== undefined;
}

export async function keepReport(
  db: Executor,
  report: { day: string; differences: unknown[] },
  now: Date,
): Promise<boolean> {
  const kept = await db
    .insertInto('reconciliations')
    .values({
      day: report.day,
      done_at: now,
      unexplained: report.differences.length,
      report: JSON.stringify(report),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('day')
    .executeTakeFirst();
  return kept !== undefined;
}
