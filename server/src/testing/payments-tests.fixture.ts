import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Database } from '../db/database.ts';
import { testDatabase } from './database.ts';
import { emptyTables, type PaymentsWorld, paymentsWorld, prepareNotices } from './payments-world.ts';

/** Of the test file that called `paymentsTests`; the world is another one for each test. */
export let database: Database;
export let world: PaymentsWorld;

/** Every test of the file begins with empty tables and a world of its own. */
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

/** Sweeps every so often until so much time has passed. */
export async function live(seconds: number, every = 10): Promise<void> {
  for (let passed = 0; passed < seconds; passed += every) {
    world.advance(every);
    await world.sweep();
  }
}
