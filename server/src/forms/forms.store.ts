import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { openRow, sealRow } from '../db/personal-data.ts';
import type { Opened, Schema, Written } from '../db/schema.ts';

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

/** The newest first. */
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

/** False where somebody else was quicker, or it is gone. */
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

export async function deleteBefore(db: Executor, before: Date): Promise<void> {
  await db.deleteFrom('form_entries').where('created_at', '<', before).execute();
}
