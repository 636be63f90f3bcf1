import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { PaymentGateway } from '../connectors/ports.ts';
import { clockOf } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { createEpochs } from '../db/epochs.ts';
import type { Schema } from '../db/schema.ts';
import {
  createPayments,
  type Payments,
  type PaymentsDependencies,
  type Quote,
  referencesBy,
} from '../payments/payments.service.ts';
import {
  type ScriptedFulfilment,
  type ScriptedGateway,
  scriptedFulfilment,
  scriptedGateway,
} from './scripted-providers.ts';

type Events = PaymentsDependencies['events'];

export interface PaymentsWorld {
  gateway: ScriptedGateway;
  charging: ScriptedFulfilment;
  billing: ScriptedFulfilment;
  orders: ScriptedFulfilment;
  payments: Payments;
  gateways: Map<string, PaymentGateway>;
  /** The payments service of another process on the same database. */
  anotherProcess(): Payments;
  dependencies(): PaymentsDependencies;
  /**
   * Suspends the first process at the fence of a call for a payment in the given state, until the returned function is
   * called.
   */
  holdLeaseChecks(state: string): () => void;
  advance(seconds: number): void;
  now(): Date;
  /** Stores an order without processing it. */
  order(quote?: Partial<Quote>): Promise<string>;
  /** Stores and processes an order, up to the provider's first response. */
  submitted(quote?: Partial<Quote>): Promise<string>;
  sweep(): Promise<number>;
  /** Simulates a recovery: the database is on another server than the one seen last. */
  restore(): Promise<void>;
  stateOf(id: string): Promise<string>;
  paymentOf(id: string): Promise<NonNullable<Awaited<ReturnType<Payments['find']>>>['payment']>;
  /** The events of the payment's history, in order. */
  eventsOf(id: string): Promise<string[]>;
  postingsOf(id: string): Promise<string[]>;
  noticesOf(id: string): Promise<string[]>;
  failedSteps: unknown[];
  /** What was reported to log and metrics: from, to and the event. */
  moves: [string, string, string][];
  /** Calls whose response proved nothing, with what was reported. */
  unclear: [string, string][];
  /** Payments whose call was not made because the lease was lost. */
  leasesLost: string[];
  /** The verdict of each callback. */
  callbacks: Parameters<Events['callback']>[1][];
}

export const testQuote: Quote = {
  gateway: 'wallet',
  paymentMode: 'WALLET',
  transactionType: 'PREPAID_RECHARGE',
  amount: 5_000,
  currency: 'XTS',
  msisdn: '0390000001',
  payerMsisdn: null,
  payerProof: null,
  proofDigest: null,
  email: null,
  productCode: null,
  description: null,
  accountId: null,
  invoiceNumber: null,
  language: 'en-GB',
  visit: null,
  orderId: null,
  orderDigest: null,
  details: { item: { kind: 'airtime' } },
};

/** An order with personal data in every field that can hold it. */
export const persons = {
  msisdn: '0390000123',
  payerMsisdn: '0390000124',
  payerProof: 'code',
  email: 'client@example.mg',
  accountId: 'PA1000000001',
  invoiceNumber: 'INV-77',
  visit: 'a-visit',
  details: { item: { kind: 'bill', accountNo: 'PA1000000001', billNo: 'INV-77' } },
} as const;

/** Messages are written to a table in the payment's own transaction, so that a rollback removes them. */
export async function prepareNotices(db: Kysely<Schema>): Promise<void> {
  await sql`create table test_notices (payment_id text not null, kind text not null, position serial)`.execute(db);
}

export async function emptyTables(db: Kysely<Schema>): Promise<void> {
  await sql`truncate payments, goodwill, order_claims, pin_challenges, payment_history, payment_evidence, idempotency_keys, callbacks, deliveries, ledger_postings, test_notices`.execute(
    db,
  );
}

let keys = 0;

