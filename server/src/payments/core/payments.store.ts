import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import { isSeenMove, type StoredPageWord } from '@portal/domain/payment/shown-status.ts';
import type { PaymentEvent, PaymentState } from '@portal/domain/payment/transitions.ts';
import {
  CompiledQuery,
  type InferResult,
  type Insertable,
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely';
import { notified, paymentTopic } from '../../db/notify.ts';
import { isHashOf, openRow, sealPatch, sealRow, withoutNumbers, withoutPersons } from '../../db/personal-data.ts';
import type { Written } from '../../db/schema/column-types.ts';
import type { GoodwillState } from '../../db/schema/goodwill.ts';
import type { Payment, PaymentsTable } from '../../db/schema/payments.ts';
import type { Schema } from '../../db/schema.ts';
import type { SameOrder } from './order-claims.store.ts';

export type { Payment } from '../../db/schema/payments.ts';
export type NewPayment = Written<Insertable<PaymentsTable>>;
export type PaymentPatch = Written<Updateable<PaymentsTable>>;
export type Executor = Kysely<Schema>;

export interface Change {
  to: PaymentState;
  event: string;
  at: Date;
  /** The person who settled it and the reason, if a person did. */
  by: string | null;
  note: string | null;
}

/** The columns set when an order is created. */
const orderColumns = [
  'id',
  'short_reference',
  'state',
  'version',
  'gateway',
  'payment_mode',
  'transaction_type',
  'amount',
  'currency',
  'msisdn',
  'payer_msisdn',
  'payer_proof',
  'proof_digest',
  'email',
  'product_code',
  'description',
  'account_id',
  'invoice_number',
  'language',
  'visit',
  'details',
  'created_at',
  'changed_at',
  'due_at',
  'order_id',
  'order_digest',
] as const satisfies readonly (keyof NewPayment)[];
const storedColumns = [...orderColumns, 'msisdn_hash', 'payer_hash', 'email_hash', 'invoice_hash', 'account_hash'].join(
  ', ',
);

/** Raw SQL, because every order runs it and building the query took longer than executing it. */
const insertOrders = `
  with fresh as (
    insert into idempotency_keys (operation, key, body_hash, payment_id, created_at)
    select operation, key, body_hash, id, created_at
    from json_to_recordset($1::json) as given(operation text, key text, body_hash text, id text, created_at timestamptz)
    on conflict do nothing returning payment_id
  ), payment as (
    insert into payments (${storedColumns}, epoch)
    select ${storedColumns}, (select number from epochs where server = portal_server() order by number desc limit 1)
    from json_populate_recordset(null::payments, $1::json)
    where id in (select payment_id from fresh)
    on conflict (id) do nothing returning id, created_at
  )
  insert into payment_history (payment_id, version, event, from_state, to_state, at)
  select id, 0, 'create', null, 'CREATED', created_at from payment
  returning payment_id as id`;

/** The database server has no epoch yet. One must begin before a payment can be opened in it. */
export const isWithoutEpoch = (error: unknown): boolean => {
  const { code, column } = error as { code?: string; column?: string };
  return code === '23502' && column === 'epoch';
};

export interface NewOrder {
  payment: Pick<NewPayment, (typeof orderColumns)[number]>;
  attempt: { operation: string; key: string; body_hash: string };
}

/**
 * One statement, three rows for each order: idempotency key, payment and first history row, all or none. Tells for each
 * order whether it was inserted; false if the key existed.
 */
export async function insertPayments(db: Executor, orders: readonly NewOrder[]): Promise<boolean[]> {
  const rows = orders.map(({ payment, attempt }) => {
    const { id, created_at } = payment;
    const stored = sealRow(db, 'payments', payment);
    const key = sealRow(db, 'idempotency_keys', { ...attempt, payment_id: id, created_at });
    return { ...stored, details: JSON.parse(String(stored.details)), ...attempt, body_hash: key.body_hash };
  });
  const { rows: inserted } = await db.executeQuery<{ id: string }>(
    CompiledQuery.raw(insertOrders, [JSON.stringify(rows)]),
  );
  const ids = new Set(inserted.map(({ id }) => id));
  // If a batch has the same attempt twice, the first counts as inserted.
  return orders.map(({ payment }) => ids.delete(payment.id));
}

/** The payment created for an idempotency key, and the hash of its request body. */
export async function findAttempt(db: Executor, operation: string, key: string) {
  const row = await db
    .selectFrom('idempotency_keys')
    .innerJoin('payments', 'payments.id', 'idempotency_keys.payment_id')
    .select(['body_hash', 'id', 'amount', 'currency'])
    .where('operation', '=', operation)
    .where('key', '=', key)
    .executeTakeFirst();
  return row && openRow(db, 'idempotency_keys', row, { operation, key });
}

/** A similar payment that reached a provider and did not fail. The attempt itself is excluded. */
export async function findRepeat(
  db: Executor,
  order: {
    visit: string;
    msisdn: string;
    transactionType: string;
    productCode: string | null;
    /** In the currency of prices, whatever currency it is paid in. */
    price: number;
    invoiceNumber: string | null;
    /** Other attempts of the same order are excluded: at most one of them is delivered. */
    orderDigest: string | null;
  },
  asked: { key: string; since: Date },
): Promise<string | null> {
  const row = await db
    .selectFrom('payments')
    .select('id')
    .where(isHashOf(db, 'msisdn_hash', ['number', order.msisdn]))
    .where('created_at', '>', asked.since)
    .where('visit', '=', order.visit)
    .where('transaction_type', '=', order.transactionType)
    .where(sql`coalesce((details->'conversion'->>'price')::bigint, amount)`, '=', order.price)
    .where('product_code', 'is not distinct from', order.productCode)
    .where(isHashOf(db, 'invoice_hash', ['invoice', order.invoiceNumber]))
    .where('submitted_at', 'is not', null)
    .where('state', 'not in', ['FAILED', 'REFUNDED'])
    .$if(order.orderDigest !== null, (query) => query.where('order_digest', 'is distinct from', order.orderDigest))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('idempotency_keys')
            .select('payment_id')
            .whereRef('idempotency_keys.payment_id', '=', 'payments.id')
            .where('operation', '=', 'initiate')
            .where('key', '=', asked.key),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function findPayment(db: Executor, id: string): Promise<Payment | undefined> {
  const row = await db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();
  return row && openRow(db, 'payments', row);
}

/** A goodwill credit for the line. */
export interface Credit {
  amount: number;
  currency: string;
  state: GoodwillState;
}

export interface PaymentRecord {
  payment: Payment;
  changes: Change[];
  others: SameOrder[];
  goodwill: Credit | null;
  /** An order of home broadband whose request is gone. */
  isLeadErased?: boolean;
}

/** All columns by name, so that the query that status pages poll is prepared once. */
const paymentColumns = [
  ...orderColumns,
  'provider_reference',
  'reason',
  'attempts',
  'not_found_answers',
  'submitted_at',
  'last_enquiry_at',
  'refund_expected_at',
  'continuation',
  'asked_from',
  'epoch',
  'refund_sent_at',
  'taken_amount',
  'taken_currency',
  'released_at',
  'forgotten_at',
  'page_word',
] as const satisfies readonly (keyof Payment)[];

const lookUp = (db: Executor) =>
  db
    .selectFrom('payments')
    .select(paymentColumns)
    .select(
      sql<(Omit<Change, 'at'> & { at: string })[]>`(
        select json_agg(json_build_object('to', to_state, 'event', event, 'at', at, 'by', settled_by, 'note', note)
          order by version)
        from payment_history where payment_id = payments.id)`.as('changes'),
    )
    .select(
      sql<SameOrder[] | null>`(
        select json_agg(json_build_object('id', other.id, 'reference', short_reference, 'state', state,
          'reason', reason, 'visit', visit, 'isPaid', state = 'PAID' or claim.payment_id is not null)
          order by created_at)
        from payments other left join order_claims claim on claim.payment_id = other.id
        where other.order_digest = payments.order_digest and other.id <> payments.id)`.as('others'),
    )
    .select(
      sql<Credit | null>`(
        select json_build_object('amount', amount, 'currency', currency, 'state', state) from goodwill
        where payment_id = payments.id and state <> 'refused')`.as('goodwill'),
    )
    .select(
      sql<boolean>`(coalesce(details->'item'->>'kind' = 'order', false)
        and not exists (select from leads where leads.id = payments.details->'item'->>'leadId'))`.as('isLeadErased'),
    )
    .where('id', '=', '')
    .compile();
type LookUp = ReturnType<typeof lookUp>;
let lookedUp: LookUp | undefined;

export async function findPaymentWithChanges(db: Executor, id: string): Promise<PaymentRecord | undefined> {
  lookedUp ??= lookUp(db);
  const { rows } = await db.executeQuery<InferResult<LookUp>[number]>({ ...lookedUp, parameters: [id] });
  const [row] = rows;
  if (!row) return undefined;
  const { changes, others, goodwill, isLeadErased, ...payment } = row;
  return {
    payment: openRow(db, 'payments', payment),
    changes: changes.map((change) => ({ ...change, at: new Date(change.at) })),
    others: others ?? [],
    goodwill,
    isLeadErased,
  };
}

export async function findIdByReference(db: Executor, reference: string): Promise<string | undefined> {
  const row = await db.selectFrom('payments').select('id').where('short_reference', '=', reference).executeTakeFirst();
  return row?.id;
}

export interface Move {
  event: PaymentEvent;
  to: PaymentState;
  at: Date;
  reason?: PaymentReason | null;
  settled?: { by: string; note: string };
  patch: PaymentPatch;
}

/** Compare-and-set on state and version: one of several concurrent moves wins, the others get null. */
export async function movePayment(db: Executor, payment: Payment, move: Move): Promise<Payment | null> {
  const moved = await db
    .updateTable('payments')
    .set({
      ...sealPatch(db, 'payments', payment, move.patch),
      ...(move.reason === undefined ? {} : { reason: move.reason }),
      state: move.to,
      version: payment.version + 1,
      changed_at: move.at,
    })
    .where('id', '=', payment.id)
    .where('state', '=', payment.state)
    .where('version', '=', payment.version)
    .returningAll()
    .executeTakeFirst();
  if (!moved) return null;
  await db
    .insertInto('payment_history')
    .values({
      payment_id: payment.id,
      version: moved.version,
      event: move.event,
      from_state: payment.state,
      to_state: move.to,
      reason: move.reason ?? null,
      at: move.at,
      settled_by: move.settled?.by ?? null,
      note: move.settled ? withoutPersons(move.settled.note) : null,
    })
    .$if(isSeenMove(payment.state, move.to), (history) =>
      history.returning(notified(paymentTopic(payment.id)).as('told')),
    )
    .execute();
  return openRow(db, 'payments', moved);
}

/**
 * Updates counters and the next due time, and stores evidence, without a change of state. False: the payment moved
 * meanwhile, and only the evidence was stored.
 */
export async function notePayment(
  db: Executor,
  payment: Payment,
  patch: PaymentPatch,
  evidence?: Evidence & { at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set(sealPatch(db, 'payments', payment, patch))
    .where('id', '=', payment.id)
    .where('version', '=', payment.version)
    .executeTakeFirst();
  if (evidence) await insertEvidence(db, payment, evidence);
  return numUpdatedRows > 0n;
}

/** A provider's response, as we interpreted it. */
export interface Evidence {
  call: 'start' | 'enquire' | 'deliver' | 'findDelivery' | 'refund' | 'findRefund';
  answer: string;
  amount?: number;
  currency?: string;
  receipt?: string | undefined;
  detail?: string;
}

export type StoredEvidence = Selectable<Schema['payment_evidence']>;

/** Stored only if it differs from the last response to the same call. */
export async function insertEvidence(
  db: Executor,
  { id: paymentId, msisdn, payer_msisdn }: Payment,
  {
    at,
    call,
    answer,
    amount = null,
    currency = null,
    receipt = null,
    detail = null,
  }: Nullable<Evidence> & { at: Date },
): Promise<void> {
  // Evidence is immutable, so it must not identify anybody. Some providers put the payer's number into their reference.
  const nameless = (text: string | null) => text && withoutNumbers(text, [msisdn, payer_msisdn]);
  await sql`
    insert into payment_evidence (payment_id, at, call, answer, amount, currency, receipt, detail)
    select ${paymentId}::text, ${at}::timestamptz, said.* from
      (values (${call}::text, ${answer}::text, ${amount}::bigint, ${currency}::text, ${nameless(receipt)}::text, ${nameless(detail && withoutPersons(detail))}::text))
        as said (call, answer, amount, currency, receipt, detail)
    where not exists (
      select from (
        select * from payment_evidence where payment_id = ${paymentId} and call = ${call} order by id desc limit 1
      ) last
      where (last.answer, last.amount, last.currency, last.receipt, last.detail)
        is not distinct from (said.answer, said.amount, said.currency, said.receipt, said.detail))`.execute(db);
}

type Nullable<T> = { [Key in keyof T]: T[Key] | null };

export function evidenceOf(db: Executor, paymentId: string): Promise<StoredEvidence[]> {
  return db.selectFrom('payment_evidence').selectAll().where('payment_id', '=', paymentId).orderBy('id').execute();
}

/**
 * Milliseconds left of the lease that came with this payment, in the given epoch of the same server; null if it is
 * lost. The version does not show this, because taking a lease does not change it.
 */
export async function leaseLeft(
  db: Executor,
  { id, version, due_at }: Pick<Payment, 'id' | 'version' | 'due_at'>,
  { epoch, now, table = 'payments' }: { epoch: number; now: RawBuilder<Date>; table?: 'payments' | 'goodwill' },
): Promise<number | null> {
  const { rows } = await sql<{ leftMs: number }>`
    select (extract(epoch from due_at - ${now}) * 1000)::double precision as "leftMs" from ${sql.table(table)}
    where id = ${id} and version = ${version} and due_at = ${due_at} and due_at > ${now}
      and exists (select from epochs where number = ${epoch} and server = portal_server()
        and number = (select max(number) from epochs))`.execute(db);
  return rows[0]?.leftMs ?? null;
}

/** Leases due payments by moving their due time, so that no two workers hold the same payment. */
export async function leaseDuePayments(
  db: Executor,
  { now, leaseUntil, most, without }: { now: Date; leaseUntil: Date; most: number; without: string[] },
): Promise<Payment[]> {
  const leased = await sql<Selectable<PaymentsTable>>`
    update payments set due_at = ${leaseUntil} where id in (
      select id from payments where due_at <= ${now} and gateway <> all(${without}::text[])
      order by due_at limit ${most} for update skip locked
    ) returning *`.execute(db);
  return leased.rows.map((row) => openRow(db, 'payments', row));
}

export async function isOrderUnderWay(db: Executor, leadId: string): Promise<boolean> {
  const open = await db
    .selectFrom('payments')
    .select('id')
    .where('transaction_type', '=', 'HBB_LEADS')
    .where('state', 'not in', ['SUCCEEDED', 'FAILED', 'REFUNDED'])
    .where(sql`details->'item'->>'leadId'`, '=', leadId)
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

export async function listReview(db: Executor, most: number): Promise<Payment[]> {
  const rows = await db
    .selectFrom('payments')
    .selectAll()
    .where('state', '=', 'REVIEW')
    .orderBy('changed_at')
    .limit(most)
    .execute();
  return rows.map((row) => openRow(db, 'payments', row));
}

/**
 * Makes an open payment due now and leases it. The floor keeps a flood of callbacks from causing a flood of enquiries.
 */
export async function makeDue(
  db: Executor,
  id: string,
  times: { now: Date; floor: Date; leaseUntil: Date },
): Promise<Payment | undefined> {
  const row = await db
    .updateTable('payments')
    .set({ due_at: times.leaseUntil, last_enquiry_at: times.now })
    .where('id', '=', id)
    .where('state', 'in', ['AWAITING_PAYER', 'UNKNOWN', 'FAILED'])
    .where('submitted_at', 'is not', null)
    .where((where) => where.or([where('last_enquiry_at', 'is', null), where('last_enquiry_at', '<', times.floor)]))
    .returningAll()
    .executeTakeFirst();
  return row && openRow(db, 'payments', row);
}

export async function storePageWord(db: Executor, id: string, word: StoredPageWord): Promise<void> {
  await db
    .updateTable('payments')
    .set({ page_word: word })
    .where('id', '=', id)
    .where('state', 'in', ['SUBMITTING', 'AWAITING_PAYER', 'UNKNOWN'])
    .where((where) =>
      where.or([where('page_word', 'is', null), where('page_word', 'not in', [word, 'done' satisfies StoredPageWord])]),
    )
    .execute();
}

/** Deletes callbacks and idempotency keys whose retention period is over. */
export async function deleteExpired(db: Executor, before: { callbacks: Date; keys: Date }): Promise<void> {
  await db.deleteFrom('callbacks').where('received_at', '<', before.callbacks).execute();
  await db.deleteFrom('idempotency_keys').where('created_at', '<', before.keys).execute();
}

const isOpen = sql<boolean>`state not in ('SUCCEEDED', 'FAILED', 'REFUNDED', 'REVIEW')`;

export async function countOpen(db: Executor): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from payments where ${isOpen}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Makes open payments due at once after a restore. Orders that were not submitted can wait. */
export async function makeOpenDue(db: Executor): Promise<void> {
  await sql`
    update payments set due_at = portal_now()
    where due_at is not null and state <> 'CREATED' and ${isOpen}`.execute(db);
}
