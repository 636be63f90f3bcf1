import { type LeadStage, leadStages } from '@portal/domain/lead/lead-stage.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import { openRow, sealRow } from '../db/personal-data.ts';
import type { LeadsTable } from '../db/schema/leads.ts';
import type { Schema } from '../db/schema.ts';
import type { Lead } from './leads.store.ts';

type Executor = Kysely<Schema>;

export interface LeadFilter {
  stage?: LeadStage | undefined;
  /** `nobody`, or the id of a person. */
  assigned?: string | undefined;
}

export type ListedLead = Lead & { assignee: string | null };

/** Counting stops here, since nobody needs a larger exact number. */
const maxCounted = 1_000;
const batch = 500;

const assignedIs = (assigned: string) =>
  assigned === 'nobody' ? sql<boolean>`leads.assigned_to is null` : sql<boolean>`leads.assigned_to = ${assigned}`;

/** Newest first, each with the name of its assignee. */
export async function listStage(
  db: Executor,
  { stage, assigned }: LeadFilter,
  { before, most }: { before?: { at: Date; id: string } | undefined; most: number },
): Promise<ListedLead[]> {
  const rows = await db
    .selectFrom('leads')
    .leftJoin('console_people', 'console_people.id', 'leads.assigned_to')
    .selectAll('leads')
    .select('console_people.name as assignee')
    .$if(stage !== undefined, (query) => query.where('leads.stage', '=', stage as LeadStage))
    .$if(assigned !== undefined, (query) => query.where(assignedIs(assigned as string)))
    .$if(before !== undefined, (query) =>
      query.where(sql<boolean>`(leads.created_at, leads.id) < (${before?.at}, ${before?.id})`),
    )
    .orderBy('leads.created_at', 'desc')
    .orderBy('leads.id', 'desc')
    .limit(most)
    .execute();
  return rows.map((row) => openRow(db, 'leads', row as Selectable<LeadsTable> & { assignee: string | null }));
}

/** Iterates over all leads, a few hundred in memory at a time. */
export async function* eachLead(db: Executor, filter: LeadFilter = {}): AsyncGenerator<ListedLead> {
  let before: { at: Date; id: string } | undefined;
  for (;;) {
    const page = await listStage(db, filter, { before, most: batch });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < batch) return;
    before = { at: last.created_at, id: last.id };
  }
}

/** The number of leads in each stage of the pipeline. */
export async function countStages(
  db: Executor,
  assigned: string | undefined,
): Promise<{ stage: LeadStage; count: number; isMore: boolean }[]> {
  const belongs = assigned === undefined ? sql<boolean>`true` : assignedIs(assigned);
  const { rows } = await sql<{ stage: LeadStage; count: number }>`
    select stage, (select count(*) from (
        select from leads where leads.stage = each.stage and ${belongs} limit ${maxCounted + 1}) few)::int as count
    from unnest(${[...leadStages]}::text[]) with ordinality as each (stage, place) order by place`.execute(db);
  return rows.map(({ stage, count }) => ({
    stage,
    count: Math.min(count, maxCounted),
    isMore: count > maxCounted,
  }));
}

/** Returns the new version; undefined if the lead was changed concurrently or deleted. */
export async function changeLead(
  transaction: Executor,
  { id, version }: { id: string; version: number },
  patch: { stage?: LeadStage; assigned_to?: string | null; money_back_at?: Date; changed_at: Date },
): Promise<number | undefined> {
  const changed = await transaction
    .updateTable('leads')
    .set({ ...patch, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('version')
    .executeTakeFirst();
  return changed?.version;
}

export async function insertNote(
  transaction: Executor,
  note: { lead_id: string; version: number; at: Date; person: string; text: string },
): Promise<void> {
  const row = { id: `${note.lead_id}.${note.version}`, ...note };
  await transaction
    .insertInto('lead_notes')
    .values(sealRow(transaction, 'lead_notes', row))
    .execute();
}

export async function notesOf(db: Executor, leadId: string) {
  const rows = await db
    .selectFrom('lead_notes')
    .selectAll()
    .where('lead_id', '=', leadId)
    .orderBy('version', 'desc')
    .execute();
  return rows.map((row) => openRow(db, 'lead_notes', row));
}

export async function personName(db: Executor, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const found = await db.selectFrom('console_people').select('name').where('id', '=', id).executeTakeFirst();
  return found?.name ?? null;
}
