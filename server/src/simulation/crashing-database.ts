import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { testPersonalData } from '../testing/database.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Random } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The process is gone; whatever it was doing stops here. */
export class Crash extends Error {}

export class Process {
  isDead = false;
  readonly #faults: FaultPlan;

  constructor(faults: FaultPlan) {
    this.#faults = faults;
  }

  /** A place where a process may die: between any two steps that others can see. */
  edge = (): void => {
    // An edge is passed dozens of times in a payment; the rate is meant for a payment.
    if (!this.isDead && this.#faults.strikes('crash', 0.1)) this.isDead = true;
    if (this.isDead) throw new Crash('the process died');
  };
}

type Source = { connect(): Promise<{ query(...parameters: unknown[]): Promise<unknown>; release(): void }> };

/** The database as one process sees it: gone when the process is, sometimes busy, and never half committed. */
export function databaseOf(
  pool: Source,
  process: Process,
  parts: { faults: FaultPlan; random: Random; time: VirtualTime; changed: () => void },
): Kysely<Schema> {
  const wrapped: PostgresPool = {
    options: {},
    end: async () => {},
    connect: async () => {
      process.edge();
      parts.time.enter();
      const client = await pool.connect().catch((error: unknown) => {
        parts.time.leave();
        throw error;
      });
      let isInTransaction = false;
      const text = (query: unknown) => (typeof query === 'string' ? query : (query as { text?: string }).text) ?? '';
      const undo = async () => {
        if (isInTransaction) await client.query('rollback');
        isInTransaction = false;
      };
      return {
        async query(...parameters: unknown[]) {
          const statement = text(parameters[0]).trim().toLowerCase();
          if (statement === 'rollback') return undo().then(() => ({ command: 'ROLLBACK', rowCount: 0, rows: [] }));
          const isCommit = statement === 'commit';
          try {
            process.edge();
            if (parts.faults.strikes('databaseBusy', 0.2)) throw new Error('could not serialize access');
            const result = await client.query(...parameters);
            if (statement.startsWith('begin') || statement.startsWith('start transaction')) isInTransaction = true;
            if (isCommit) isInTransaction = false;
            if (isCommit || (!isInTransaction && !statement.startsWith('select'))) parts.changed();
            // After a commit the process may die without having learnt of it.
            if (isCommit || !isInTransaction) process.edge();
            return result;
          } catch (error) {
            await undo();
            throw error;
          }
        },
        release: () => {
          client.release();
          parts.time.leave();
        },
      } as unknown as PostgresPoolClient;
    },
  } as PostgresPool;
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: wrapped }), plugins: [testPersonalData()] });
}
