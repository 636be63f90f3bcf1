import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { paymentsWorld, prepareNotices, testQuote } from '../testing/payments-world.ts';
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

test('applies every migration the first time and none the second', async () => {
  expect(await migrate(database.db)).toEqual(files);
  const before = await tables();
  expect(before).toEqual(expect.arrayContaining(['payments', 'payment_history', 'ledger_postings', 'migrations']));
  expect(await migrate(database.db)).toEqual([]);
  expect(await tables()).toEqual(before);
});

test('of several concurrent runs one migrates and the others wait for it', async () => {
  const done = await Promise.all([1, 2, 3, 4].map(() => migrate(database.db)));
  expect(done.flat().sort()).toEqual(files);
  const stored = await sql<{ name: string }>`select name from migrations order by name`.execute(database.db);
  expect(stored.rows.map((row) => row.name)).toEqual(files);
});

test('a database that a newer version contracted is refused with a clear message and left unchanged', async () => {
  await migrate(database.db);
  await sql`insert into migrations (name) values ('9999-from-the-future.contract.sql')`.execute(database.db);
  await expect(migrate(database.db)).rejects.toThrow(
    'The database is newer than this program: 9999-from-the-future.contract.sql took away what it needs.',
  );
});

/** What the next version may add: a column that is nullable or has a default, a table, an index. */
const next = `
  alter table payments add column added_next text, add column counted_next integer not null default 0;
  create index payments_next on payments (added_next);
  create table next_things (id text primary key, payment_id text references payments (id));
`;

test('rollback: this version sells on the schema of the next one, and the next one continues from there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-next-'));
  for (const file of files) await copyFile(new URL(`./migrations/${file}`, import.meta.url), join(folder, file));
  await writeFile(join(folder, '9999-next.sql'), next);
  const nextFolder = pathToFileURL(`${folder}/`);
  expect(await migrate(database.db, nextFolder)).toEqual([...files, '9999-next.sql']);

  expect(await migrate(database.db)).toEqual([]);
  await prepareNotices(database.db);
  const world = paymentsWorld(database);
  const { amount, currency } = testQuote;
  world.gateway.answers.enquire = () => ({ kind: 'paid', providerReference: 'P1', amount, currency });
  const id = await world.submitted();
  world.advance(10);
  await world.sweep();
  expect(await world.stateOf(id)).toBe('SUCCEEDED');

  expect(await migrate(database.db, nextFolder)).toEqual([]);
  const kept = await sql`select counted_next, added_next from payments where id = ${id}`.execute(database.db);
  expect(kept.rows).toEqual([{ counted_next: 0, added_next: null }]);
  await rm(folder, { recursive: true });
});

/** The last migration before this rule. Versions up to it can only be rolled back from a backup. */
const lastWithoutRule = '0071';
/** Changes that break the version before, which reads and writes the same columns as ever. */
const breaking = [
  /\bdrop\s+(table|column|view|function|type)\b/i,
  /\brename\b/i,
  /\bset\s+not\s+null\b/i,
  /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i,
  /\badd\s+column\s+(?:if not exists\s+)?\w+[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)(?<!\bdefault\b[^,;]*)/i,
  /\badd\s+constraint\b/i,
  /\bcreate\s+unique\s+index\b/i,
];

/** Columns and tables that the version before does not know may have any constraint. */
function withoutOwnRules(text: string): string {
  const fresh = [...text.matchAll(/\bcreate\s+table\s+(\w+)/gi)].map(([, name]) => name);
  return text.replace(/\bcreate\s+unique\s+index\s+\w+\s+on\s+(\w+)/gi, (found, table) =>
    fresh.includes(table) ? '' : found,
  );
}

test('a migration only expands the schema, unless its name says that it contracts it', () => {
  const breaks = (text: string) => breaking.some((pattern) => pattern.test(withoutOwnRules(text)));
  expect(breaks(next)).toBe(false);
  expect(breaks('alter table payments add column x text not null;')).toBe(true);
  expect(breaks('alter table payments drop column x;')).toBe(true);
  expect(breaks('create unique index one on payments (id);')).toBe(true);
  expect(breaks('create table fresh (id text); create unique index one on fresh (id);')).toBe(false);
  for (const file of files.filter((name) => name.slice(0, 4) > lastWithoutRule && !name.endsWith('.contract.sql')))
    expect(breaks(readFileSync(new URL(`./migrations/${file}`, import.meta.url), 'utf8')), file).toBe(false);
});

test('a failed migration is rolled back as a whole', async () => {
  await sql`create table rate_limits (another text)`.execute(database.db);
  await expect(migrate(database.db)).rejects.toThrow();
  expect(await tables()).toEqual(['rate_limits']);
});
