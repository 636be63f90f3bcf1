import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
// How amounts are read is set there.
import '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { named } from '../db/planned-once.ts';
import type { Schema } from '../db/schema.ts';
import { createPostgres, testPersonalData } from '../testing/database.ts';

export interface SimulationDatabase {
  /** As the checks see it: it never fails and never dies. */
  db: Kysely<Schema>;
  pool: pg.Pool;
  empty(): Promise<void>;
  /** All that a backup would hold of this moment. */
  snapshot(): Promise<Record<string, unknown>>;
  /** As after a recovery: what is stored is that moment's, and the server is another one. */
  restore(snapshot: Record<string, unknown>): Promise<void>;
  close(): Promise<void>;
}

const filled = [
  'payments',
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
];

/** Its tables never change, so every statement may be planned once: the same few run hundreds of thousands of times. */
class PlanningOnceClient extends pg.Client {
  override query = ((...parameters: unknown[]): unknown =>
    (pg.Client.prototype.query as (...parameters: unknown[]) => unknown).apply(
      this,
      named(parameters),
    )) as pg.Client['query'];
}

interface Source {
  config: pg.PoolConfig;
  close(): Promise<void>;
}

async function inMemory(): Promise<Source> {
  const pglite = await PGlite.create('memory://');
  return { config: createPgConfig(pglite) as unknown as pg.PoolConfig, close: () => pglite.close() };
}

async function onServer(server: string): Promise<Source> {
  const { url, drop } = await createPostgres(server, { migrated: true });
  return { config: { connectionString: url }, close: drop };
}

/**
 * A real database: on the server that TEST_POSTGRES_URL names, which takes half the time, or else in memory. One
 * connection: processes take turns statement by statement, transactions whole, so that a seed lives the same life on both.
 */
export async function openSimulationDatabase(server = process.env.TEST_POSTGRES_URL): Promise<SimulationDatabase> {
  const source = await (server ? onServer(server) : inMemory());
  const pool = new pg.Pool({ ...source.config, max: 1, idleTimeoutMillis: 0, Client: PlanningOnceClient });
  // The server may end a connection that is being closed when its database is dropped.
  pool.on('error', () => {});
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [testPersonalData()] });
  await migrate(db);
  await sql`create table simulation_messages (payment text not null, kind text not null)`.execute(db);
  await sql`create table simulation_server (name text not null)`.execute(db);
  await sql`insert into simulation_server values ('1 1')`.execute(db);
  // A server that can be another one without being started again.
  await sql`create or replace function portal_server() returns text language sql volatile as
    'select name from simulation_server'`.execute(db);
  const tables = [...filled, 'simulation_messages'];
  const withoutTriggers = async (act: () => Promise<void>) => {
    await sql`set session_replication_role = replica`.execute(db);
    await act();
    await sql`set session_replication_role = origin`.execute(db);
  };
  const clear = async () => {
    for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(db);
  };
  let emptied = 0;
  let servers = 1;
  return {
    db,
    pool,
    async empty() {
      // Deleting few rows is a fifth of truncating ten tables; the append-only ones need the triggers off.
      await withoutTriggers(clear);
      await sql`delete from epochs`.execute(db);
      await sql`insert into epochs select 1, name, '2026-03-01', '2026-03-01', false, 0 from simulation_server`.execute(
        db,
      );
      emptied += 1;
      if (emptied % 100 === 0) await sql`vacuum`.execute(db);
    },
    async snapshot() {
      const rows: Record<string, unknown> = {};
      for (const table of [...tables, 'epochs']) {
        const found = await sql<{ rows: unknown }>`select json_agg(t) as rows from ${sql.table(table)} t`.execute(db);
        rows[table] = found.rows[0]?.rows ?? [];
      }
      return rows;
    },
    async restore(snapshot) {
      await withoutTriggers(async () => {
        await clear();
        await sql`delete from epochs`.execute(db);
        for (const [table, rows] of Object.entries(snapshot))
          await sql`insert into ${sql.table(table)} overriding system value select * from json_populate_recordset(null::${sql.table(table)},
            ${JSON.stringify(rows)}::json)`.execute(db);
      });
      servers += 1;
      await sql`update simulation_server set name = ${`${servers} ${servers}`}`.execute(db);
    },
    async close() {
      await db.destroy();
      await source.close();
    },
  };
}
