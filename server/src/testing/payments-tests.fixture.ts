import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Database } from '../db/database.ts';
import { createPayments, type Payments, type PaymentsDependencies } from '../payments/payments.service.ts';
import { testDatabase } from './database.ts';
import { emptyTables, type PaymentsWorld, paymentsWorld, prepareNotices } from './payments-world.ts';

/** The database of the test file that called `paymentsTests`; each test gets a new world. */
export let database: Database;
export let world: PaymentsWorld;

/** Starts every test of the file with empty tables and a new world. */
export function paymentsTests(): void {
  beforeAll(async () => {
    database = await testDatabase();
    await prepareNotices(database.db);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database.db);
    world = paymentsWorld(database);
  });
}

/** Advances the clock by `seconds`, with a sweep every `every` seconds. */
export async function live(seconds: number, every = 10): Promise<void> {
  for (let passed = 0; passed < seconds; passed += every) {
    world.advance(every);
    await world.sweep();
  }
}

/** Advances the clock to when the payment is due next, and sweeps. Returns how many seconds that took. */
export async function liveUntilDue(id: string): Promise<number> {
  const { due_at: due } = await world.paymentOf(id);
  if (!due) throw new Error('nothing is due any more');
  const seconds = (due.getTime() - world.now().getTime()) / 1000;
  world.advance(seconds);
  await world.sweep();
  return seconds;
}

/** The seconds between the next steps of the payment. */
export async function waitsOf(id: string, count: number): Promise<number[]> {
  const waits: number[] = [];
  while (waits.length < count) waits.push(await liveUntilDue(id));
  return waits;
}

/**
 * Suspends a process right before its next call for a payment in `state`, which is due in `seconds`, until another
 * process has taken the lease. The suspended one must notice that, without an error.
 */
export async function loseLease(id: string, state: string, seconds: number): Promise<void> {
  const release = world.holdLeaseChecks(state);
  world.advance(seconds);
  const suspended = world.sweep();
  for (let passed = 0; passed < 100; passed += 10) {
    world.advance(10);
    await world.anotherProcess().sweep(100);
  }
  release();
  await suspended;
  expect(world.leasesLost).toEqual([id]);
  expect(world.failedSteps).toEqual([]);
}

/** The payments service of a process with other dependencies. */
export function processWith(changed: (usual: PaymentsDependencies) => Partial<PaymentsDependencies>): Payments {
  const usual = world.dependencies();
  return createPayments({ ...usual, ...changed(usual) });
}

/** The payments service of a process whose statements fail with `error` once `fail` was called. */
export function failingProcess(
  error: Error,
  stepFailed: PaymentsDependencies['events']['stepFailed'] = (_id, failed) => void world.failedSteps.push(failed),
): { payments: Payments; fail: () => void } {
  let isFailing = false;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (isFailing) throw error;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return {
    payments: processWith(({ db, events }) => ({ db: db.withPlugin(plugin), events: { ...events, stepFailed } })),
    fail() {
      isFailing = true;
    },
  };
}
