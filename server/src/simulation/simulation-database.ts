import { readFileSync } from 'node:fs';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
// Imported for its side effect: it sets the parser for int8.
import '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import type { Schema } from '../db/schema.ts';
import { createPostgres, testPersonalData } from '../testing/database.ts';
import { deskPeople } from './desk.ts';
import { StatementClient } from './statement-client.ts';

export interface SimulationDatabase {
  /** The connection for the checks, without faults. */
  db: Kysely<Schema>;
  /** The pool that the portal's processes share. */
  clients: readonly pg.Client[];
  /** Whether a statement on this connection waits for another transaction's lock. */
  isBlocked(client: pg.Client): Promise<boolean>;
  /** Processor time used by the server, in seconds; null if the operating system does not provide it. */
  processorSeconds(): number | null;
  empty(): Promise<void>;
  /** Everything a backup of this moment would contain. */
  snapshot(): Promise<Snapshot>;
  /** Simulates a recovery on another server with the data of that moment. */
  restore(snapshot: Snapshot, now: Date): Promise<void>;
  close(): Promise<void>;
}

export type Snapshot = Record<string, unknown>;

const filled = [
  'payments',
  'approvals',
  'goodwill',
  'order_claims',
  'payment_history',
  'payment_evidence',
  'idempotency_keys',
  'callbacks',
  'deliveries',
  'ledger_postings',
  'pin_challenges',
  'codes',
  'proofs',
  'rate_limits',
  'simulation_messages',
];
/** Nearly always enough; a further task waits for a free connection. */
const connectionCount = 5;

/**
 * Statistics, logs and durability are off, since nothing reads them. A generic plan fits all values, because the tables
 * are tiny. Deadlocks are detected early, because every other task waits for them.
 */
const settings = `
  set deadlock_timeout = '50ms'; set plan_cache_mode = force_generic_plan; set jit = off; set synchronous_commit = off;
  set track_activities = off; set track_counts = off; set update_process_title = off;
  set log_min_messages = panic; set log_min_error_statement = panic`;

/** Uses the server's Unix socket if it is on this machine and accessible, which takes a third less time than TCP. */
async function nearest(url: string): Promise<pg.ClientConfig> {
  const { hostname, port, username, pathname } = new URL(url);
  if (hostname !== '127.0.0.1') return { connectionString: url };
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ folder: string }>(
    `select split_part(current_setting('unix_socket_directories'), ',', 1) as folder`,
  );
  await client.end();
  const near = { host: rows[0]?.folder ?? '', port: Number(port), user: username, database: pathname.slice(1) };
  const trial = new pg.Client(near);
  return trial.connect().then(
    () => trial.end().then(() => near),
    () => ({ connectionString: url }),
  );
}

/** Only for a process on this machine, and only if the operating system provides it. */
function secondsOf(pid: number): number | null {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? [];
    return (Number(user) + Number(system)) / ticksASecond;
  } catch {
    return null;
  }
}
const ticksASecond = 100;
const sumOf = (numbers: readonly (number | null)[]): number | null =>
  numbers.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0);

