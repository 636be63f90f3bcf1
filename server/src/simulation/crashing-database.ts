import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { PersonalData } from '../db/personal-data.ts';
import type { Schema } from '../db/schema.ts';
import type { Connections } from './connections.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Random } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The process died. Throwing this ends its tasks. */
export class Crash extends Error {}

export class Process {
  isDead = false;
  readonly #faults: FaultPlan;

  constructor(faults: FaultPlan) {
    this.#faults = faults;
  }

  /** A point where the process may die: between any two effects visible outside. */
  edge = (): void => {
    // The rate is per payment, and a payment passes dozens of these points.
    if (!this.isDead && this.#faults.strikes('crash', 0.1)) this.isDead = true;
    if (this.isDead) throw new Crash('the process died');
  };
}

/** What a statement does, derived from its text. */
interface Kind {
  statement: string;
  isBegin: boolean;
  isCommit: boolean;
  isRollback: boolean;
  isSelect: boolean;
  isLease: boolean;
}
/** A cache: about a hundred texts are sent hundreds of thousands of times. */
const kinds = new Map<string, Kind>();

function kindOf(query: unknown): Kind {
  const text = (typeof query === 'string' ? query : (query as { text?: string }).text) ?? '';
  let kind = kinds.get(text);
  if (!kind) {
    const statement = text.trim().toLowerCase();
    kind = {
      statement,
      isBegin: statement.startsWith('begin') || statement.startsWith('start transaction'),
      isCommit: statement === 'commit',
      isRollback: statement === 'rollback',
      isSelect: statement.startsWith('select'),
      isLease: isLease(statement),
    };
    kinds.set(text, kind);
  }
  return kind;
}

/** Leases due payments: it changes only their due time. */
export const isLease = (statement: string): boolean =>
  statement.startsWith('update payments set due_at = $1 where id in');
/** `update … returning` has no guaranteed order, and a seed must be reproducible. */
const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);

export interface Stored {
  statement: string;
  values: readonly unknown[];
}

interface Parts {
  connections: Connections;
  faults: FaultPlan;
  random: Random;
  time: VirtualTime;
  personalData: PersonalData;
  /** Called with every writing statement, after its commit. */
  changed: (statements: readonly Stored[]) => void;
}

/** The database as one process sees it: it fails when the process dies, is sometimes busy, and never half commits. */
export function databaseOf(process: Process, parts: Parts): Kysely<Schema> {
  const { connections, faults, random, time } = parts;
  const wrapped: PostgresPool = {
    options: {},
    end: async () => {},
    connect: async () => {
      process.edge();
      const client = await connections.take();
      let isInTransaction = false;
      const unseen: Stored[] = [];
      const undo = async () => {
        if (isInTransaction) await connections.query(client, ['rollback', []]);
        isInTransaction = false;
      };
      return {
        async query(...parameters: unknown[]) {
          const { statement, isBegin, isCommit, isRollback, isSelect, isLease } = kindOf(parameters[0]);
          if (isRollback) return undo().then(() => ({ command: 'ROLLBACK', rowCount: 0, rows: [] }));
          try {
            process.edge();
            if (faults.strikes('databaseBusy', 0.2)) throw new Error('could not serialize access');
            const result = await connections.query(client, parameters);
            if (isLease) result.rows.sort(byId);
            if (isBegin) isInTransaction = true;
            if (isCommit) isInTransaction = false;
            if (result.rowCount && !isSelect)
              unseen.push({ statement, values: (parameters[1] as unknown[] | undefined) ?? [] });
            if (!isInTransaction) parts.changed(unseen.splice(0));
            if (isInTransaction) return result;
            // After the commit the process may die before it gets the response, or be paused before it reads it.
            process.edge();
            if (faults.strikes('pause', 0.1)) await time.sleep(random.whole(20, 300));
            return result;
          } catch (error) {
            unseen.length = 0;
            await undo();
            throw error;
          }
        },
        release: () => connections.giveBack(client),
      } as unknown as PostgresPoolClient;
    },
  } as PostgresPool;
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: wrapped }), plugins: [parts.personalData] });
}
