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

export interface Attempts {
  wrong: number;
  locked_until: Date | null;
}

export function findAttempts(db: Executor, wallet: string): Promise<Attempts | undefined> {
  return db
    .selectFrom('pin_attempts')
    .select(['wrong', 'locked_until'])
    .where('wallet', '=', wallet)
    .executeTakeFirst();
}

/** Counts a wrong PIN, and locks at the last; an old lock that has run out starts from one again. */
export async function countWrong(
  db: Executor,
  wallet: string,
  rule: { most: number; now: Date; lockUntil: Date },
): Promise<void> {
  await sql`
    insert into pin_attempts (wallet, wrong, locked_until, changed_at)
    values (${wallet}, 1, ${rule.most <= 1 ? rule.lockUntil : null}, ${rule.now})
    on conflict (wallet) do update set
      wrong = case when pin_attempts.locked_until <= ${rule.now} then 1 else pin_attempts.wrong + 1 end,
      locked_until = case
        when pin_attempts.locked_until <= ${rule.now} then null
        when pin_attempts.wrong + 1 >= ${rule.most} then ${rule.lockUntil}::timestamptz
        else pin_attempts.locked_until end,
      changed_at = ${rule.now}`.execute(db);
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
