import { isLater, type LeadStatus } from '@portal/domain/lead/lead-status.ts';
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { hashesOf, openRow, sealRow } from '../db/personal-data.ts';
import type { Opened, Written } from '../db/schema/column-types.ts';
import type { LeadsTable } from '../db/schema/leads.ts';
import type { Schema } from '../db/schema.ts';

type Executor = Kysely<Schema>;
export type Lead = Opened<Selectable<LeadsTable>>;
export type NewLead = Written<Insertable<LeadsTable>>;

/** Paid, and neither installed nor given back: the customer waits for what they paid for, or for their money. */
export const isPaidFor = sql<boolean>`(leads.paid_by is not null and leads.money_back_at is null
  and leads.stage <> 'installed' and not exists (select from payments where payments.id = leads.paid_by and payments.state in ('FAILED', 'REFUNDED')))`;

export type OwedLead = Pick<Lead, 'id' | 'plan_amount' | 'plan_currency' | 'changed_at'>;

/** Lost leads whose money has not gone back, the oldest first; of one payment only, if it is given. */
export function listOwed(db: Executor, most: number, payment?: string): Promise<OwedLead[]> {
  return db
    .selectFrom('leads')
    .select(['id', 'plan_amount', 'plan_currency', 'changed_at'])
    .where('stage', '=', 'lost')
    .where(isPaidFor)
    .$if(payment !== undefined, (query) => query.where('paid_by', '=', payment as string))
    .orderBy('changed_at')
    .limit(most)
    .execute();
}

const opened = (db: Executor, row: Selectable<LeadsTable>): Lead => openRow(db, 'leads', row);

/** Null if a lead with this proof exists. */
export function insertLead(
  db: Executor,
  lead: NewLead,
  notify: (transaction: Executor, lead: Lead) => Promise<void> = async () => {},
): Promise<Lead | null> {
  return db.transaction().execute(async (transaction) => {
    const stored = await transaction
      .insertInto('leads')
      .values(sealRow(db, 'leads', lead))
      .onConflict((conflict) => conflict.column('proof_digest').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!stored) return null;
    await noteStatus(transaction, stored.id, stored.status, stored.created_at);
    const inserted = opened(transaction, stored);
    await notify(transaction, inserted);
    return inserted;
  });
}

export async function findLead(db: Executor, id: string): Promise<Lead | undefined> {
  const row = await db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirst();
  return row && opened(db, row);
}

/** Newest first. Each criterion uses its own index. */
export async function searchLeads(
  db: Executor,
  { id, number, email }: { id?: string; number?: string; email?: string },
  most: number,
): Promise<Lead[]> {
  const clues = [
    ...(id ? [['id', id] as const] : []),
    ...(number ? hashesOf(db, 'number', number).map((hash) => ['number_hash', hash] as const) : []),
    ...(email ? hashesOf(db, 'email', email).map((hash) => ['email_hash', hash] as const) : []),
  ];
  const found = await Promise.all(
    clues.map(([column, value]) =>
      db.selectFrom('leads').selectAll().where(column, '=', value).orderBy('created_at', 'desc').limit(most).execute(),
    ),
  );
  const rows = new Map(found.flat().map((row) => [row.id, row]));
  return [...rows.values()]
    .sort((one, other) => other.created_at.getTime() - one.created_at.getTime())
    .slice(0, most)
    .map((row) => opened(db, row));
}

export async function findByProof(db: Executor, digest: string): Promise<Lead | undefined> {
  const row = await db.selectFrom('leads').selectAll().where('proof_digest', '=', digest).executeTakeFirst();
  return row && opened(db, row);
}

export function historyOf(db: Executor, id: string): Promise<{ status: LeadStatus; at: Date }[]> {
  return db.selectFrom('lead_history').select(['status', 'at']).where('lead_id', '=', id).orderBy('at').execute();
}

/** Leases due leads to one process by moving their due time to `until`. */
export async function takeDue(
  db: Executor,
  { now, until, most }: { now: Date; until: Date; most: number },
): Promise<Lead[]> {
  const taken = await db
    .updateTable('leads')
    .set({ due_at: until })
    .where('id', 'in', (due) =>
      due
        .selectFrom('leads')
        .select('id')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
  return taken.map((row) => opened(db, row));
}

export async function noteAccepted(db: Executor, id: string, reference: string, now: Date): Promise<void> {
  const patch = { handover: 'accepted' as const, crm_reference: reference, due_at: null, changed_at: now };
  await db.updateTable('leads').set(patch).where('id', '=', id).execute();
}

export async function noteAttempt(db: Executor, id: string, due_at: Date): Promise<void> {
  await db
    .updateTable('leads')
    .set((row) => ({ attempts: row('attempts', '+', 1), due_at }))
    .where('id', '=', id)
    .execute();
}

/** False if the status was polled since `before`. */
export async function claimLook(db: Executor, id: string, before: Date, now: Date): Promise<boolean> {
  const claimed = await db
    .updateTable('leads')
    .set({ looked_at: now })
    .where('id', '=', id)
    .where((where) => where.or([where('looked_at', 'is', null), where('looked_at', '<', before)]))
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

export async function moveLead(db: Executor, id: string, status: LeadStatus, now: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const lead = await transaction
      .selectFrom('leads')
      .select('status')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!lead || !isLater(status, lead.status)) return;
    await transaction.updateTable('leads').set({ status, changed_at: now }).where('id', '=', id).execute();
    await noteStatus(transaction, id, status, now);
  });
}

async function noteStatus(db: Executor, lead_id: string, status: LeadStatus, at: Date): Promise<void> {
  await db
    .insertInto('lead_history')
    .values({ lead_id, status, at })
    .onConflict((conflict) => conflict.columns(['lead_id', 'status']).doNothing())
    .execute();
}

/** False if another payment claimed it, or the lead was deleted. */
export async function claimPayment(db: Executor, id: string, reference: string): Promise<boolean> {
  const claimed = await db
    .updateTable('leads')
    .set({ paid_by: reference })
    .where('id', '=', id)
    .where((where) => where.or([where('paid_by', 'is', null), where('paid_by', '=', reference)]))
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

export async function releasePayment(db: Executor, id: string, reference: string): Promise<void> {
  await db.updateTable('leads').set({ paid_by: null }).where('id', '=', id).where('paid_by', '=', reference).execute();
}

export async function listLeads(db: Executor): Promise<Lead[]> {
  const rows = await db.selectFrom('leads').selectAll().orderBy('created_at').execute();
  return rows.map((row) => opened(db, row));
}

export type Removal = 'erased' | 'unknown' | 'paid';

/** Locked first, so that it is not paid in the meantime. */
export async function deleteLead(transaction: Executor, id: string): Promise<Removal> {
  const lead = await transaction
    .selectFrom('leads')
    .select(isPaidFor.as('isPaid'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!lead) return 'unknown';
  if (lead.isPaid) return 'paid';
  await transaction.deleteFrom('leads').where('id', '=', id).execute();
  return 'erased';
}

/** Whoever has paid and still waits is not forgotten. */
export async function deleteBefore(db: Executor, before: Date): Promise<void> {
  await db.deleteFrom('leads').where('created_at', '<', before).where(sql<boolean>`not ${isPaidFor}`).execute();
}
