import type { DifferenceKind, Explanation } from '@portal/domain/payment/reconciliation-differences.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import type { Report } from './payments.reconcile.ts';

type Executor = Kysely<Schema>;

/** Differences without an explanation, and those with one. */
export type DifferenceList = 'open' | 'explained';

export interface ComparedDay {
  day: string;
  done_at: Date | null;
  /** The end of a process's lease on the day. */
  claimed_until: Date | null;
  /** `sides` is absent for days compared before sums were stored. */
  report: (Omit<Report, 'sides'> & Partial<Pick<Report, 'sides'>>) | null;
}

/** Each difference in a day's report, joined with the work done on it. */
const differencesOf = (day: ReturnType<typeof sql>) => sql`
  reconciliations kept
  cross join lateral jsonb_array_elements(coalesce(kept.report->'differences', '[]')) with ordinality said (difference, place)
  left join reconciliation_work work on work.day = kept.day
    and work.what = difference->>'what' and work.reference = difference->>'reference'
  where kept.day = ${day}`;

/** Leaves out the differences: there may be tens of thousands. */
export async function findDay(db: Executor, day: string): Promise<ComparedDay | undefined> {
  const { rows } = await sql<ComparedDay>`
    select to_char(day, 'YYYY-MM-DD') as day, done_at, claimed_until,
      (report - 'differences') || '{"differences": []}' as report
    from reconciliations where day = ${day}`.execute(db);
  return rows[0];
}

interface DayInShort {
  day: string;
  done_at: Date | null;
  open: number;
  isComplete: boolean;
}

const inShort = sql`
  select to_char(days.day, 'YYYY-MM-DD') as day, done_at,
    (select count(*)::int from ${differencesOf(sql`days.day`)} and work.explanation is null) as open,
    jsonb_array_length(coalesce(report->'unanswered', '[]')) = 0 as "isComplete"
  from reconciliations days where report is not null`;

export async function newestDays(db: Executor, most: number): Promise<DayInShort[]> {
  return (await sql<DayInShort>`${inShort} order by days.day desc limit ${most}`.execute(db)).rows;
}

/** Null if the day was not compared yet. */
export async function differencesOn(db: Executor, day: string): Promise<Omit<DayInShort, 'done_at'> | null> {
  const { rows } = await sql<DayInShort>`${inShort} and days.day = ${day}`.execute(db);
  return rows[0] ? { day, open: rows[0].open, isComplete: rows[0].isComplete } : null;
}

export async function countDifferences(db: Executor, day: string): Promise<Record<DifferenceList, number>> {
  const { rows } = await sql<Record<DifferenceList, number>>`
    select (count(*) filter (where work.explanation is null))::int as open, count(work.explanation)::int as explained
    from ${differencesOf(sql`${day}`)}`.execute(db);
  return rows[0] ?? { open: 0, explained: 0 };
}

export interface ListedDifference {
  place: number;
  what: DifferenceKind;
  gateway: string;
  reference: string;
  version: number;
  person: string | null;
  explanation: Explanation | null;
  note: string | null;
  changed_by: string | null;
  changed_at: Date | null;
  payment_id: string | null;
  short_reference: string | null;
  state: string | null;
  amount: number | null;
  currency: string | null;
  claimed_by: string | null;
}

/** In the order in which they were found. A provider may list a payment by its id or by its short reference. */
export async function listDifferences(
  db: Executor,
  day: string,
  { list, after, most, now }: { list: DifferenceList | null; after: number; most: number; now: Date },
): Promise<ListedDifference[]> {
  const which =
    list === null ? sql`` : list === 'open' ? sql`and explanation is null` : sql`and explanation is not null`;
  const { rows } = await sql<ListedDifference>`
    with found as materialized (
      select place::int as place, difference->>'what' as what, difference->>'gateway' as gateway,
        difference->>'reference' as reference, coalesce(work.version, 0) as version, work.person, work.explanation,
        work.note, work.changed_by, work.changed_at
      from ${differencesOf(sql`${day}`)} and place > ${after} ${which} order by place limit ${most}
    )
    select found.*, payment.*, (select person from review_claims where payment_id = payment.payment_id and until > ${now}) as claimed_by
    from found left join lateral (
      select id as payment_id, short_reference, state, coalesce(taken_amount, amount)::bigint as amount,
        coalesce(taken_currency, currency) as currency
      from payments where id = found.reference
      union all
      select id, short_reference, state, coalesce(taken_amount, amount)::bigint, coalesce(taken_currency, currency)
      from payments where short_reference = found.reference and id <> found.reference
      limit 1
    ) payment on true order by place`.execute(db);
  return rows.map((row) => ({ ...row, amount: row.amount === null ? null : Number(row.amount) }));
}

export type Work = Partial<Pick<ListedDifference, 'person' | 'explanation' | 'note'>>;

export async function hasDifference(
  db: Executor,
  { day, what, reference }: { day: string; what: string; reference: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from ${differencesOf(sql`${day}`)}
    and difference->>'what' = ${what} and difference->>'reference' = ${reference} limit 1`.execute(db);
  return rows.length === 1;
}

/** Optimistic locking by version: undefined if it was changed concurrently. */
export async function changeWork(
  db: Executor,
  { version, day, what, reference }: { version: number; day: string; what: DifferenceKind; reference: string },
  changed: Work & { changed_by: string; changed_at: Date },
): Promise<{ version: number } | undefined> {
  if (version === 0)
    return db
      .insertInto('reconciliation_work')
      .values({ person: null, explanation: null, note: null, ...changed, day, what, reference })
      .onConflict((conflict) => conflict.doNothing())
      .returning('version')
      .executeTakeFirst();
  return db
    .updateTable('reconciliation_work')
    .set({ ...changed, version: version + 1 })
    .where('day', '=', day)
    .where('what', '=', what)
    .where('reference', '=', reference)
    .where('version', '=', version)
    .returning('version')
    .executeTakeFirst();
}

/** The postings of that range in order, read in small batches to bound memory. */
export async function* postingsBetween(db: Executor, { from, to }: { from: Date; to: Date }) {
  const most = 500;
  let after: { at: Date; payment_id: string; kind: string } | undefined;
  do {
    const older = after
      ? sql`and (posting.at, payment_id, kind) > (${after.at}, ${after.payment_id}, ${after.kind})`
      : sql``;
    const { rows } = await sql<Posting>`
      select posting.at, payment_id, kind, posting.amount::bigint as amount, posting.currency, debit_account,
        credit_account, short_reference, gateway
      from ledger_postings posting join payments on payments.id = payment_id
      where posting.at >= ${after?.at ?? from} and posting.at < ${to} ${older}
      order by posting.at, payment_id, kind limit ${most}`.execute(db);
    for (const row of rows) yield { ...row, amount: Number(row.amount) };
    after = rows.length === most ? rows.at(-1) : undefined;
  } while (after);
}

interface Posting {
  at: Date;
  payment_id: string;
  kind: string;
  amount: number;
  currency: string;
  debit_account: string;
  credit_account: string;
  short_reference: string;
  gateway: string;
}