/** A database of its own on the server that TEST_POSTGRES_URL names, dropped after the simulation. */
export async function openSimulationDatabase(server = process.env.TEST_POSTGRES_URL): Promise<SimulationDatabase> {
  if (!server) throw new Error('TEST_POSTGRES_URL must name a PostgreSQL: npm run simulate brings one.');
  const { url, drop } = await createPostgres(server, { migrated: true });
  const address = await nearest(url);
  const pool = new pg.Pool({ ...address, max: 1, idleTimeoutMillis: 0, Client: StatementClient });
  // Dropping the database may end a connection that is just being closed.
  pool.on('error', () => {});
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [testPersonalData()] });
  await migrate(db);
  await sql
    .raw(`
      insert into console_people (id, subject, email, name, roles, added_at, seen_at)
        select name, name, name || '@console.example', name, '{}', now(), now()
        from unnest(array[${deskPeople.map((name) => `'${name}'`).join(', ')}]) name;
      create table simulation_messages (payment text not null, kind text not null);
      create table simulation_server (name text not null, now timestamptz not null);
      insert into simulation_server values ('1 1', now());
      -- A server that can be another one without being started again. In this language, which plans once for a connection.
      create or replace function portal_server() returns text language plpgsql volatile as
        'begin return (select name from simulation_server); end';
      create or replace function portal_now() returns timestamptz language plpgsql volatile as
        'begin return (select now from simulation_server); end';
      -- Nobody is invited here, and what others refer to cannot be unlogged.
      alter table console_invitations drop constraint console_invitations_proposal_fkey;
      -- What only finds faster finds nothing faster in tables of a few rows, and each update had to write all of it.
      do $$ declare unneeded regclass; begin
        for unneeded in select indexrelid from pg_index join pg_stat_user_indexes using (indexrelid)
          where not indisunique and relname in (${filled.map((table) => `'${table}'`).join(', ')}) loop
          execute format('drop index %s', unneeded);
        end loop; end $$;
      -- It empties and fills all tables of a world at once, on a connection for which the rules of the portal do not count.
      create function simulation_empty() returns void language plpgsql as $$
        begin ${filled.map((table) => `delete from ${table};`).join(' ')} delete from epochs;
          insert into epochs select 1, name, '2026-03-01', '2026-03-01', false, 0 from simulation_server; end $$;
      create function simulation_fill(stored jsonb) returns void language plpgsql as $$
        declare stored_table text;
        begin
          perform simulation_empty();
          delete from epochs;
          for stored_table in select jsonb_object_keys(stored) loop
            execute format('insert into %I overriding system value select * from jsonb_populate_recordset(null::%I, $1)',
              stored_table, stored_table) using stored -> stored_table;
          end loop;
        end $$;
      create function simulation_stored() returns jsonb language sql volatile as $$
        select jsonb_build_object(${[...filled, 'epochs']
          .map((table) => `'${table}', (select coalesce(jsonb_agg(t), '[]') from ${table} t)`)
          .join(', ')}) $$;`)
    .execute(db);
  for (const table of filled.toReversed()) await sql.raw(`alter table ${table} set unlogged`).execute(db);
  await sql.raw(settings).execute(db);
  const clients = Array.from({ length: connectionCount }, () => new StatementClient(address));
  const backends = new Map<pg.Client, number>();
  for (const client of clients) {
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    backends.set(client, rows[0]?.pid ?? 0);
    await client.query(settings);
  }
  // Changing this setting discards a connection's plans, so the statements that need it have their own connection.
  const keeper = new StatementClient(address);
  keeper.on('error', () => {});
  await keeper.connect();
  await keeper.query(`${settings}; set session_replication_role = replica`);
  const pidOf = 'select pg_backend_pid() as pid';
  const own = [await sql.raw<{ pid: number }>(pidOf).execute(db), await keeper.query<{ pid: number }>(pidOf)];
  let emptied = 0;
  let servers = 1;
  return {
    db,
    clients,
    async isBlocked(client) {
      const { rows } = await sql<{ isBlocked: boolean }>`
        select cardinality(pg_blocking_pids(${backends.get(client)})) > 0 as "isBlocked"`.execute(db);
      return rows[0]?.isBlocked ?? false;
    },
    processorSeconds: () => sumOf([...own.map(({ rows }) => rows[0]?.pid ?? 0), ...backends.values()].map(secondsOf)),
    async empty() {
      // Deleting a few rows takes a fifth of the time of truncating ten tables.
      await keeper.query('select simulation_empty()', []);
      emptied += 1;
      if (emptied % 50 === 0) await keeper.query(`vacuum ${filled.join(', ')}`);
    },
    async snapshot() {
      const { rows } = await sql<{ stored: Snapshot }>`select simulation_stored() as stored`.execute(db);
      return rows[0]?.stored ?? {};
    },
    async restore(snapshot, now) {
      servers += 1;
      await keeper.query('select simulation_fill($1::jsonb)', [JSON.stringify(snapshot)]);
      await sql`update simulation_server set name = ${`${servers} ${servers}`}, now = ${now}`.execute(db);
    },
    async close() {
      await Promise.all([keeper, ...clients].map((client) => client.end()));
      await db.destroy();
      await drop();
    },
  };
}
