import { readdirSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';

const files = readdirSync(new URL('./migrations/', import.meta.url)).sort();

let database: Database;
beforeEach(async () => {
  database = await testDatabase({ migrated: false });
});
afterEach(() => database.close());

const tables = async () => {
  const found = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`.execute(
    database.db,
  );
  return found.rows.map((row) => row.name);
};

test('brings everything the first time, nothing the second', async () => {
  expect(await migrate(database.db)).toEqual(files);
  const before = await tables();
  expect(before).toEqual(expect.arrayContaining(['payments', 'payment_history', 'ledger_postings', 'migrations']));
  expect(await migrate(database.db)).toEqual([]);
  expect(await tables()).toEqual(before);
});

test('several at once wait for each other: one does the work', async () => {
  const done = await Promise.all([1, 2, 3, 4].map(() => migrate(database.db)));
  expect(done.flat().sort()).toEqual(files);
  const stored = await sql<{ name: string }>`select name from migrations order by name`.execute(database.db);
  expect(stored.rows.map((row) => row.name)).toEqual(files);
});

test('a database of a newer program is refused in words and left as it is', async () => {
  await migrate(database.db);
  await sql`insert into migrations (name) values ('9999-from-the-future.sql')`.execute(database.db);
  await expect(migrate(database.db)).rejects.toThrow(
    'The database is newer than this program: it has 9999-from-the-future.sql. Run the newer version.',
  );
});

test('a migration that fails leaves nothing behind', async () => {
  await sql`create table rate_limits (another text)`.execute(database.db);
  await expect(migrate(database.db)).rejects.toThrow();
  expect(await tables()).toEqual(['rate_limits']);
});
