import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { createPayments, type Payments, type PaymentsDependencies, type Quote } from '../payments/payments.service.ts';
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
  /** What another process on the same database would run. */
  anotherProcess(): Payments;
  advance(seconds: number): void;
  now(): Date;
  /** An order stored and not yet paid for. */
  order(quote?: Partial<Quote>): Promise<string>;
  /** An order whose provider was asked, up to the first answer. */
  submitted(quote?: Partial<Quote>): Promise<string>;
  sweep(): Promise<number>;
  stateOf(id: string): Promise<string>;
  paymentOf(id: string): Promise<NonNullable<Awaited<ReturnType<Payments['find']>>>['payment']>;
  /** The events of the history, in order. */
  eventsOf(id: string): Promise<string[]>;
  postingsOf(id: string): Promise<string[]>;
  noticesOf(id: string): Promise<string[]>;
  failedSteps: unknown[];
  /** What became of each callback. */
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
  details: { item: { kind: 'airtime' } },
};

/** Messages go into a table through the payment's own transaction, so that a roll-back takes them along. */
export async function prepareNotices(db: Kysely<Schema>): Promise<void> {
  await sql`create table test_notices (payment_id text not null, kind text not null, position serial)`.execute(db);
}

export async function emptyTables(db: Kysely<Schema>): Promise<void> {
  await sql`truncate payments, pin_challenges, payment_history, idempotency_keys, callbacks, deliveries, ledger_postings, test_notices`.execute(
    db,
  );
}

let keys = 0;

/** The real service and store on a real database; providers and clock are the test's. */
export function paymentsWorld({ db }: Database): PaymentsWorld {
  const gateway = scriptedGateway();
  const charging = scriptedFulfilment();
  const billing = scriptedFulfilment();
  const orders = scriptedFulfilment();
  const failedSteps: unknown[] = [];
  const callbacks: PaymentsWorld['callbacks'] = [];
  let time = Date.parse('2026-03-02T08:00:00Z');
  const now = () => new Date(time);
  const events: Events = {
    created: () => {},
    moved: () => {},
    unclear: () => {},
    callback: (_provider, verdict) => void callbacks.push(verdict),
    stepFailed: (_id, error) => void failedSteps.push(error),
  };
  const create = () =>
    createPayments({
      db,
      now,
      gateways: new Map([[gateway.name, gateway]]),
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
  const payments = create();
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
    callbacks,
    anotherProcess: create,
    now,
    advance(seconds) {
      time += seconds * 1000;
    },
    order(quote = {}) {
      keys += 1;
      return payments.initiate({ ...testQuote, ...quote }, { key: `test-key-${keys}`, body: { keys } });
    },
    async submitted(quote) {
      const id = await world.order(quote);
      await payments.process(id);
      return id;
    },
    sweep: () => payments.sweep(100),
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
