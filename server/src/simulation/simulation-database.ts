import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
// How amounts are read is set there.
import '../db/database.ts';
import { sqlClock } from '../db/clock.ts';
import { createEpochs } from '../db/epochs.ts';
import { migrate } from '../db/migrate.ts';
import { named } from '../db/planned-once.ts';
import type { Schema } from '../db/schema.ts';
import { createPostgres, testPersonalData } from '../testing/database.ts';

export interface SimulationDatabase {
  /** As the checks see it: it never fails and never dies. */
  db: Kysely<Schema>;
  pool: pg.Pool;
  empty(): Promise<void>;
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
  const pool = new pg.Pool({ ...source.config, max: 1, Client: PlanningOnceClient });
  // The server may end a connection that is being closed when its database is dropped.
  pool.on('error', () => {});
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [testPersonalData()] });
  await migrate(db);
  // A copy of a prepared one has another name than the one that it was copied from.
  await createEpochs(db, sqlClock).check();
  let emptied = 0;
  return {
    db,
    pool,
    async empty() {
      // Deleting few rows is a fifth of truncating ten tables; the append-only ones need the triggers off.
      await sql`set session_replication_role = replica`.execute(db);
      for (const table of filled) await sql`delete from ${sql.table(table)}`.execute(db);
      await sql`set session_replication_role = origin`.execute(db);
      emptied += 1;
      if (emptied % 100 === 0) await sql`vacuum`.execute(db);
    },
    async close() {
      await db.destroy();
      await source.close();
    },
  };
}
