import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { PersonalData } from '../db/personal-data.ts';
import type { Schema } from '../db/schema.ts';
import type { Connections } from './connections.ts';
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

/** What a statement does, told by its text. */
interface Kind {
  statement: string;
  isBegin: boolean;
  isCommit: boolean;
  isRollback: boolean;
  isSelect: boolean;
  isLease: boolean;
}
/** Each text is looked at once: there are some hundred of them, sent hundreds of thousands of times. */
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

/** Takes what is due, and changes nothing of it but who holds it until when. */
export const isLease = (statement: string): boolean =>
  statement.startsWith('update payments set due_at = $1 where id in');
/** The database promises no order of what is taken at once, and a seed must not depend on the one it has. */
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
  /** Told of every statement that stored something, once it is stored. */
  changed: (statements: readonly Stored[]) => void;
}

/** The database as one process sees it: gone when the process is, sometimes busy, and never half committed. */
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
            // After a commit the process may die without having learnt of it, or be stopped before it has read the answer.
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
