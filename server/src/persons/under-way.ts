import type { UnderWay } from '@portal/contract/console/persons.ts';
import { writeTicketNumber } from '@portal/domain/ticket.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { isOver } from '../retention/delete-expired.ts';
import type { StoredRow } from './persons.store.ts';

type Executor = Kysely<Schema>;

/** Nobody has that much under way; the counts are complete. */
const mostNamed = 50;

/** What the open rows belong to: it has to end before they can be erased. */
export async function underWayOf(db: Executor, held: readonly StoredRow[]): Promise<UnderWay[]> {
  const open = held.filter(({ isOpen }) => isOpen);
  const keysOf = (name: string) => open.filter(({ table }) => table === name).map(({ key }) => key.id as string);
  const payments = keysOf('payments');
  const tickets = await ticketsOf(db, payments, keysOf('ticket_messages'));
  const ids = [...new Set([...payments, ...tickets.map(({ payment_id }) => payment_id)])];
  const [unended, proposals, leads] = await Promise.all([
    db
      .selectFrom('payments')
      .select(['id', 'short_reference', 'state', 'transaction_type'])
      .where(sql<boolean>`id = any(${ids}::text[]) and not (${isOver})`)
      .orderBy('created_at')
      .limit(mostNamed)
      .execute(),
    db
      .selectFrom('approvals')
      .select(['id', 'kind'])
      .where('subject_kind', '=', 'payment')
      .where(sql<boolean>`subject_id = any(${ids}::text[]) and state = 'open' and expires_at > portal_now()`)
      .limit(mostNamed)
      .execute(),
    leadsOf(db, keysOf('leads'), keysOf('lead_notes')),
  ]);
  return [
    ...unended.map(({ id, short_reference: name, state, transaction_type: type }) => ({
      ...{ kind: 'payment' as const, id, name, state, type },
    })),
    ...tickets
      .filter(({ state }) => state !== 'solved')
      .map(({ id, state }) => ({ kind: 'ticket' as const, id, name: writeTicketNumber(id), state })),
    ...proposals.map(({ id, kind }) => ({ kind: 'proposal' as const, id, name: '', state: kind })),
    ...leads.map(({ id, stage }) => ({ kind: 'lead' as const, id, name: id, state: stage })),
    ...open
      .filter(({ table }) => table === 'pin_attempts')
      .map((_row, index) => ({ kind: 'wallet' as const, id: String(index), name: '', state: 'locked' })),
  ];
}

/** Of these payments, and of these messages. */
const ticketsOf = (db: Executor, payments: readonly string[], messages: readonly string[]) =>
  db
    .selectFrom('tickets')
    .select(['id', 'state', 'payment_id'])
    .where(
      sql<boolean>`(payment_id = any(${payments}::text[])
        or id in (select ticket_id from ticket_messages where id = any(${messages}::text[])))`,
    )
    .orderBy('opened_at')
    .limit(mostNamed)
    .execute();

const leadsOf = (db: Executor, leads: readonly string[], notes: readonly string[]) =>
  db
    .selectFrom('leads')
    .select(['id', 'stage'])
    .where(
      sql<boolean>`(id = any(${leads}::text[])
        or id in (select lead_id from lead_notes where id = any(${notes}::text[])))`,
    )
    .orderBy('created_at')
    .limit(mostNamed)
    .execute();
