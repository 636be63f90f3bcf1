import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StatementEntry } from '../../connectors/ports.ts';
import type { Database } from '../../db/database.ts';
import { testDatabase } from '../../testing/database.ts';
import { manyId, storeMany } from '../../testing/many-payments.ts';
import { reconcileDay } from './payments.reconcile.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

// `npm run bench:sizes` compares 200,000, and measures how long the event loop is blocked.
test('REL-18 a day of 40,000 entries of a gateway is compared, while others get their turn', async () => {
  const entries = 40_000;
  const [missing, stranger] = [manyId(77), 'stranger'];
  await storeMany(database.db, 1, entries, 86_400);
  const listed = Array.from({ length: entries }, (_, index): StatementEntry => {
    const reference = manyId(index + 1) === missing ? stranger : manyId(index + 1);
    return { reference, amount: 1_000, currency: 'XTS', givenBack: false };
  });
  const fulfilment = {
    deliver: () => Promise.reject(new Error('nothing is delivered here')),
    findDelivery: async () => ({ kind: 'delivered', providerReference: 'x' }) as const,
  };

  let turns = 0;
  let isDone = false;
  const others = (async () => {
    for (; !isDone; turns += 1) await turn();
  })();
  const report = await reconcileDay(
    {
      db: database.db,
      statements: new Map([['wallet', { statement: async () => listed }]]),
      charging: fulfilment,
      billing: fulfilment,
      orders: fulfilment,
      timeZone: 'UTC',
      now: () => new Date(),
    },
    '2025-01-01',
  );
  isDone = true;
  await others;
  expect(report).toMatchObject({ taken: entries, delivered: entries, givenBack: 0, unanswered: [] });
  expect(report.differences).toEqual([
    { what: 'bookedNotTaken', gateway: 'wallet', reference: missing },
    { what: 'takenNotBooked', gateway: 'wallet', reference: stranger },
  ]);
  // Each list is processed in batches, with other tasks in between.
  expect(turns).toBeGreaterThan((3 * entries) / 2_000);
});
