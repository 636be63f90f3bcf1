import type { Insertable, Kysely, Selectable } from 'kysely';
import { isHashOf, openRow, sealRow } from '../db/personal-data.ts';
import type { Opened, Written } from '../db/schema/column-types.ts';
import type { Schema } from '../db/schema.ts';

type Executor = Kysely<Schema>;
export type Code = Opened<Selectable<Schema['codes']>>;
type StoredCode = Selectable<Schema['codes']>;

const opened = (db: Executor, row: StoredCode | undefined): Code | undefined => row && openRow(db, 'codes', row);

/** Ends older codes of the same visit, number and purpose. A stranger's request cannot end somebody else's code. */
export async function insertCode(
  transaction: Executor,
  code: Omit<Written<Insertable<Schema['codes']>>, 'tries' | 'ended_at'>,
): Promise<void> {
  await transaction
    .updateTable('codes')
    .set({ ended_at: code.sent_at })
    .where(isHashOf(transaction, 'subject_hash', ['number', code.subject]))
    .where('purpose', '=', code.purpose)
    .where('visit', 'is not distinct from', code.visit ?? null)
    .where('ended_at', 'is', null)
    .execute();
  await transaction
    .insertInto('codes')
    .values(sealRow(transaction, 'codes', { ...code, ended_at: null }))
    .execute();
}

/** The newest code that the visit asked for since then and can still be verified. */
export async function findRecent(
  db: Executor,
  { subject, purpose, visit }: Pick<Code, 'subject' | 'purpose' | 'visit'>,
  since: Date,
): Promise<Code | undefined> {
  const row = await db
    .selectFrom('codes')
    .selectAll()
    .where(isHashOf(db, 'subject_hash', ['number', subject]))
    .where('purpose', '=', purpose)
    .where('visit', 'is not distinct from', visit)
    .where('ended_at', 'is', null)
    .where('sent_at', '>', since)
    .orderBy('sent_at', 'desc')
    .executeTakeFirst();
  return opened(db, row);
}

export async function findCode(db: Executor, id: string): Promise<Code | undefined> {
  return opened(db, await db.selectFrom('codes').selectAll().where('id', '=', id).executeTakeFirst());
}

/** Replaces the code under the same id. The attempts already made still count. */
export async function renewCode(
  db: Executor,
  code: Code,
  fresh: Pick<Code, 'code_hash' | 'sent_at' | 'expires_at' | 'asked_from' | 'kept_for'>,
): Promise<Code | undefined> {
  const renewed = await db
    .updateTable('codes')
    .set(fresh)
    .where('id', '=', code.id)
    .where('sent_at', '=', code.sent_at)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return opened(db, renewed);
}

/** Counts the attempt before comparing the code, so that concurrent requests cannot exceed the limit. */
export async function countTry(db: Executor, id: string, max: number, now: Date): Promise<Code | undefined> {
  const tried = await db
    .updateTable('codes')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('id', '=', id)
    .where('tries', '<', max)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  return opened(db, tried);
}

/** False if another request ended it first: a code is used once. */
export async function endCode(db: Executor, id: string, now: Date): Promise<boolean> {
  const ended = await db
    .updateTable('codes')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

export type Proof = Opened<Selectable<Schema['proofs']>>;

export async function insertProof(db: Executor, proof: Omit<Proof, 'spent_by'>): Promise<void> {
  await db
    .insertInto('proofs')
    .values(sealRow(db, 'proofs', { ...proof, spent_by: null }))
    .execute();
}

export async function findProof(db: Executor, digest: string, now: Date): Promise<Proof | undefined> {
  const row = await db
    .selectFrom('proofs')
    .selectAll()
    .where('digest', '=', digest)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row && openRow(db, 'proofs', row);
}

/** Spent by one attempt to pay. A retry of that attempt succeeds again. */
export async function spendProof(db: Executor, digest: string, by: string, now: Date): Promise<boolean> {
  const spent = await db
    .updateTable('proofs')
    .set({ spent_by: by })
    .where('digest', '=', digest)
    .where('expires_at', '>', now)
    .where((where) => where.or([where('spent_by', 'is', null), where('spent_by', '=', by)]))
    .returning('digest')
    .executeTakeFirst();
  return spent !== undefined;
}

/** Only for the attempt that holds it. */
export async function releaseProof(db: Executor, digest: string, by: string): Promise<void> {
  await db
    .updateTable('proofs')
    .set({ spent_by: null })
    .where('digest', '=', digest)
    .where('spent_by', '=', by)
    .execute();
}

export async function deleteExpired(db: Executor, before: Date): Promise<void> {
  await db.deleteFrom('codes').where('expires_at', '<', before).execute();
  await db.deleteFrom('proofs').where('expires_at', '<', before).execute();
}
