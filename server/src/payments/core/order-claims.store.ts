import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import type { PaymentState } from '@portal/domain/payment/transitions.ts';
import { type Kysely, sql } from 'kysely';
import { openRow } from '../../db/personal-data.ts';
import type { Payment } from '../../db/schema/payments.ts';
import type { Schema } from '../../db/schema.ts';

type Executor = Kysely<Schema>;

/** Another attempt to pay the same order. */
export interface SameOrder {
  id: string;
  reference: string;
  state: PaymentState;
  reason: PaymentReason | null;
  visit: string | null;
  /** Money was taken, and it holds the claim to deliver. */
  isPaid: boolean;
}

/** The order is paid: this payment took the money and holds the claim to deliver. */
export const isOrderPaid = ({ state, isClaimant }: { state: Payment['state']; isClaimant: boolean }): boolean =>
  isClaimant || state === 'PAID';

/** The other payments of the same order, and which of them holds the claim. */
export async function findSameOrder(
  db: Executor,
  { order_digest, id }: Pick<Payment, 'order_digest' | 'id'>,
): Promise<(Payment & { isClaimant: boolean })[]> {
  if (order_digest === null) return [];
  const rows = await db
    .selectFrom('payments')
    .selectAll('payments')
    .select(sql<boolean>`exists (select from order_claims where payment_id = payments.id)`.as('isClaimant'))
    .where('order_digest', '=', order_digest)
    .where('id', '<>', id)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => openRow(db, 'payments', row));
}

/** The payment that paid an order, and its visit. */
export function findOrderPaid(db: Executor, orderDigest: string): Promise<Pick<Payment, 'id' | 'visit'> | undefined> {
  return db
    .selectFrom('payments')
    .leftJoin('order_claims', 'order_claims.payment_id', 'payments.id')
    .select(['id', 'visit'])
    .where('payments.order_digest', '=', orderDigest)
    .where(({ or, eb }) => or([eb('payment_id', 'is not', null), eb('state', '=', 'PAID')]))
    .limit(1)
    .executeTakeFirst();
}

/**
 * Only one payment of an order may deliver it: false if another holds the claim. Concurrent claims wait for each other
 * here. The claim commits with the move it belongs to.
 */
export async function claimOrder(db: Executor, { id, order_digest }: Payment, at: Date): Promise<boolean> {
  if (order_digest === null) return true;
  const { rows } = await sql`
    insert into order_claims (order_digest, payment_id, claimed_at) values (${order_digest}, ${id}, ${at})
    on conflict (order_digest) do update set claimed_at = order_claims.claimed_at
      where order_claims.payment_id = excluded.payment_id
    returning payment_id`.execute(db);
  return rows.length === 1;
}

/** Releases the claim of a payment that will not be delivered. */
export async function releaseOrder(db: Executor, paymentId: string): Promise<void> {
  await db.deleteFrom('order_claims').where('payment_id', '=', paymentId).execute();
}
