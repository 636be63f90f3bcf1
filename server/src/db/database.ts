import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { isConnectionLoss, isUnreplicated, outcomeUnknown } from './connection-loss.ts';
import { lockFolder } from './folder-lock.ts';
import { type Listen, listenOn } from './listen.ts';
import { plannedOnce } from './planned-once.ts';
import type { Schema } from './schema.ts';

export type DatabaseKind = 'postgresql' | 'embedded';

export interface Database {
  db: Kysely<Schema>;
  kind: DatabaseKind;
  /** Of the embedded one alone: everything in it, from which another can be made. */
  dump?(): Promise<Blob>;
  listen: Listen;
  close(): Promise<void>;
}

interface PostgresSource {
  url: string;
  poolSize?: number;
  /** False where a pooler in between does not keep prepared statements. */
  prepares?: boolean;
  /** After this a connection that says nothing is taken for dead. */
  answerWithinMs?: number;
  /** For work on all of it, such as a migration or a backup, which takes as long as it takes. */
  isUnlimited?: boolean;
}

export type DatabaseSource = PostgresSource | { folder: string; snapshot?: Blob } | { snapshot: Blob } | 'memory';

// int8 arrives as text; every bigint here is an amount or a count, and amounts are checked to be safe integers.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('a stored amount is too large');
  return value;
});

export async function openDatabase(source: DatabaseSource): Promise<Database> {
  if (typeof source === 'object' && 'url' in source) return openPostgres(source);
  return openEmbedded(source);
}

function openPostgres(source: PostgresSource): Database {
  const { url, poolSize = 10, prepares = true, answerWithinMs = 20_000, isUnlimited = false } = source;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    statement_timeout: isUnlimited ? 0 : 15_000,
    // The server's own limit does not help where the server, or the way to it, is gone without a word.
    query_timeout: isUnlimited ? 0 : answerWithinMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idle_in_transaction_session_timeout: isUnlimited ? 0 : 15_000,
    // Not that of portals from before personal data was sealed: they must not run beside these (migration 0051).
    application_name: 'portal-2',
  });
  // A connection that the server closes is replaced at the next query; unheard, the event would end the process.
  pool.on('error', () => {});
  // The pool hears only the idle ones: one that is lent out tells its own end.
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: recoveringPool(pool, prepares) }) });
  const connect = () =>
    new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: answerWithinMs,
      keepAlive: true,
      application_name: 'portal-2',
    });
  return { db, kind: 'postgresql', listen: listenOn(connect), close: () => db.destroy() };
}

/** The embedded server itself, with its folder locked against a second process. */
export async function openPglite(
  source: Exclude<DatabaseSource, { url: string }>,
): Promise<{ pglite: PGlite; close(): Promise<void> }> {
  const folder = typeof source === 'object' && 'folder' in source ? source.folder : undefined;
  if (folder) await mkdir(folder, { recursive: true });
  const unlock = folder ? lockFolder(folder) : () => {};
  // Without "-F" the embedded server syncs to disk; one connection needs no large buffers.
  const startParams = [
    ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
    '-c',
    'shared_buffers=16MB',
  ];
  const pglite = await PGlite.create(folder ? join(folder, 'pgdata') : 'memory://', {
    startParams,
    ...(typeof source === 'object' && source.snapshot ? { loadDataDir: source.snapshot } : {}),
  });
  return {
    pglite,
    async close() {
      await pglite.close();
      unlock();
    },
  };
}

async function openEmbedded(source: Exclude<DatabaseSource, { url: string }>): Promise<Database> {
  const { pglite, close } = await openPglite(source);
  const pool = new pg.Pool({ ...(createPgConfig(pglite) as unknown as pg.PoolConfig), max: 1 });
  pool.on('error', () => {});
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: yieldingPool(pool) }) });
  return {
    db,
    kind: 'embedded',
    dump: () => pglite.dumpDataDir('gzip'),
    // Its server is in this process, and so is whoever notifies: there is nothing to lose.
    listen: async (channel, { heard, opened }) => {
      const unlisten = await pglite.listen(channel, heard);
      opened();
      return { close: () => unlisten() };
    },
    close: async () => {
      await db.destroy();
      await close();
    },
  };
}

/**
 * A connection that gave no answer, or leads to a server that is no longer the primary, is not lent out again: the pool
 * by itself drops only those that were closed. What is still asked of it, such as a roll-back, need not wait either.
 */
function recoveringPool(pool: pg.Pool, prepares: boolean): PostgresPool {
  const prepare = prepares ? (plannedOnce as <P>(parameters: P) => P) : <P>(parameters: P) => parameters;
  return {
    options: {},
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect();
      let lost: Error | undefined;
      const notice = ({ message }: { message?: string }) => {
        if (isUnreplicated(message)) lost = Object.assign(new Error('Not replicated'), { code: outcomeUnknown });
      };
      client.on('notice', notice);
      return {
        query: async (...parameters: Parameters<typeof client.query>) => {
          if (lost) throw lost;
          try {
            const result = await client.query(...prepare(parameters));
            if (lost) throw lost;
            return result;
          } catch (error) {
            if (isConnectionLoss(error)) lost = error as Error;
            throw error;
          }
        },
        release: () => {
          client.off('notice', notice);
          client.release(lost);
        },
      } as unknown as PostgresPoolClient;
    },
  } as PostgresPool;
}

/** The embedded server runs on our own thread: without a pause after each query, no socket would be read under load. */
function yieldingPool(pool: pg.Pool): PostgresPool {
  return {
    options: {},
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect();
      return {
        query: async (...parameters: Parameters<typeof client.query>) => {
          const result = await client.query(...parameters);
          await setImmediate();
          return result;
        },
        release: () => client.release(),
      } as unknown as PostgresPoolClient;
    },
  } as PostgresPool;
}
