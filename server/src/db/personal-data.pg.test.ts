import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPostgres, testDatabase } from '../testing/database.ts';
import { storeMany } from '../testing/many-payments.ts';
import { fillOlder } from '../testing/older-database.ts';
import { paymentsWorld, prepareNotices } from '../testing/payments-world.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { isHashOf, PersonalData, withPersonalData } from './personal-data.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
  const key = (id: string) => ({ id, secret: `the key ${id} `.repeat(5) });
  const data = new PersonalData({ keys: [key('new'), key('old')], secret: 'the secret of the portal' });
  database = { ...database, db: withPersonalData(database.db, data) };
  await prepareNotices(database.db);
  await storeMany(database.db, 1, 100_000);
});
afterAll(() => database.close());

test('SEC-26 (found by a keyed hash) payments are found by number, payer and email through an index, also while keys rotate', async () => {
  const world = paymentsWorld(database);
  const persons = { msisdn: '0390000123', payerMsisdn: '0390000124', email: 'Client@example.mg' } as const;
  const id = await world.submitted(persons);
  await sql`analyze payments`.execute(database.db);
  const isPaid = sql<boolean>`submitted_at is not null`;
  for (const [column, sought, where] of [
    ['msisdn_hash', ['number', '0390000123'], sql<boolean>`true`],
    ['payer_hash', ['number', '0390000124'], isPaid],
    ['email_hash', ['email', 'client@example.mg'], isPaid],
  ] as const) {
    const query = database.db
      .selectFrom('payments')
      .select('id')
      .where(isHashOf(database.db, column, [...sought]))
      .where(where)
      .orderBy('created_at', 'desc')
      .limit(50);
    expect(await query.execute(), column).toEqual([{ id }]);
    expect(JSON.stringify(await query.explain()), column).toMatch(/Index (Only )?Scan|Bitmap Index Scan/);
    expect(JSON.stringify(await query.explain()), column).not.toContain('Seq Scan');
  }
});

test('SEC-26 the upgrade waits until no portal of the old version runs, since that one cannot read encrypted values', async () => {
  const { url, drop } = await createPostgres(process.env.TEST_POSTGRES_URL ?? '');
  const own = await openDatabase({ url, poolSize: 1 });
  const before = new pg.Client({ connectionString: url, application_name: 'portal' });
  try {
    await fillOlder(own.db);
    await before.connect();
    await expect(migrate(own.db)).rejects.toThrow('portals of the version before are connected');
    await before.end();
    const upgraded = () => migrate(own.db).catch((error: Error) => [error.message]);
    await expect.poll(upgraded).toContain('0051-personal-data.sql');
  } finally {
    await own.close();
    await drop();
  }
});
