import type { PaymentState } from '@portal/domain/payment/transitions.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Position } from '../../console/console.service.ts';
import { type HashKind, hashesOf, openRow } from '../../db/personal-data.ts';
import type { Executor, Payment } from '../core/payments.store.ts';

/** A search text, parsed as each kind of key that it may be. */
export interface Clues {
  id?: string;
  reference?: string;
  number?: string;
  email?: string;
  invoice?: string;
  account?: string;
  receipt?: string;
}

export interface Filter {
  state?: PaymentState | undefined;
  gateway?: string | undefined;
  /** Matches any of them, as asked for or as taken. */
  sums?: readonly { amount: number; currency: string }[] | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/**
 * Newest first. Each clue is looked up by its own index, limited to one page of rows, so a number with many payments
 * costs no more than one page.
 */
export async function searchPayments(
  db: Executor,
  { id, reference, number, email, invoice, account, receipt }: Clues,
  { before, most, filter = {} }: { before?: Position | undefined; most: number; filter?: Filter },
): Promise<Payment[]> {
  // One condition for each key: an index returns rows in order for one value, but not for a list of values.
  const hashed = (column: string, kind: HashKind, value: string | undefined, more = sql``) =>
    hashesOf(db, kind, value ?? null).map((hash) => sql`${sql.ref(column)} = ${hash}${more}`);
  const isSubmitted = sql` and submitted_at is not null`;
  const conditions: RawBuilder<unknown>[] = [
    ...(id ? [sql`id = ${id}`] : []),
    ...(reference ? [sql`short_reference = ${reference}`] : []),
    ...hashed('msisdn_hash', 'number', number),
    ...hashed('payer_hash', 'number', number, isSubmitted),
    ...hashed('email_hash', 'email', email, isSubmitted),
    ...hashed('invoice_hash', 'invoice', invoice),
    ...hashed('account_hash', 'account', account),
    ...(receipt ? [sql`id in (select payment_id from payment_evidence where receipt = ${receipt} limit 100)`] : []),
  ];
  const { state, gateway, sums, from, to } = filter;
  // Without a clue, search by days alone. With neither, search nothing.
  if (conditions.length === 0 && from && to) conditions.push(sql`true`);
  if (conditions.length === 0) return [];
  const older = sql.join(
    [
      ...(before ? [sql`and (created_at, id) < (${before.at}, ${before.id})`] : []),
      ...(state ? [sql`and state = ${state}`] : []),
      ...(gateway ? [sql`and gateway = ${gateway}`] : []),
      ...(sums ? [sql`and (${sql.join(sums.map(isSum), sql` or `)})`] : []),
      ...(from ? [sql`and created_at >= ${from}`] : []),
      ...(to ? [sql`and created_at < ${to}`] : []),
    ],
    sql` `,
  );
  const branches = conditions.map(
    (condition) =>
      sql`(select id from payments where ${condition} ${older} order by created_at desc, id desc limit ${most})`,
  );
  const rows = await db
    .selectFrom('payments')
    .selectAll()
    .where(sql<boolean>`id in (${sql.join(branches, sql` union `)})`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
  return rows.map((row) => openRow(db, 'payments', row));
}

const isSum = ({ amount, currency }: { amount: number; currency: string }) =>
  sql`(amount = ${amount} and currency = ${currency}) or (taken_amount = ${amount} and taken_currency = ${currency})`;

/** Every move with its reason, unlike the history for customers' pages. */
export const movesOf = (db: Executor, paymentId: string) =>
  db
    .selectFrom('payment_history')
    .select(['to_state as to', 'at', 'reason', 'settled_by as by', 'note'])
    .where('payment_id', '=', paymentId)
    .orderBy('version')
    .execute();

export const postingsOf = (db: Executor, paymentId: string) =>
  db
    .selectFrom('ledger_postings')
    .select(['kind', 'amount', 'currency', 'at'])
    .where('payment_id', '=', paymentId)
    .orderBy('at')
    .execute();

/** Every goodwill credit that was approved, including refused ones. */
export const creditsOf = (db: Executor, paymentId: string) =>
  db
    .selectFrom('goodwill')
    .select(['state', 'amount', 'currency', 'created_at', 'sent_at', 'changed_at'])
    .where('payment_id', '=', paymentId)
    .orderBy('created_at')
    .execute();

export const deliveryOf = (db: Executor, paymentId: string) =>
  db
    .selectFrom('deliveries')
    .select(['sent_at', 'refused_at', 'delivered_at'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();

export const claimOf = (db: Executor, paymentId: string, now: Date) =>
  db
    .selectFrom('review_claims')
    .select(['person', 'until'])
    .where('payment_id', '=', paymentId)
    .where('until', '>', now)
    .executeTakeFirst();

export const claimsNow = (db: Executor, now: Date) =>
  db.selectFrom('review_claims').select(['payment_id', 'person']).where('until', '>', now).execute();

/** False if another person holds the claim. */
export async function takeClaim(
  db: Executor,
  { paymentId, person, now, until }: { paymentId: string; person: string; now: Date; until: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into review_claims (payment_id, person, until) values (${paymentId}, ${person}, ${until})
    on conflict (payment_id) do update set person = excluded.person, until = excluded.until
      where review_claims.person = excluded.person or review_claims.until <= ${now}
    returning payment_id`.execute(db);
  return rows.length === 1;
}

export async function dropClaim(db: Executor, paymentId: string, person: string): Promise<void> {
  await db.deleteFrom('review_claims').where('payment_id', '=', paymentId).where('person', '=', person).execute();
}
