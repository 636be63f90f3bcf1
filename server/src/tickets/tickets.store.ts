import { refundHours, reviewHours } from '@portal/domain/payment/schedule.ts';
import type { LateCause, PortalWord, TicketAuthor, TicketState } from '@portal/domain/ticket.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import { openRow, sealRow } from '../db/personal-data.ts';
import type { Opened } from '../db/schema/column-types.ts';
import type { TicketsTable } from '../db/schema/tickets.ts';
import type { Schema } from '../db/schema.ts';

export type Executor = Kysely<Schema>;
export type Ticket = Selectable<TicketsTable>;
export type Message = Opened<Selectable<Schema['ticket_messages']>>;

/** The cursor of a list: the time, then the number. */
export interface Position {
  at: Date;
  id: string;
}

/** Serialises writes about one payment across processes until the transaction ends. */
export async function lockPayment(transaction: Executor, paymentId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`ticket ${paymentId}`}, 0))`.execute(transaction);
}

export const findTicket = (db: Executor, id: string): Promise<Ticket | undefined> =>
  db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirst();

export const ticketsOf = (db: Executor, paymentId: string): Promise<Ticket[]> =>
  db
    .selectFrom('tickets')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('opened_at', 'desc')
    .orderBy('id')
    .execute();

/** False if the number exists already. */
export async function insertTicket(transaction: Executor, ticket: Ticket): Promise<boolean> {
  const inserted = await transaction
    .insertInto('tickets')
    .values(ticket)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Undefined if somebody else changed it concurrently. */
export const changeTicket = (
  transaction: Executor,
  { id, version }: Pick<Ticket, 'id' | 'version'>,
  patch: Partial<Omit<Ticket, 'id' | 'version'>>,
): Promise<Ticket | undefined> =>
  transaction
    .updateTable('tickets')
    .set({ ...patch, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();

/** A person's text, or the code of a message by the portal. */
export interface Written {
  author: TicketAuthor;
  person?: string;
  thread?: string | null;
  said?: PortalWord;
  text?: string;
}

export async function insertMessage(
  transaction: Executor,
  { id: ticketId, version }: Pick<Ticket, 'id' | 'version'>,
  message: { at: Date } & Written,
): Promise<string> {
  const { at, author, person = null, thread = null, said = null, text = null } = message;
  const id = `${ticketId}.${version}`;
  const row = { id, ticket_id: ticketId, version, at, author, person, thread, said, text };
  await transaction
    .insertInto('ticket_messages')
    .values(sealRow(transaction, 'ticket_messages', row))
    .execute();
  return id;
}

export async function messagesOf(db: Executor, ticketIds: readonly string[]): Promise<Message[]> {
  if (ticketIds.length === 0) return [];
  const rows = await db
    .selectFrom('ticket_messages')
    .selectAll()
    .where('ticket_id', 'in', ticketIds)
    .orderBy('at')
    .orderBy('version')
    .execute();
  return rows.map((row) => openRow(db, 'ticket_messages', row));
}

export async function findMessage(db: Executor, id: string): Promise<Message | undefined> {
  const row = await db.selectFrom('ticket_messages').selectAll().where('id', '=', id).executeTakeFirst();
  return row && openRow(db, 'ticket_messages', row);
}

export type ListedTicket = Ticket & { reference: string } & Pick<
    Selectable<Schema['payments']>,
    'amount' | 'currency' | 'taken_amount' | 'taken_currency'
  >;

/** Oldest promise first; all open ones if no state is given. Each with the reference of its payment. */
export function listTickets(
  db: Executor,
  { state, after, most }: { state?: TicketState | undefined; after?: Position | undefined; most: number },
): Promise<ListedTicket[]> {
  return db
    .selectFrom('tickets')
    .innerJoin('payments', 'payments.id', 'tickets.payment_id')
    .selectAll('tickets')
    .select('payments.short_reference as reference')
    .select(['payments.amount', 'payments.currency', 'payments.taken_amount', 'payments.taken_currency'])
    .$if(state !== undefined, (query) => query.where('tickets.state', '=', state as TicketState))
    .$if(state === undefined, (query) => query.where('tickets.state', '<>', 'solved'))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(tickets.promised_at, tickets.id) > (${after?.at}, ${after?.id})`),
    )
    .orderBy('tickets.promised_at')
    .orderBy('tickets.id')
    .limit(most)
    .execute();
}

