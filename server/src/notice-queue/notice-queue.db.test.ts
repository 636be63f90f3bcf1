import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { createLogger } from '../http/logging.ts';
import { testDatabase } from '../testing/database.ts';
import { type NoticeQueue, startNoticeQueue } from './notice-queue.ts';

let database: Database;
let queue: NoticeQueue;
const ran: string[] = [];
const failing = new Set<string>();
const hanging = new Map<string, Promise<void>>();

beforeAll(async () => {
  database = await testDatabase();
  queue = await startNoticeQueue(database.db, database.kind, createLogger('silent'));
  await queue.work<{ name: string }>(async ({ name }) => {
    ran.push(name);
    await hanging.get(name);
    if (failing.has(name)) throw new Error('the SMS centre is gone');
  });
});
afterAll(async () => {
  await queue.stop();
  await database.close();
});

const send = (name: string, inOrderOf = name) => queue.send(database.db, { name }, inOrderOf);

test('a notice is sent if its transaction is committed, and never if it is rolled back', async () => {
  const rolledBack = database.db.transaction().execute(async (transaction) => {
    await queue.send(transaction, { name: 'rolled back' }, 'rolled back');
    throw new Error('changed our mind');
  });
  await expect(rolledBack).rejects.toThrow('changed our mind');
  await database.db.transaction().execute((transaction) => queue.send(transaction, { name: 'committed' }, 'committed'));
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
  const started = await Promise.all(Array.from({ length: count }, () => startNoticeQueue(fresh.db, fresh.kind, log)));
  await Promise.all(started.map((each) => each.stop()));
  await fresh.close();
});

test('a failed notice is retried without the others of its batch', async () => {
  failing.add('fails');
  await database.db.transaction().execute(async (transaction) => {
    for (const name of ['first', 'fails', 'last']) await queue.send(transaction, { name }, name);
  });
  await expect.poll(() => ran.filter((name) => name === 'fails').length).toBeGreaterThanOrEqual(2);
  expect(ran.filter((name) => name === 'first')).toHaveLength(1);
  expect(ran.filter((name) => name === 'last')).toHaveLength(1);
  failing.clear();
});

test('REL-18 a message that hangs blocks only its own batch', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  hanging.set('hangs', promise);
  await send('hangs');
  await expect.poll(() => ran).toContain('hangs');
  const names = Array.from({ length: 100 }, (_, index) => `beside ${index}`);
  await database.db.transaction().execute(async (transaction) => {
    for (const name of names) await queue.send(transaction, { name }, name);
  });
  await expect.poll(() => ran).toEqual(expect.arrayContaining(names));
  resolve();
});

test('MNY-1 messages about one payment are sent in the order of its states, also if the first hangs or is retried', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  hanging.set('going back', promise);
  failing.add('going back');
  for (const name of ['going back', 'given back']) await send(name, 'one payment');
  await expect.poll(() => ran).toContain('going back');
  await send('of another payment');
  await expect.poll(() => ran).toContain('of another payment');
  expect(ran).not.toContain('given back');
  resolve();
  const tries = () => ran.filter((name) => name === 'going back').length;
  await expect.poll(tries).toBeGreaterThanOrEqual(2);
  expect(ran).not.toContain('given back');
  failing.clear();
  await expect.poll(() => ran).toContain('given back');
  expect(ran.lastIndexOf('going back')).toBeLessThan(ran.indexOf('given back'));
});

test('notices that an older version enqueued without an order are sent too', async () => {
  const insert = (name: string) =>
    sql`insert into jobs.job (name, data) values ('notice', ${JSON.stringify({ name })}::jsonb)`.execute(database.db);
  await insert('of an older version');
  await expect.poll(() => ran).toContain('of an older version');
});
