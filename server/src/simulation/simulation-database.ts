import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
// How amounts are read is set there.
import '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import type { Schema } from '../db/schema.ts';

export interface SimulationDatabase {
  /** As the checks see it: it never fails and never dies. */
  db: Kysely<Schema>;
  pool: pg.Pool;
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** A real database in memory. One connection: processes take turns statement by statement, transactions whole. */
export async function openSimulationDatabase(): Promise<SimulationDatabase> {
  const pglite = await PGlite.create('memory://');
  const pool = new pg.Pool({ ...(createPgConfig(pglite) as unknown as pg.PoolConfig), max: 1 });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  await migrate(db);
  return {
    db,
    pool,
    async empty() {
      await sql`truncate payments, payment_history, idempotency_keys, callbacks, deliveries, ledger_postings,
        pin_challenges, codes, proofs, rate_limits`.execute(db);
    },
    async close() {
      await db.destroy();
      await pglite.close();
    },
  };
}
