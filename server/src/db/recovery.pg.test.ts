import { connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPostgres } from '../testing/database.ts';
import { type Database, openDatabase } from './database.ts';

let url: string;
let drop: () => Promise<void>;
const opened: Database[] = [];

beforeEach(async () => {
  ({ url, drop } = await createPostgres(process.env.TEST_POSTGRES_URL ?? ''));
});
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  await drop();
});

async function one(source: { url: string; queryTimeoutMs?: number }): Promise<Database['db']> {
  const database = await openDatabase({ ...source, poolSize: 1 });
  opened.push(database);
  return database.db;
}

test('REL-8 a connection to a server that is no longer the primary is replaced by a new one', async () => {
  const db = await one({ url });
  await sql`create table things (name text)`.execute(db);
  await sql`set session characteristics as transaction read only`.execute(db);
  await expect(sql`insert into things values ('lost')`.execute(db)).rejects.toMatchObject({ code: '25006' });
  await sql`insert into things values ('kept')`.execute(db);
  expect((await sql`select name from things`.execute(db)).rows).toEqual([{ name: 'kept' }]);
});

test('REL-8 a commit that was not replicated is reported as an error, and its connection is not reused', async () => {
  const db = await one({ url });
  await sql`set application_name = 'doubtful'`.execute(db);
  const warning = `do $$ begin raise warning 'canceling wait for synchronous replication due to user request'; end $$`;
  await expect(sql.raw(warning).execute(db)).rejects.toMatchObject({ code: '08007' });
  const { rows } = await sql<{ name: string }>`select current_setting('application_name') as name`.execute(db);
  expect(rows).toEqual([{ name: 'portal-2' }]);
});

test('REL-8 a connection that stops answering is given up after its timeout, inside a transaction too', async () => {
  const target = new URL(url);
  const server = { host: target.hostname, port: Number(target.port || 5432) };
  const held = new Set<Socket>();
  const cable = createServer((near) => {
    const far = connect(server);
    for (const socket of [near, far]) held.add(socket.on('error', () => {}));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => cable.listen(0, '127.0.0.1', resolve));
  target.hostname = '127.0.0.1';
  target.port = String((cable.address() as { port: number }).port);
  const db = await one({ url: target.href, queryTimeoutMs: 500 });
  await sql`select 1`.execute(db);
  for (const socket of held) socket.unpipe();
  const transaction = db.transaction().execute((each) => sql`select 2`.execute(each));
  await expect(transaction).rejects.toThrow('Query read timeout');
  expect((await sql`select 3 as three`.execute(db)).rows).toEqual([{ three: 3 }]);
  for (const database of opened.splice(0)) await database.close();
  for (const socket of held) socket.destroy();
  await new Promise((resolve) => cable.close(resolve));
});
