import { type Kysely, sql } from 'kysely';
import type { Payment } from '../../db/schema/payments.ts';
import type { Schema } from '../../db/schema.ts';

type Executor = Kysely<Schema>;

export async function startDelivery(db: Executor, payment: Payment, at: Date): Promise<void> {
  await db
    .insertInto('deliveries')
    .values({ payment_id: payment.id, reference: payment.id, attempts: 1, started_at: at, sent_at: at })
    .onConflict((conflict) =>
      conflict.column('payment_id').doUpdateSet({ attempts: sql`deliveries.attempts + 1`, sent_at: at }),
    )
    .execute();
}

export function findDelivery(db: Executor, paymentId: string) {
  return db
    .selectFrom('deliveries')
    .select(['started_at', 'sent_at', 'refused_at'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();
}

export async function noteDelivery(
  db: Executor,
  paymentId: string,
  patch: { sent_at?: Date | null; refused_at?: Date; started_at?: Date },
): Promise<void> {
  if (Object.keys(patch).length > 0)
    await db.updateTable('deliveries').set(patch).where('payment_id', '=', paymentId).execute();
}

export async function completeDelivery(db: Executor, paymentId: string, reference: string, at: Date): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ delivered_at: at, provider_reference: reference })
    .where('payment_id', '=', paymentId)
    .execute();
}
