import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { createLogger } from '../http/logging.ts';
import { testDatabase } from '../testing/database.ts';
import { type Jobs, startJobs } from './jobs.ts';

let database: Database;
let jobs: Jobs;
const ran: string[] = [];
const failing = new Set<string>();
const hanging = new Map<string, Promise<void>>();

beforeAll(async () => {
  database = await testDatabase();
  jobs = await startJobs(database.db, database.kind, createLogger('silent'));
  await jobs.work<{ name: string }>('notice', async ({ name }) => {
    ran.push(name);
    await hanging.get(name);
    if (failing.has(name)) throw new Error('the SMS centre is gone');
  });
});
afterAll(async () => {
  await jobs.stop();
  await database.close();
});

const send = (name: string) => jobs.send(database.db, 'notice', { name });

test('a job sent in a transaction that is rolled back never runs; one that is committed does', async () => {
  const rolledBack = database.db.transaction().execute(async (transaction) => {
    await jobs.send(transaction, 'notice', { name: 'rolled back' });
    throw new Error('changed our mind');
  });
  await expect(rolledBack).rejects.toThrow('changed our mind');
  await database.db.transaction().execute((transaction) => jobs.send(transaction, 'notice', { name: 'committed' }));
  await expect.poll(() => ran).toContain('committed');
  await send('later');
  await expect.poll(() => ran).toContain('later');
  expect(ran).not.toContain('rolled back');
});

test('REL-4 processes that start together on a new database all start', async () => {
  // The embedded database has one process.
  const count = database.kind === 'embedded' ? 1 : 4;
  const fresh = await testDatabase({ migrated: false });
  const log = createLogger('silent');
  const started = await Promise.all(Array.from({ length: count }, () => startJobs(fresh.db, fresh.kind, log)));
  await Promise.all(started.map((each) => each.stop()));
  await fresh.close();
});

test('a job that fails is tried again, and takes none of its neighbours along', async () => {
  failing.add('fails');
  await database.db.transaction().execute(async (transaction) => {
    for (const name of ['first', 'fails', 'last']) await jobs.send(transaction, 'notice', { name });
  });
  await expect.poll(() => ran.filter((name) => name === 'fails').length).toBeGreaterThanOrEqual(2);
  expect(ran.filter((name) => name === 'first')).toHaveLength(1);
  expect(ran.filter((name) => name === 'last')).toHaveLength(1);
  failing.clear();
});

test('REL-18 a message that hangs holds up no more than those taken along with it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  hanging.set('hangs', promise);
  await send('hangs');
  await expect.poll(() => ran).toContain('hangs');
  const names = Array.from({ length: 100 }, (_, index) => `beside ${index}`);
  await database.db.transaction().execute(async (transaction) => {
    for (const name of names) await jobs.send(transaction, 'notice', { name });
  });
  await expect.poll(() => ran).toEqual(expect.arrayContaining(names));
  resolve();
});
