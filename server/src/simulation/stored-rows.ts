import { moneyState, shownStatus } from '@portal/domain/payment/shown-status.ts';
import type { PaymentState } from '@portal/domain/payment/transitions.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import type { Act } from './books.ts';
import { isLease, type Stored } from './crashing-database.ts';
import type { Observation, SeenPayment, Shown } from './observation.ts';
import type { VirtualTime } from './virtual-time.ts';

const hourMs = 3_600_000;
const leaseMs = 75_000;
/** Tables besides the payments. */
const allTables = ['payment_history', 'ledger_postings', 'simulation_messages', 'approvals', 'goodwill'] as const;
type Table = (typeof allTables)[number];

export type Rows = Pick<Observation, 'payments' | 'history' | 'postings' | 'messages' | 'proposals' | 'credits'>;

/** The portal's rows, read again after a statement that may have changed them. */
export class StoredRows {
  readonly #db: Kysely<Schema>;
  readonly #time: VirtualTime;
  readonly #changedTables = new Set<Table>(allTables);
  /** When each open payment is due, by its id. */
  #dues = new Map<string, number>();
  #readAt = 0;
  /** A row that matters has changed since the last `read`. */
  isChanged = true;
  /** When the next payment is due. */
  nextDueAt = Number.POSITIVE_INFINITY;
  /** The rows read last. */
  rows: Rows = { payments: [], history: [], postings: [], messages: [], proposals: [], credits: [] };
  /** What the customers' status pages show. */
  shown: Shown[] = [];

  constructor(db: Kysely<Schema>, time: VirtualTime) {
    this.#db = db;
    this.#time = time;
  }