export interface WaitingTickets {
  state: TicketState;
  count: number;
  promisedAt: Date;
}

export async function countOpen(db: Executor): Promise<WaitingTickets[]> {
  const { rows } = await sql<WaitingTickets>`
    select state, count(*)::int as count, min(promised_at) as "promisedAt"
    from tickets where state <> 'solved' group by state order by 3`.execute(db);
  return rows;
}

/**
 * Payments with a late promise that was not noted yet: there are few open ones, and they are indexed. `untimed` are the
 * gateways without a refund time.
 */
export async function unnoticed(
  db: Executor,
  { now, untimed, most }: { now: Date; untimed: readonly string[]; most: number },
): Promise<string[]> {
  const noticed = (cause: LateCause) => sql`exists (
    select 1 from ticket_causes where payment_id = payments.id and cause = ${cause} and settled_at is null)`;
  const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const { rows } = await sql<{ id: string }>`
    (select id from payments
      where due_at is not null and state in ('REFUND_DUE', 'REFUNDING', 'REFUND_UNKNOWN')
        and gateway <> all(${untimed}::text[])
        and (refund_expected_at < ${now} or (refund_expected_at is null and changed_at < ${before(refundHours)}))
        and not ${noticed('refundLate')} limit ${most})
    union all
    (select id from payments
      where state = 'REVIEW' and changed_at < ${before(reviewHours('held'))}
        and (reason = 'held' or changed_at < ${before(reviewHours(null))})
        and not ${noticed('reviewLate')} limit ${most})`.execute(db);
  return rows.map(({ id }) => id);
}

/** Notes it again if the last time was settled. */
export async function noteCause(
  transaction: Executor,
  { paymentId, cause, ticketId, at }: { paymentId: string; cause: LateCause; ticketId: string; at: Date },
): Promise<void> {
  await sql`
    insert into ticket_causes (payment_id, cause, ticket_id, noticed_at)
    values (${paymentId}, ${cause}, ${ticketId}, ${at})
    on conflict (payment_id, cause) do update
      set ticket_id = excluded.ticket_id, noticed_at = excluded.noticed_at, settled_at = null`.execute(transaction);
}

/** The promises about the money of a payment, and its state. */
export const promisesOf = (db: Executor, paymentId: string) =>
  db
    .selectFrom('payments')
    .select(['state', 'reason', 'gateway', 'changed_at', 'refund_expected_at'])
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow();

export const openCauses = (db: Executor, paymentId: string) =>
  db
    .selectFrom('ticket_causes')
    .select(['cause', 'ticket_id'])
    .where('payment_id', '=', paymentId)
    .where('settled_at', 'is', null)
    .execute();

/** Payments with a late promise whose money has arrived. */
export async function settledPromises(db: Executor, most: number): Promise<{ id: string; state: string }[]> {
  return db
    .selectFrom('ticket_causes')
    .innerJoin('payments', 'payments.id', 'ticket_causes.payment_id')
    .select(['payments.id', 'payments.state'])
    .distinct()
    .where('settled_at', 'is', null)
    .where('payments.state', 'in', ['SUCCEEDED', 'REFUNDED', 'FAILED'])
    .limit(most)
    .execute();
}

export async function settleCauses(transaction: Executor, paymentId: string, at: Date): Promise<void> {
  await transaction
    .updateTable('ticket_causes')
    .set({ settled_at: at })
    .where('payment_id', '=', paymentId)
    .where('settled_at', 'is', null)
    .execute();
}

export async function forgetMessages(db: Executor, before: Date): Promise<void> {
  await db.deleteFrom('ticket_messages').where('at', '<', before).execute();
}
