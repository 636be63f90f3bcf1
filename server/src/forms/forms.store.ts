import { dayPlus, startOfDay } from '@portal/domain/calendar-day.ts';
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { openRow, sealRow } from '../db/personal-data.ts';
import type { Opened, Written } from '../db/schema/column-types.ts';
import type { Schema } from '../db/schema.ts';

type Executor = Kysely<Schema>;
type FormEntries = Schema['form_entries'];
export type FormEntry = Opened<Selectable<FormEntries>>;

export async function insertEntry(transaction: Executor, entry: Written<Insertable<FormEntries>>): Promise<void> {
  await transaction
    .insertInto('form_entries')
    .values(sealRow(transaction, 'form_entries', entry))
    .execute();
}

export async function findEntry(db: Executor, id: string): Promise<FormEntry | undefined> {
  const row = await db.selectFrom('form_entries').selectAll().where('id', '=', id).executeTakeFirst();
  return row && openRow(db, 'form_entries', row);
}

/** Newest first. */
export async function listEntries(
  db: Executor,
  { isDone, before, most }: { isDone: boolean; before?: { at: Date; id: string } | undefined; most: number },
): Promise<FormEntry[]> {
  const rows = await db
    .selectFrom('form_entries')
    .selectAll()
    .where('done_at', isDone ? 'is not' : 'is', null)
    .$if(before !== undefined, (query) => query.where(sql<boolean>`(created_at, id) < (${before?.at}, ${before?.id})`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
  return rows.map((row) => openRow(db, 'form_entries', row));
}

/** False if it was changed concurrently or deleted. */
export async function markEntry(
  transaction: Executor,
  id: string,
  done: { at: Date; by: string } | null,
): Promise<boolean> {
  const marked = await transaction
    .updateTable('form_entries')
    .set({ done_at: done?.at ?? null, done_by: done?.by ?? null })
    .where('id', '=', id)
    .where('done_at', done ? 'is' : 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}

export async function countByDay(
  db: Executor,
  { from, to, timeZone }: { from: string; to: string; timeZone: string },
): Promise<{ day: string; language: string; form: string; count: number }[]> {
  const { rows } = await sql<{ day: string; language: string; form: string; count: number }>`
    select to_char(created_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, language, form_type as form,
      count(*)::int as count
    from form_entries
    where created_at >= ${startOfDay(from, timeZone)} and created_at < ${startOfDay(dayPlus(to, 1), timeZone)}
    group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  return rows;
}

export async function deleteBefore(db: Executor, before: Date): Promise<void> {
  await db.deleteFrom('form_entries').where('created_at', '<', before).execute();
}