  /**
   * Most statements store that an enquiry had no result, and when the next one is due. Of these only the due time is
   * noted, and the whole row is read once an hour; after every other statement it is read at once.
   */
  noteChanged(stored: readonly Stored[]): void {
    const { nowMs } = this.#time;
    for (const { statement, values } of stored) {
      const { due, id, tables, isLeasing, isOfPayments } = changeBy(statement);
      if (isLeasing) {
        for (const [leased, dueAt] of this.#dues) if (dueAt <= nowMs) this.#dues.set(leased, nowMs + leaseMs);
      } else if (due !== null && id !== null) {
        const dueAt = values[due];
        const at = dueAt instanceof Date ? dueAt.getTime() : Number.POSITIVE_INFINITY;
        this.#dues.set(String(values[id]), at);
        this.isChanged ||= at > nowMs + hourMs || nowMs > this.#readAt + hourMs;
      } else {
        for (const table of tables) this.#changedTables.add(table);
        this.isChanged ||= isOfPayments || this.#changedTables.size > 0;
      }
    }
    this.nextDueAt = Math.min(...this.#dues.values(), Number.POSITIVE_INFINITY);
  }

  /** The database was restored. */
  noteAllChanged(): void {
    this.isChanged = true;
    for (const table of allTables) this.#changedTables.add(table);
  }

  /** Reads payments, and the tables that changed. */
  async read(): Promise<Rows> {
    const tables = [...this.#changedTables];
    this.#changedTables.clear();
    const read = sql.join([paymentRows, ...tables.map((table) => tableRows[table])]);
    const { rows } = await sql<{ seen: Partial<Rows> }>`select json_build_object(${read}) as seen`.execute(this.#db);
    this.rows = { ...this.rows, ...rows[0]?.seen };
    const { payments, history } = this.rows;
    if (tables.includes('payment_history')) this.shown = payments.map((payment) => shownOf(payment, history));
    this.#dues = new Map(payments.flatMap(({ id, dueAt }) => (dueAt === null ? [] : [[id, dueAt]])));
    this.nextDueAt = Math.min(...this.#dues.values(), Number.POSITIVE_INFINITY);
    this.#readAt = this.#time.nowMs;
    return this.rows;
  }

  /** Adds to each act of a provider the row as it is stored now. */
  async addTo(acts: readonly Act[]): Promise<void> {
    for (const act of acts) {
      this.#time.enter();
      const row = await this.#db
        .selectFrom('payments')
        .select(['state', 'version'])
        .where('id', '=', act.reference)
        .executeTakeFirst();
      const credit = row
        ? undefined
        : await this.#db
            .selectFrom('goodwill')
            .select(['payment_id as payment', 'state'])
            .where('id', '=', act.reference)
            .executeTakeFirst();
      this.#time.leave();
      act.stored = row ?? null;
      if (credit) act.credit = credit;
    }
  }
}

/** What a statement changes, derived from its text. */
interface Change {
  /** If it only stores the next due time of a payment: the index of that value, and of the payment's id. */
  due: number | null;
  id: number | null;
  isLeasing: boolean;
  tables: readonly Table[];
  isOfPayments: boolean;
}
/** A cache by statement text. */
const changes = new Map<string, Change>();

function changeBy(statement: string): Change {
  let change = changes.get(statement);
  if (!change) {
    const [, due, id] =
      /^update "payments" set (?!.*"state" = ).*"due_at" = \$(\d+).* where "id" = \$(\d+)/.exec(statement) ?? [];
    change = {
      due: due ? Number(due) - 1 : null,
      id: id ? Number(id) - 1 : null,
      isLeasing: isLease(statement),
      tables: allTables.filter((table) => statement.includes(table)),
      isOfPayments: statement.includes('payments'),
    };
    changes.set(statement, change);
  }
  return change;
}

const inMs = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`;
const paymentRows = sql`
  'payments', (select coalesce(json_agg(json_build_object('id', id, 'order', order_digest, 'gateway', gateway,
    'item', details->'item'->>'kind', 'amount', amount, 'currency', currency, 'state', state, 'version', version,
    'reason', reason, 'submittedAt', ${inMs('submitted_at')}, 'changedAt', ${inMs('changed_at')}, 'dueAt', ${inMs('due_at')},
    'taken', case when taken_amount is not null then json_build_object('amount', taken_amount, 'currency', taken_currency) end,
    'epoch', epoch) order by created_at, id), '[]') from payments)`;
const tableRows = {
  payment_history: sql`
    'history', (select coalesce(json_agg(json_build_object('payment', payment_id, 'version', version, 'event', event,
      'from', from_state, 'to', to_state, 'reason', reason, 'at', ${inMs('at')}, 'by', settled_by)
      order by at, payment_id, version), '[]') from payment_history)`,
  ledger_postings: sql`
    'postings', (select coalesce(json_agg(json_build_object('payment', payment_id, 'kind', kind, 'debit', debit_account,
      'credit', credit_account, 'amount', amount, 'currency', currency)), '[]') from ledger_postings)`,
  simulation_messages: sql`
    'messages', (select coalesce(json_agg(json_build_object('payment', payment, 'kind', kind)), '[]')
      from simulation_messages)`,
  approvals: sql`
    'proposals', (select coalesce(json_agg(json_build_object('id', id, 'kind', kind, 'payment', subject_id,
      'amount', payload->'amount', 'state', state, 'proposedBy', proposed_by, 'approvedBy', approved_by)), '[]')
      from approvals)`,
  goodwill: sql`
    'credits', (select coalesce(json_agg(json_build_object('id', id, 'proposal', approval_id, 'payment', payment_id,
      'amount', amount, 'currency', currency, 'state', state, 'dueAt', ${inMs('due_at')})), '[]') from goodwill)`,
} satisfies Record<Table, unknown>;

/** The customer's view, by the portal's own function. */
function shownOf({ id, gateway, state }: SeenPayment, history: Rows['history']): Shown {
  const changes = history
    .filter(({ payment }) => payment === id)
    .map(({ to, event, at }) => ({ to: to as PaymentState, event, at: new Date(at) }));
  const waitingFor = pages.includes(gateway) ? 'redirect' : 'payer';
  return { payment: id, status: shownStatus(state as PaymentState, waitingFor), money: moneyState(changes) };
}
const pages = ['card', 'orange', 'paystack'];
