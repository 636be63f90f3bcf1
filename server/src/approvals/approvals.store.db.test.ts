import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { testDatabase } from '../testing/database.ts';
import * as store from './approvals.store.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
  await sql`create sequence ticks`.execute(database.db);
  await sql`
    insert into console_people (id, subject, email, name, roles, added_at, seen_at)
    values ('care', 'care', 'care@console.example', 'Hanta', '{care}', now(), now()),
      ('finance', 'finance', 'finance@console.example', 'Rivo', '{finance}', now(), now())`.execute(database.db);
});
afterAll(() => database.close());

/** A clock that advances with each reading, as the database's does within a statement. */
const ticking = (step: string): RawBuilder<Date> =>
  sql<Date>`(clock_timestamp() + nextval('ticks') * ${step}::interval)`;

const proposed = async (subject: string, now: RawBuilder<Date>): Promise<string> => {
  const fresh = {
    id: `proposal ${subject}`,
    kind: 'goodwill',
    subject: { kind: 'payment', id: subject },
    payload: { name: subject, amount: 1, currency: 'XTS' },
    ...{ reason: 'it took an hour', needsTwo: true, proposedBy: 'care', about: null },
  } as const;
  expect(await store.insert(database.db, fresh, now)).toBe(true);
  return fresh.id;
};

test('CNS-7 a proposal lasts seven days to the millisecond, though the clock goes on while it is stored', async () => {
  const id = await proposed('a', ticking('1 millisecond'));
  const found = await store.find(database.db, id, sql<Date>`now()`);
  expect((found?.expires_at.getTime() ?? 0) - (found?.proposed_at.getTime() ?? 0)).toBe(7 * 86_400_000);
});

test('a proposal that is decided in its last moment is decided or has run out, and is no error', async () => {
  const id = await proposed('b', sql<Date>`now()`);
  const { digest } = await store.digestOf(database.db, id);
  await sql`alter sequence ticks restart`.execute(database.db);
  // The first reading is before the expiry, the second after it.
  const now = sql<Date>`(now() + nextval('ticks') * interval '120 hours')`;
  expect(await store.approve(database.db, { id, digest, by: 'finance', now })).toBe(true);
});
