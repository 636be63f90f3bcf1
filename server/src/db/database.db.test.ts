import { setImmediate } from 'node:timers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import type { Database } from './database.ts';

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('the embedded database yields to the event loop after each query', async () => {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  for (let query = 0; query < 100; query += 1) await sql`select 1`.execute(database.db);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(100);
});

test('amounts are read as integers, and one beyond the safe integers is refused', async () => {
  const { rows } = await sql<{ amount: number }>`select 9007199254740991::bigint as amount`.execute(database.db);
  expect(rows).toEqual([{ amount: Number.MAX_SAFE_INTEGER }]);
  await expect(sql`select 9007199254740993::bigint`.execute(database.db)).rejects.toThrow('too large');
});