/** The real service and store on a real database, with scripted providers and a test clock. */
export function paymentsWorld({ db }: Database): PaymentsWorld {
  const gateway = scriptedGateway();
  const charging = scriptedFulfilment();
  const billing = scriptedFulfilment();
  const orders = scriptedFulfilment();
  const failedSteps: unknown[] = [];
  const moves: PaymentsWorld['moves'] = [];
  const unclear: PaymentsWorld['unclear'] = [];
  const callbacks: PaymentsWorld['callbacks'] = [];
  const leasesLost: string[] = [];
  let time = Date.parse('2026-03-02T08:00:00Z');
  const now = () => new Date(time);
  const clock = clockOf(now);
  const gateways = new Map<string, PaymentGateway>([[gateway.name, gateway]]);
  let held: { state: string; until: Promise<void> } | null = null;
  /** The database as the first process sees it. */
  const pausedDb = new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (name !== 'getExecutor') return typeof value === 'function' ? value.bind(target) : value;
      return () => new Proxy(target.getExecutor(), { get: executorPart });
    },
  });
  function executorPart(executor: ReturnType<typeof db.getExecutor>, name: string | symbol) {
    const value = Reflect.get(executor, name, executor);
    if (name !== 'executeQuery') return typeof value === 'function' ? value.bind(executor) : value;
    return async (query: CompiledQuery) => {
      if (held && query.sql.includes('leftMs')) {
        const payments = await db.selectFrom('payments').select(['id', 'state']).execute();
        const asked = payments.find(({ id }) => query.parameters.includes(id));
        if (asked?.state === held.state) await held.until;
      }
      return executor.executeQuery(query);
    };
  }
  const epochs = createEpochs(db, clock);
  const events: Events = {
    created: () => {},
    moved: ({ state }, from, event) => void moves.push([from, state, event]),
    unclear: (_payment, call, detail) => void unclear.push([call, detail]),
    credited: () => {},
    leaseLost: ({ id }) => void leasesLost.push(id),
    callback: (_provider, verdict) => void callbacks.push(verdict),
    stepFailed: (_id, error) => void failedSteps.push(error),
  };
  const dependencies = (connected: Kysely<Schema> = db): PaymentsDependencies => ({
    db: connected,
    clock,
    epochs,
    referencesOf: referencesBy('a secret of tests'),
    settledLimitMs: 300,
    gateways,
    charging,
    billing,
    orders,
    guards: { submitting: async () => {}, refused: async () => {}, paid: async () => {} },
    returnUrl: ({ id }) => `https://portal.example/payment/status?id=${id}`,
    notify: async (transaction, { paymentId, kind }) => {
      await sql`insert into test_notices (payment_id, kind) values (${paymentId}, ${kind})`.execute(transaction);
    },
    events,
  });
  const create = (connected?: Kysely<Schema>) => createPayments(dependencies(connected));
  const payments = create(pausedDb);
  const column = async (table: string, name: string, order: string, id: string) => {
    const rows = await sql<{ value: string }>`
      select ${sql.ref(name)} as value from ${sql.table(table)} where payment_id = ${id} order by ${sql.ref(order)}`.execute(
      db,
    );
    return rows.rows.map((row) => row.value);
  };
  const world: PaymentsWorld = {
    gateway,
    charging,
    billing,
    orders,
    payments,
    failedSteps,
    moves,
    unclear,
    callbacks,
    leasesLost,
    anotherProcess: () => create(),
    dependencies,
    gateways,
    holdLeaseChecks(state) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = { state, until: promise };
      return () => {
        held = null;
        resolve();
      };
    },
    now,
    advance(seconds) {
      time += seconds * 1000;
    },
    order(quote = {}) {
      keys += 1;
      const attempt = { key: `test-key-${keys}`, body: { keys } };
      return payments.initiate({ ...testQuote, ...quote }, attempt).then(({ id }) => id);
    },
    async submitted(quote) {
      const id = await world.order(quote);
      await payments.process(id);
      return id;
    },
    sweep: () => payments.sweep(100),
    async restore() {
      time += 1000;
      await sql`update epochs set server = 'another ' || server`.execute(db);
      await epochs.check();
    },
    async paymentOf(id) {
      const found = await payments.find(id);
      if (!found) throw new Error('the payment is gone');
      return found.payment;
    },
    stateOf: async (id) => (await world.paymentOf(id)).state,
    eventsOf: (id) => column('payment_history', 'event', 'version', id),
    postingsOf: (id) => column('ledger_postings', 'kind', 'at', id),
    noticesOf: (id) => column('test_notices', 'kind', 'position', id),
  };
  return world;
}
