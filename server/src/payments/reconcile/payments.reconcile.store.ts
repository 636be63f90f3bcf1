import { type Kysely, sql } from 'kysely';
import { openRow } from '../../db/personal-data.ts';
import type { Schema } from '../../db/schema.ts';
import type { Payment } from '../core/payments.store.ts';

type Executor = Kysely<Schema>;

export interface Booked {
  payment: Payment;
  /** Kinds of its postings of that day. */
  kinds: string[];
}

/** Payment ids and posting kinds of that range. Small rows, since there may be hundreds of thousands. */
export async function bookedBetween(db: Executor, from: Date, to: Date): Promise<{ id: string; kinds: string[] }[]> {
  return db
    .selectFrom('ledger_postings')
    .select(['payment_id as id', sql<string[]>`array_agg(kind)`.as('kinds')])
    .where('at', '>=', from)
    .where('at', '<', to)
    .groupBy('payment_id')
    .execute();
}

export async function withKinds(db: Executor, booked: readonly { id: string; kinds: string[] }[]): Promise<Booked[]> {
  const kindsOf = new Map(booked.map(({ id, kinds }) => [id, kinds]));
  const payments = await db
    .selectFrom('payments')
    .selectAll()
    // One array parameter, because the number of parameters is limited.
    .where('id', '=', sql<string>`any(${[...kindsOf.keys()]}::text[])`)
    .execute();
  return payments.map((payment) => ({
    payment: openRow(db, 'payments', payment),
    kinds: kindsOf.get(payment.id) ?? [],
  }));
}

export async function findByReferences(
  db: Executor,
  gateway: string,
  references: string[],
): Promise<(Pick<Payment, 'id' | 'short_reference' | 'state'> & { isBooked: boolean })[]> {
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

/** Customers' money in payments that are neither delivered nor refunded. */
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

const isCompared = sql<boolean>`reconciliations.report is not null`;

/** Earlier days that were not compared in full, then yesterday unless it was. */
export async function daysToCompare(
  db: Executor,
  { oldest, yesterday, now }: { oldest: string; yesterday: string; now: Date },
): Promise<{ day: string; isAbandoned: boolean }[]> {
  const stored = await db
    .selectFrom('reconciliations')
    .select([
      sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'),
      sql<boolean>`${isCompared} and not ${isOpen}`.as('isDone'),
      sql<boolean>`coalesce(claimed_until <= ${now}, false)`.as('isAbandoned'),
    ])
    .where('day', '>=', oldest)
    .orderBy('day')
    .execute();
  const open = stored.filter(({ isDone }) => !isDone);
  return stored.some(({ day }) => day === yesterday) ? open : [...open, { day: yesterday, isAbandoned: false }];
}

/** The lease on a day. If its process dies, other processes wait this long. */
const claimMs = 3_600_000;

export interface Claim {
  day: string;
  until: Date;
}

/** Leases a day for comparison. Null if another process holds it, or if it is compared in full and not `again`. */
export async function claimDay(
  db: Executor,
  day: string,
  now: Date,
  { again = false }: { again?: boolean } = {},
): Promise<Claim | null> {
  const until = new Date(now.getTime() + claimMs);
  const claimed = await db
    .insertInto('reconciliations')
    .values({ day, claimed_until: until })
    .onConflict((conflict) =>
      conflict
        .column('day')
        .doUpdateSet({ claimed_until: until })
        .where(sql<boolean>`(${again} or not ${isCompared} or ${isOpen})
          and coalesce(reconciliations.claimed_until <= ${now}, true)`),
    )
    .returning('day')
    .executeTakeFirst();
  return claimed ? { day, until } : null;
}

/** Ends the lease after a failure, so that another process can start at once. */
export async function dropClaim(db: Executor, { day, until }: Claim): Promise<void> {
  await db
    .updateTable('reconciliations')
    .set({ claimed_until: null })
    .where('day', '=', day)
    .where('claimed_until', '=', until)
    .execute();
}

export const reportedAs = (what: string, reference: string): string => `${what} ${reference}`;

export async function reportedDifferences(db: Executor, day: string): Promise<string[]> {
  const rows = await sql<{ what: string; reference: string }>`
    select told->>'what' as what, told->>'reference' as reference
    from reconciliations, jsonb_array_elements(report->'differences') told where day = ${day}`.execute(db);
  return rows.rows.map(({ what, reference }) => reportedAs(what, reference));
}

/** False if the lease expired and another process holds the day. */
export async function storeReport(
  db: Executor,
  claim: Claim,
  report: { differences: unknown[] },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reconciliations')
    .set({ done_at: now, unexplained: report.differences.length, report: JSON.stringify(report), claimed_until: null })
    .where('day', '=', claim.day)
    .where('claimed_until', '=', claim.until)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
