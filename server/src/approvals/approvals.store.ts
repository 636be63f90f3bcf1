import type { ApprovalKind } from '@portal/contract/console/approval-kinds.ts';
import type { SheetNames } from '@portal/contract/console/sheets.ts';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Position } from '../console/console.service.ts';
import { openRow, sealRow } from '../db/personal-data.ts';
import type { Opened } from '../db/schema/column-types.ts';
import type { Schema } from '../db/schema.ts';

export type Executor = Kysely<Schema>;
type Row = Opened<Selectable<Schema['approvals']>>;

export interface Approval extends Omit<Row, 'payload'> {
  payload: Payload;
  proposer: string;
  decider: string | null;
  /** It was not decided in time. */
  isExpired: boolean;
}

/** The proposed act, with a readable name. */
export interface Payload {
  name: string;
  /** What people call it, where its name is a code. */
  names?: SheetNames;
  amount: number | null;
  currency: string | null;
  [more: string]: unknown;
}

type Now = RawBuilder<Date>;

const lifeHours = sql`interval '168 hours'`;

const selected = (db: Executor, now: Now) =>
  db
    .selectFrom('approvals')
    .innerJoin('console_people as proposer', 'proposer.id', 'proposed_by')
    .leftJoin('console_people as decider', 'decider.id', sql`coalesce(approved_by, closed_by)` as never)
    .selectAll('approvals')
    .select(['proposer.email as proposer', 'decider.email as decider'])
    .select(sql<boolean>`state = 'expired' or (state = 'open' and expires_at <= ${now})`.as('isExpired'));

const opened = (db: Executor, row: object): Approval => openRow(db, 'approvals', row) as unknown as Approval;

export async function find(db: Executor, id: string, now: Now): Promise<Approval | undefined> {
  const row = await selected(db, now).where('approvals.id', '=', id).executeTakeFirst();
  return row && opened(db, row);
}

const lists = {
  open: (now: Now) => sql<boolean>`state = 'open' and expires_at > ${now}`,
  refusedLately: (now: Now) => sql<boolean>`state = 'refused' and decided_at > ${now} - interval '7 days'`,
  decided: () => sql<boolean>`state in ('approved', 'refused', 'withdrawn')`,
  openOrExpired: () => sql<boolean>`state in ('open', 'expired')`,
};

export type List = keyof typeof lists;

export async function list(
  db: Executor,
  asked: { list: List; kinds: readonly ApprovalKind[]; before?: Position | undefined; most: number; now: Now },
): Promise<Approval[]> {
  const { before, now } = asked;
  if (asked.kinds.length === 0) return [];
  const rows = await selected(db, now)
    .where(lists[asked.list](now))
    .where('kind', 'in', asked.kinds)
    .$if(before !== undefined, (query) =>
      query.where(sql<boolean>`(proposed_at, approvals.id) < (${before?.at}, ${before?.id})`),
    )
    .orderBy('proposed_at', 'desc')
    .orderBy('approvals.id', 'desc')
    .limit(asked.most)
    .execute();
  return rows.map((row) => opened(db, row));
}

export async function listOf(db: Executor, subject: { kind: string; id: string }, now: Now): Promise<Approval[]> {
  const rows = await selected(db, now)
    .where('subject_kind', '=', subject.kind)
    .where('subject_id', '=', subject.id)
    .orderBy('proposed_at', 'desc')
    .limit(20)
    .execute();
  return rows.map((row) => opened(db, row));
}

export interface NewApproval {
  id: string;
  kind: ApprovalKind;
  subject: { kind: string; id: string };
  payload: Payload;
  reason: string;
  needsTwo: boolean;
  proposedBy: string;
  about: string | null;
}

/** False if the same is already proposed and open. */
export async function insert(db: Executor, fresh: NewApproval, now: Now): Promise<boolean> {
  // Read once, because the clock advances within a statement; in milliseconds, the precision of a list's cursor.
  const read = await sql<{ at: Date }>`select date_trunc('milliseconds', ${now}) as at`.execute(db);
  const { at } = read.rows[0] as { at: Date };
  await sql`
    update approvals set state = 'expired', about = null
    where kind = ${fresh.kind} and subject_id = ${fresh.subject.id} and state = 'open' and expires_at <= ${at}`.execute(
    db,
  );
  const { id, about } = fresh;
  const row = {
    id,
    kind: fresh.kind,
    subject_kind: fresh.subject.kind,
    subject_id: fresh.subject.id,
    payload: JSON.stringify(fresh.payload),
    reason: fresh.reason,
    needs_two: fresh.needsTwo,
    proposed_by: fresh.proposedBy,
    proposed_at: at,
    expires_at: sql<Date>`${at}::timestamptz + ${lifeHours}`,
    about,
  };
  const inserted = await db
    .insertInto('approvals')
    .values(sealRow(db, 'approvals', row as never))
    // A literal, since a parameter would not match the partial index.
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject_id'])
        .where('state', '=', sql.lit('open' as const))
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Makes room for a new proposal where this one can no longer be carried out. Removes its personal data. */
export const expire = (db: Executor, id: string) =>
  db
    .updateTable('approvals')
    .set({ state: 'expired', about: null })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute();

/** Read once: the clock advances within a statement, so conditions could disagree about the expiry. */
const readOnce = (now: Now) => sql`(select ${now} as at offset 0) clock`;

/** Succeeds for one of several: the proposal is open, in time and unchanged. Removes its personal data. */
export async function approve(
  db: Executor,
  { id, digest, by, now }: { id: string; digest: string; by: string | null; now: Now },
): Promise<boolean> {
  const { rows } = await sql`
    update approvals set state = 'approved', approved_by = ${by}, decided_at = clock.at, about = null
    from ${readOnce(now)} where id = ${id} and state = 'open' and expires_at > clock.at
      and digest = ${digest} and digest = approval_digest(approvals)
    returning id`.execute(db);
  return rows.length === 1;
}

/** Removes the personal data too. */
export async function close(
  db: Executor,
  closing: { id: string; as: 'refused' | 'withdrawn'; by: string; note: string | null; now: Now },
): Promise<boolean> {
  const { rows } = await sql`
    update approvals set state = ${closing.as}, closed_by = ${closing.by}, decided_at = clock.at,
      note = ${closing.note}, about = null
    from ${readOnce(closing.now)} where id = ${closing.id} and state = 'open' and expires_at > clock.at returning id`.execute(
    db,
  );
  return rows.length === 1;
}

export const digestOf = (db: Executor, id: string) =>
  db.selectFrom('approvals').select('digest').where('id', '=', id).executeTakeFirstOrThrow();

/** Removes the personal data of expired proposals. */
export async function forgetExpired(db: Executor, before: Date): Promise<void> {
  await db
    .updateTable('approvals')
    .set({ about: null })
    .where('about', 'is not', null)
    .where('proposed_at', '<', before)
    .execute();
}
