import { eventNames } from '@portal/contract/analytics.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { testDatabase } from '../testing/database.ts';
import { createAnalytics, mostKinds } from './analytics.service.ts';

let database: Database;
let time = Date.parse('2026-03-02T08:00:00Z');
const now = () => new Date(time);
const language = 'en-GB';

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('views and outcomes are counted by day, across processes', async () => {
  const [one, other] = [createAnalytics(database.db, now), createAnalytics(database.db, now)];
  for (const analytics of [one, other, other])
    analytics.count({ event: 'page_view', page_name: '261_homepage' }, language);
  one.count({ event: 'failure', page_name: '261_status', flow: 'payment', outcome: 'FAILED' }, language);
  await Promise.all([one.settle(), other.settle()]);
  await one.settle();
  expect(await one.since('2026-03-02')).toEqual([
    { event: 'page_view', page_name: '261_homepage', flow: '', outcome: '', count: 3 },
    { event: 'failure', page_name: '261_status', flow: 'payment', outcome: 'FAILED', count: 1 },
  ]);
  expect(await one.since('2026-03-03')).toEqual([]);
});

describe('made-up names', () => {
  const names = (first: number, count: number) => Array.from({ length: count }, (_, index) => `x_${first + index}`);
  const kinds = async (day: string) =>
    (await sql`select from event_days where day = ${day}`.execute(database.db)).rows.length;

  test('SEC-17 do not fill the table, however often and by however many processes they are flushed', async () => {
    const processes = [1, 2, 3].map(() => createAnalytics(database.db, now));
    for (const page_name of names(0, 2_000)) processes[0]?.count({ event: 'page_view', page_name }, language);
    await processes[0]?.settle();
    for (let round = 1; round <= 5; round += 1)
      for (const [index, analytics] of processes.entries()) {
        for (const page_name of names(10_000 * round + 1_000 * index, 100))
          analytics.count({ event: 'failure', page_name, flow: 'otp', outcome: page_name }, language);
        await analytics.settle();
      }
    expect(await kinds('2026-03-02')).toBeLessThanOrEqual(mostKinds + eventNames.length);
    const rows = await createAnalytics(database.db, now).since('2026-03-02');
    const of = (event: string) => rows.filter((row) => row.event === event);
    const total = (event: string) => of(event).reduce((sum, { count }) => sum + count, 0);
    expect([total('page_view'), total('failure')]).toEqual([2_000 + 3, 1_500 + 1]);
    expect(of('failure').find(({ page_name }) => page_name === 'other')?.count).toBe(1_500);
  });

  test('do not stop the count of existing names', async () => {
    const analytics = createAnalytics(database.db, now);
    analytics.count({ event: 'page_view', page_name: '261_homepage' }, language);
    await analytics.settle();
    const rows = await analytics.since('2026-03-02');
    expect(rows.find(({ page_name }) => page_name === '261_homepage')?.count).toBe(4);
  });

  test('SEC-17 are counted again on another day, and no day is kept for more than 13 months', async () => {
    time = Date.parse('2026-03-03T08:00:00Z');
    const analytics = createAnalytics(database.db, now);
    analytics.count({ event: 'page_view', page_name: '261_about' }, language);
    await analytics.settle();
    expect(await kinds('2026-03-03')).toBe(1);
    time = Date.parse('2027-04-02T12:00:00Z');
    await analytics.deleteExpired();
    expect(await kinds('2026-03-02')).toBeGreaterThan(1);
    time = Date.parse('2027-04-03T12:00:00Z');
    await analytics.deleteExpired();
    expect([await kinds('2026-03-02'), await kinds('2026-03-03')]).toEqual([0, 1]);
  });
});
