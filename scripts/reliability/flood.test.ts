import { expect, test } from 'vitest';
import { createPostgres } from '../../server/src/testing/database.ts';
import { bar, quick, runFlood } from './flood.ts';

test('SEC-19 (quick form: 10 s; two minutes by npm run flood) during a flood of 20 requests a second from 4,000 addresses that solve challenges, 95 of 100 other customers get their code', async () => {
  const { url, drop } = await createPostgres(process.env.TEST_POSTGRES_URL ?? '', { migrated: true });
  const flood = { databaseUrl: url, ...quick, perSecond: 20, addresses: 4_000, isSolving: true };
  const report = await runFlood(flood).finally(drop);
  expect(report.share, JSON.stringify(report)).toBeGreaterThanOrEqual(bar);
  // The attack took place and was challenged.
  expect(report.attack.challenged).toBeGreaterThan(20);
});
