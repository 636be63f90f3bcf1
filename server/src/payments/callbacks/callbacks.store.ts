import { type Insertable, type Kysely, sql } from 'kysely';
import { openRow, sealRow } from '../../db/personal-data.ts';
import type { Written } from '../../db/schema/column-types.ts';
import type { Schema } from '../../db/schema.ts';

type Executor = Kysely<Schema>;
export type NewCallback = Written<Insertable<Schema['callbacks']>>;

/**
 * What was done with a callback. `signed` and `unsigned`: stored. `repeated`: stored before. `surplus`: it names an
 * open payment that has enough unsigned callbacks stored. `stray`: it names no open payment.
 */
export type CallbackVerdict = 'signed' | 'unsigned' | 'repeated' | 'surplus' | 'stray';

/** False if the same body was stored before. */
export async function insertCallback(db: Executor, callback: NewCallback): Promise<boolean> {
  const inserted = await db
    .insertInto('callbacks')
    .values(sealRow(db, 'callbacks', callback))
    .onConflict((conflict) => conflict.doNothing())
    .returning('digest')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** More would only be repeats in other bytes. */
const maxRead = 10;

/** The signed ones about a payment, oldest first. */
export async function signedBodies(db: Executor, id: string, gateway: string): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('callbacks')
    .select(['provider', 'digest', 'body'])
    .where('payment_id', '=', id)
    .where('verdict', '=', 'signed')
    .where('provider', '=', gateway)
    .orderBy('received_at')
    .limit(maxRead)
    .execute();
  return rows.map((row) => openRow(db, 'callbacks', row).body);
}

/** A payment that its provider may still report on. That includes failed ones, because of late money. */
const waitingPayment = (db: Executor, id: string, gateway: string) =>
  db
    .selectFrom('payments')
    .select('id')
    .where('id', '=', id)
    .where('gateway', '=', gateway)
    .where((where) =>
      where.or([
        where('state', 'in', ['SUBMITTING', 'AWAITING_PAYER', 'UNKNOWN']),
        where.and([
          where('state', '=', 'FAILED'),
          where('submitted_at', 'is not', null),
          where('due_at', 'is not', null),
        ]),
      ]),
    );

export async function isWaiting(db: Executor, id: string, gateway: string): Promise<boolean> {
  return (await waitingPayment(db, id, gateway).executeTakeFirst()) !== undefined;
}

/** Locks the payment's row while counting its callbacks, so that concurrent ones cannot exceed the limit. */
export function insertUnsigned(
  db: Executor,
  callback: NewCallback & { payment_id: string },
  room: { ofPayment: number; since: Date; inAll: number },
): Promise<'kept' | 'repeated' | 'full'> {
  return db.transaction().execute(async (transaction) => {
    await waitingPayment(transaction, callback.payment_id, callback.provider).forNoKeyUpdate().execute();
    const { rows } = await sql<{ ofPayment: number; inAll: number; copies: number }>`
      select
        (select count(*) from callbacks where verdict = 'unsigned' and payment_id = ${callback.payment_id}) as "ofPayment",
        (select count(*) from callbacks where verdict = 'unsigned' and received_at >= ${room.since}) as "inAll",
        (select count(*) from callbacks where provider = ${callback.provider} and digest = ${callback.digest}) as copies
      `.execute(transaction);
    const [kept] = rows;
    if (!kept || kept.copies > 0) return 'repeated';
    if (kept.ofPayment >= room.ofPayment || kept.inAll >= room.inAll) return 'full';
    return (await insertCallback(transaction, callback)) ? 'kept' : 'repeated';
  });
}
