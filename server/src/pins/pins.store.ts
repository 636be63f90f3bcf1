import { type Kysely, type Selectable, sql } from 'kysely';
import { personalData } from '../db/personal-data.ts';
import type { Schema } from '../db/schema.ts';

type Executor = Kysely<Schema>;
export type PinKey = Selectable<Schema['pin_keys']>;

export function currentKeys(db: Executor, since: Date): Promise<PinKey[]> {
  return db.selectFrom('pin_keys').selectAll().where('created_at', '>', since).orderBy('created_at', 'desc').execute();
}

export async function insertKey(db: Executor, key: PinKey): Promise<void> {
  await db.insertInto('pin_keys').values(key).execute();
}

export async function dropKeys(db: Executor, before: Date): Promise<void> {
  await db.deleteFrom('pin_keys').where('created_at', '<', before).execute();
}

/** Starting the same transaction again replaces the challenge, unless it was already answered. */
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

/** True once: the challenge of this payment, not expired and not answered before. */
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

/** Removes a challenge whose PIN was not used, so that another can be issued. The old PIN stays refused. */
export async function dropChallenge(db: Executor, paymentId: string): Promise<void> {
  await db.deleteFrom('pin_challenges').where('payment_id', '=', paymentId).execute();
}

export interface TryRule {
  max: number;
  now: Date;
  /** Only wrong PINs since then count. */
  wrongSince: Date;
  /** Attempts from before this that the wallet never answered no longer count. */
  unansweredSince: Date;
}

/** A pseudonym, because nobody needs to read the wallet back. */
const storedWallet = (db: Executor, wallet: string) => personalData(db).pseudonym(wallet);

/** Undefined if nothing counts against the wallet. */
export async function findAttempts(
  db: Executor,
  wallet: string,
  { now, wrongSince }: Pick<TryRule, 'now' | 'wrongSince'>,
): Promise<{ wrong: number; locked_until: Date | null } | undefined> {
  return db
    .selectFrom('pin_attempts')
    .select(['wrong', 'locked_until'])
    .where('wallet', '=', storedWallet(db, wallet))
    .where((where) => where.or([where('locked_until', '>', now), where('locked_until', 'is', null)]))
    .where('changed_at', '>', wrongSince)
    .executeTakeFirst();
}

/** One statement, so that concurrent attempts cannot exceed `max`. */
export async function takeTry(db: Executor, wallet: string, rule: TryRule): Promise<boolean> {
  const { max, now } = rule;
  const isOver = sql`(pin_attempts.locked_until <= ${now} or pin_attempts.changed_at <= ${rule.wrongSince})`;
  const wrong = sql`(case when ${isOver} then 0 else pin_attempts.wrong end)`;
  const unanswered = sql`(case when pin_attempts.unanswered_since > ${rule.unansweredSince} then pin_attempts.unanswered else 0 end)`;
  const taken = await sql`
    insert into pin_attempts (wallet, wrong, unanswered, unanswered_since, changed_at)
    values (${storedWallet(db, wallet)}, 0, 1, ${now}, ${now})
    on conflict (wallet) do update set
      wrong = ${wrong},
      unanswered = ${unanswered} + 1,
      unanswered_since = ${now},
      locked_until = null,
      changed_at = ${now}
    where (${isOver} or pin_attempts.locked_until is null) and ${wrong} + ${unanswered} < ${max}
    returning wallet`.execute(db);
  return taken.rows.length > 0;
}

export async function returnAttempt(db: Executor, wallet: string): Promise<void> {
  await sql`update pin_attempts set unanswered = greatest(unanswered - 1, 0) where wallet = ${storedWallet(db, wallet)}`.execute(
    db,
  );
}

/** The attempt was counted when it was sent; now it is known to be wrong, and the last one locks the wallet. */
export async function noteWrong(
  db: Executor,
  wallet: string,
  rule: { max: number; now: Date; lockUntil: Date },
): Promise<void> {
  await sql`
    update pin_attempts set
      wrong = wrong + 1,
      unanswered = greatest(unanswered - 1, 0),
      locked_until = case when wrong + 1 >= ${rule.max} then ${rule.lockUntil}::timestamptz else locked_until end,
      changed_at = ${rule.now}
    where wallet = ${storedWallet(db, wallet)}`.execute(db);
}

export async function lock(db: Executor, wallet: string, max: number, now: Date, until: Date): Promise<void> {
  const values = { wrong: max, unanswered: 0, unanswered_since: null, locked_until: until, changed_at: now };
  await db
    .insertInto('pin_attempts')
    .values({ wallet: storedWallet(db, wallet), ...values })
    .onConflict((conflict) => conflict.column('wallet').doUpdateSet(values))
    .execute();
}

export async function clearAttempts(db: Executor, wallet: string): Promise<void> {
  await db.deleteFrom('pin_attempts').where('wallet', '=', storedWallet(db, wallet)).execute();
}
