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
import { plannedOnce } from './prepared-statements.ts';
import type { Schema } from './schema.ts';

export type DatabaseKind = 'postgresql' | 'embedded';

export interface Database {
  db: Kysely<Schema>;
  kind: DatabaseKind;
  /** Only the embedded database: a dump of everything, from which another can be created. */
  dump?(): Promise<Blob>;
  listen: Listen;
  close(): Promise<void>;
}

interface PostgresSource {
  url: string;
  poolSize?: number;
  /** False if a pooler in between does not keep prepared statements. */
  prepares?: boolean;
  /** A connection that has not answered a query for this long is considered dead. */
  queryTimeoutMs?: number;
  /** No timeouts, for work on the whole database such as a migration or a backup. */
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
  const { url, poolSize = 10, prepares = true, queryTimeoutMs = 20_000, isUnlimited = false } = source;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    statement_timeout: isUnlimited ? 0 : 15_000,
    // The server's statement timeout does not help if the server or the network is gone.
    query_timeout: isUnlimited ? 0 : queryTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idle_in_transaction_session_timeout: isUnlimited ? 0 : 15_000,
    // Portals from before personal data was encrypted use another name: they must not run beside these (migration
    // 0051).
    application_name: 'portal-2',
  });
  // The pool replaces a connection that the server closed at the next query. Without a handler the event would end the
  // process.
  pool.on('error', () => {});
  // The pool handles errors of idle clients only; a client that is checked out needs its own handler.
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: recoveringPool(pool, prepares) }) });
  const connect = () =>
    new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: queryTimeoutMs,
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
    // Server and notifiers are in this process, so the connection cannot be lost.
    listen: async (channel, { received, opened }) => {
      const unlisten = await pglite.listen(channel, received);
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
 * Discards a connection that timed out or leads to a server that is no longer the primary; the pool itself drops only
 * closed ones. Further queries on it, such as the rollback, fail at once instead of timing out too.
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

/** The embedded server runs on this thread: without a yield after each query, no socket would be read under load. */
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
