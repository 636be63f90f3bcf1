import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { testDatabase } from '../testing/database.ts';
import { createAnalytics } from './analytics.service.ts';

let database: Database;
const now = () => new Date('2026-03-02T08:00:00Z');

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('views and outcomes are counted by day, over several processes', async () => {
  const [one, other] = [createAnalytics(database.db, now), createAnalytics(database.db, now)];
  for (const analytics of [one, other, other]) analytics.count({ event: 'page_view', page_name: '261_homepage' });
  one.count({ event: 'failure', page_name: '261_status', flow: 'payment', outcome: 'FAILED' });
  await Promise.all([one.settle(), other.settle()]);
  await one.settle();
  expect(await one.since('2026-03-02')).toEqual([
    { event: 'page_view', page_name: '261_homepage', flow: '', outcome: '', count: 3 },
    { event: 'failure', page_name: '261_status', flow: 'payment', outcome: 'FAILED', count: 1 },
  ]);
  expect(await one.since('2026-03-03')).toEqual([]);
});

test('made-up names do not fill the table', async () => {
  const analytics = createAnalytics(database.db, now);
  for (let index = 0; index < 2_000; index += 1) analytics.count({ event: 'page_view', page_name: `x_${index}` });
  await analytics.settle();
  const rows = await analytics.since('2026-03-02');
  expect(rows.length).toBeLessThan(510);
  expect(rows.find(({ page_name }) => page_name === 'other')?.count).toBe(1_500);
});
