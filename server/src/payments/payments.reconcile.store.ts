import { type Kysely, sql } from 'kysely';
import { openRow } from '../db/personal-data.ts';
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
  return rows.map(({ kinds, ...payment }) => ({ payment: openRow(db, 'payments', payment), kinds }));
}

export async function findByReferences(
  db: Executor,
  gateway: string,
  references: string[],
): Promise<(Pick<Payment, 'id' | 'short_reference' | 'state'> & { isBooked: boolean })[]> {
  // One parameter, however many there are.
  const named = sql<string>`any(${references}::text[])`;
  return db
    .selectFrom('payments')
    .select(['id', 'short_reference', 'state'])
    .select(
      sql<boolean>`exists (select from ledger_postings where payment_id = payments.id and kind = 'paid')`.as(
        'isBooked',
      ),
    )
    .where('gateway', '=', gateway)
    .where((where) => where.or([where('id', '=', named), where('short_reference', '=', named)]))
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
    select coalesce(sum(case when credit_account like 'customers:%' then amount else -amount end), 0)::bigint as amount
    from ledger_postings where credit_account like 'customers:%' or debit_account like 'customers:%'`.execute(db);
  return Number(row.rows[0]?.amount ?? 0);
}

const isOpen = sql<boolean>`jsonb_array_length(coalesce(reconciliations.report->'unanswered', '[]')) > 0`;

/** Yesterday unless it was compared in full, after earlier days that were not. */
export async function daysToCompare(
  db: Executor,
  { oldest, yesterday }: { oldest: string; yesterday: string },
): Promise<string[]> {
  const kept = await db
    .selectFrom('reconciliations')
    .select([sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'), isOpen.as('isOpen')])
    .where('day', '>=', oldest)
    .orderBy('day')
    .execute();
  const open = kept.filter((row) => row.isOpen).map(({ day }) => day);
  return kept.some(({ day }) => day === yesterday) ? open : [...open, yesterday];
}

export const toldAs = (what: string, reference: string): string => `${what} ${reference}`;

export async function differencesTold(db: Executor, day: string): Promise<string[]> {
  const rows = await sql<{ what: string; reference: string }>`
    select told->>'what' as what, told->>'reference' as reference
    from reconciliations, jsonb_array_elements(report->'differences') told where day = ${day}`.execute(db);
  return rows.rows.map(({ what, reference }) => toldAs(what, reference));
}

/** False when another process has kept that day in full. */
export async function keepReport(
  db: Executor,
  report: { day: string; differences: unknown[] },
  now: Date,
): Promise<boolean> {
  const row = { done_at: now, unexplained: report.differences.length, report: JSON.stringify(report) };
  const kept = await db
    .insertInto('reconciliations')
    .values({ day: report.day, ...row })
    .onConflict((conflict) => conflict.column('day').doUpdateSet(row).where(isOpen))
    .returning('day')
    .executeTakeFirst();
  return kept !== undefined;
}
