import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { endedBefore, periods } from './retention-periods.ts';

/** Rows per statement, so that locks are short. */
const batchSize = 2_000;

/**
 * Deletes what is past its retention period. Each area deletes its own rows. PIN attempts, card fingerprints and the
 * persons in payments are left to this function.
 */
export async function deleteExpired(
  db: Kysely<Schema>,
  areas: readonly { deleteExpired(): Promise<void> }[],
  now: Date,
): Promise<void> {
  for (const area of areas) await area.deleteExpired();
  await db
    .deleteFrom('pin_attempts')
    .where('changed_at', '<', endedBefore(periods.pin_attempts, now))
    .where((where) => where.or([where('locked_until', 'is', null), where('locked_until', '<', now)]))
    .execute();
  await db.deleteFrom('payment_cards').where('at', '<', endedBefore(periods.payment_cards, now)).execute();
  const isPast = sql`created_at < ${endedBefore(periods.payments, now)}`;
  while ((await removePersons(db, isPast, now)) === batchSize);
}

/** Final: neither a job nor a person will change it, and no goodwill credit for it is pending. */
export const isOver = sql<boolean>`due_at is null and state in ('SUCCEEDED', 'FAILED', 'REFUNDED')
  and not exists (select from goodwill where payment_id = payments.id and goodwill.due_at is not null)`;

/**
 * Removes the persons from those of the selected payments that are final, and returns how many. What was bought, the
 * amount, the way to pay and the outcome stay; the ledger is not touched.
 */
export async function removePersons(db: Kysely<Schema>, selected: RawBuilder<unknown>, now: Date): Promise<number> {
  const forgotten = await sql`
    update payments set msisdn = '', payer_msisdn = null, email = null, account_id = null, invoice_number = null,
      msisdn_hash = null, payer_hash = null, email_hash = null, invoice_hash = null, account_hash = null,
      visit = null, asked_from = null, proof_digest = null, continuation = null,
      provider_reference = null, forgotten_at = ${now},
      details = case
        when details->'item' ? 'accountNo'
          then jsonb_set(jsonb_set(details, '{item,accountNo}', '""'), '{item,billNo}', 'null')
        when details->'item' ? 'leadId' then jsonb_set(details, '{item,leadId}', '""')
        else details end
    where id in (
      select id from payments
      where forgotten_at is null and ${selected} and ${isOver}
      order by created_at limit ${batchSize} for update skip locked)
    returning id`.execute(db);
  return forgotten.rows.length;
}
