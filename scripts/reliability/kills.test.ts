import { expect, test } from 'vitest';
import { createPostgres } from '../../server/src/testing/database.ts';
import { runKills } from './kills.ts';

const seed = 1;
const kills = 6;

test.concurrent('REL-2 (quick form: 6 kills; 200 by npm run test:long) on the embedded database, kills at random moments lose no acknowledged write and debit nobody twice', async () => {
  const report = await runKills({ kills, seed });
  expect(report.problems.join('\n')).toBe('');
  expect(report.payments).toBeGreaterThan(kills);
});

test.concurrent('REL-2 (quick form: 6 kills; 200 by npm run test:long) on PostgreSQL, kills at random moments lose no acknowledged write and debit nobody twice', async () => {
  const { url, drop } = await createPostgres(process.env.TEST_POSTGRES_URL ?? '', { migrated: true });
  const report = await runKills({ kills, seed, databaseUrl: url }).finally(drop);
  expect(report.problems.join('\n')).toBe('');
  expect(report.payments).toBeGreaterThan(kills);
});
