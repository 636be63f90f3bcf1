import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';

type Executor = Kysely<Schema>;
export type PinKey = Selectable<Schema['pin_keys']>;

export function liveKeys(db: Executor, since: Date): Promise<PinKey[]> {
  return db.selectFrom('pin_keys').selectAll().where('created_at', '>', since).orderBy('created_at', 'desc').execute();
}

export async function insertKey(db: Executor, key: PinKey): Promise<void> {
  await db.insertInto('pin_keys').values(key).execute();
}

export async function dropKeys(db: Executor, before: Date): Promise<void> {
  await db.deleteFrom('pin_keys').where('created_at', '<', before).execute();
}

/** A transaction that is initiated again under the same key gets a fresh challenge, unless one was already answered. */
export async function putChallenge(
  db: Executor,
  challenge: { paymentId: string; digest: string; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('pin_challenges')
    .values({
      payment_id: challenge.paymentId,
      nonce_digest: challenge.digest,
      expires_at: challenge.expiresAt,
      used_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .column('payment_id')
        .doUpdateSet({ nonce_digest: challenge.digest, expires_at: challenge.expiresAt })
        .where('pin_challenges.used_at', 'is', null),
    )
    .execute();
}

/** True once: the challenge of this payment, in time, and not answered before. */
export async function useChallenge(db: Executor, paymentId: string, digest: string, now: Date): Promise<boolean> {
  const used = await db
    .updateTable('pin_challenges')
    .set({ used_at: now })
    .where('payment_id', '=', paymentId)
    .where('nonce_digest', '=', digest)
    .where('expires_at', '>', now)
    .where('used_at', 'is', null)
    .returning('payment_id')
    .executeTakeFirst();
  return used !== undefined;
}

export interface TryRule {
  most: number;
  now: Date;
  /** Tries that were not answered since then are forgotten, and so is a lock that has run out. */
  staleBefore: Date;
}

/** Undefined where nothing counts against the wallet any more. */
export async function findAttempts(
  db: Executor,
  wallet: string,
  { now, staleBefore }: TryRule,
): Promise<{ wrong: number; locked_until: Date | null } | undefined> {
  return db
    .selectFrom('pin_attempts')
    .select(['wrong', 'locked_until'])
    .where('wallet', '=', wallet)
    .where((where) => where.or([where('locked_until', '>', now), where('locked_until', 'is', null)]))
    .where('changed_at', '>', staleBefore)
    .executeTakeFirst();
}

/** One statement, so that of any number at once no more than `most` get through. */
export async function takeTry(db: Executor, wallet: string, { most, now, staleBefore }: TryRule): Promise<boolean> {
  const isOver = sql`(pin_attempts.locked_until <= ${now} or pin_attempts.changed_at <= ${staleBefore})`;
  const taken = await sql`
    insert into pin_attempts (wallet, wrong, locked_until, changed_at) values (${wallet}, 1, null, ${now})
    on conflict (wallet) do update set
      wrong = case when ${isOver} then 1 else pin_attempts.wrong + 1 end,
      locked_until = null,
      changed_at = ${now}
    where ${isOver} or (pin_attempts.locked_until is null and pin_attempts.wrong < ${most})
    returning wallet`.execute(db);
  return taken.rows.length > 0;
}

export async function giveBackTry(db: Executor, wallet: string): Promise<void> {
  await sql`update pin_attempts set wrong = greatest(wrong - 1, 0) where wallet = ${wallet}`.execute(db);
}

/** The try was counted when it was sent; the last one that turns out wrong locks. */
export async function lockAfterLastTry(db: Executor, wallet: string, most: number, until: Date): Promise<void> {
  await db
    .updateTable('pin_attempts')
    .set({ locked_until: until })
    .where('wallet', '=', wallet)
    .where('wrong', '>=', most)
    .where('locked_until', 'is', null)
    .execute();
}

export async function lock(db: Executor, wallet: string, most: number, now: Date, until: Date): Promise<void> {
  const values = { wrong: most, locked_until: until, changed_at: now };
  await db
    .insertInto('pin_attempts')
    .values({ wallet, ...values })
    .onConflict((conflict) => conflict.column('wallet').doUpdateSet(values))
    .execute();
}

export async function clearAttempts(db: Executor, wallet: string): Promise<void> {
  await db.deleteFrom('pin_attempts').where('wallet', '=', wallet).execute();
}
