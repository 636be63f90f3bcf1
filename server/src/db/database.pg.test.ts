import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createPostgres } from '../testing/database.ts';
import { openDatabase } from './database.ts';
import { migrateServer } from './migrate.ts';

const limits = ['statement_timeout', 'idle_in_transaction_session_timeout'] as const;

test('REL-18 the portal has statement timeouts; a backup, a restore and a migration have none', async () => {
  const { url } = await createPostgres(process.env.TEST_POSTGRES_URL ?? '');
  const limitsOf = async (isUnlimited: boolean) => {
    const { db, close } = await openDatabase({ url, poolSize: 1, isUnlimited });
    const found = await sql<{ name: string; setting: string }>`
      select name, setting from pg_settings where name in (${sql.join([...limits])}) order by name desc`.execute(db);
    await close();
    return found.rows.map(({ setting }) => setting);
  };
  expect(await limitsOf(false)).toEqual(['15000', '15000']);
  expect(await limitsOf(true)).toEqual(['0', '0']);
  await migrateServer({ url });
  const { db, close } = await openDatabase({ url, poolSize: 1 });
  expect((await sql`select from payments`.execute(db)).rows).toEqual([]);
  await close();
});
