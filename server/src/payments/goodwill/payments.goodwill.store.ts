import { goodwillPosting } from '@portal/domain/payment/ledger.ts';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { GoodwillState, GoodwillTable } from '../../db/schema/goodwill.ts';
import type { Executor } from '../core/payments.store.ts';

export type Credit = Selectable<GoodwillTable>;

export const insert = (db: Executor, credit: Insertable<GoodwillTable>) =>
  db.insertInto('goodwill').values(credit).execute();

/** The number of refused credits. It makes the next credit's reference different. */
export async function refusedOf(db: Executor, paymentId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from goodwill where payment_id = ${paymentId} and state = 'refused'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Leases due credits by moving their due time, so that no two workers hold the same credit. */
export async function leaseDue(db: Executor, { now, until, most }: { now: Date; until: Date; most: number }) {
  const { rows } = await sql<Credit>`
    update goodwill set due_at = ${until} where id in (
      select id from goodwill where due_at <= ${now} order by due_at limit ${most} for update skip locked)
    returning *`.execute(db);
  return rows;
}

/** Compare-and-set on state and version: one of several concurrent moves wins, the others get null. */
export async function move(
  db: Executor,
  credit: Credit,
  to: GoodwillState,
  patch: Updateable<GoodwillTable> & { changed_at: Date },
): Promise<Credit | null> {
  const moved = await db
    .updateTable('goodwill')
    .set({ ...patch, state: to, version: credit.version + 1 })
    .where('id', '=', credit.id)
    .where('state', '=', credit.state)
    .where('version', '=', credit.version)
    .returningAll()
    .executeTakeFirst();
  return moved ?? null;
}

export async function post(db: Executor, { payment_id, amount, currency, changed_at }: Credit): Promise<void> {
  const { kind, debit, credit } = goodwillPosting;
  await db
    .insertInto('ledger_postings')
    .values({ payment_id, kind, debit_account: debit, credit_account: credit, amount, currency, at: changed_at })
    .execute();
}

export const stuckOf = (db: Executor, paymentId: string): Promise<Credit | undefined> =>
  db
    .selectFrom('goodwill')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .where('state', '=', 'stuck')
    .executeTakeFirst();

export const statesOf = (db: Executor, approvalIds: readonly string[]) =>
  db.selectFrom('goodwill').select(['approval_id', 'state']).where('approval_id', 'in', approvalIds).execute();
