import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { testDatabase } from '../testing/database.ts';
import { type PaymentsWorld, paymentsWorld, prepareNotices } from '../testing/payments-world.ts';

let database: Database;
let world: PaymentsWorld;
beforeEach(async () => {
  database = await testDatabase();
  await prepareNotices(database.db);
  world = paymentsWorld(database);
});
afterEach(() => database.close());

test('REL-11 a payment of the current epoch is not sent if another task of the process has noticed a restore meanwhile', async () => {
  const id = await world.submitted();
  await sql`update payments set state = 'PAID', due_at = ${world.now()} where id = ${id}`.execute(database.db);
  let swept = Promise.resolve(0);
  await database.db.transaction().execute(async (transaction) => {
    // Blocks right before the delivery, after its epoch was checked.
    await sql`lock table deliveries in access exclusive mode`.execute(transaction);
    swept = world.sweep();
    await expect
      .poll(async () => (await sql`select from pg_locks where not granted`.execute(transaction)).rows.length)
      .toBe(1);
    await world.restore();
  });
  await swept;
  expect(world.charging.calls.deliver).toEqual([]);
  expect(world.leasesLost).toEqual([id]);
});
