import { type Kysely, sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { DatabaseKind } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { Logger } from '../http/logging.ts';

export interface Jobs {
  /**
   * Queued inside the given transaction: the job exists exactly when what it belongs to was committed. Of those with the same
   * `inOrderOf` the next one begins when the one before is done, however often that is tried.
   */
  send(executor: Kysely<Schema>, queue: Queue, data: object, inOrderOf: string): Promise<void>;
  work<T extends object>(queue: Queue, handler: (data: T) => Promise<void>): Promise<void>;
  /** What waits and is not done is dropped; gives how many jobs that were. */
  dropQueued(executor: Kysely<Schema>, queue: Queue): Promise<number>;
  stop(): Promise<void>;
}

/** Tries again after 5 s, 10 s, 20 s … up to an hour apart, for about two days. */
const retries = {
  retryLimit: 40,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 3600,
  expireInSeconds: 60,
} as const;
/** By the name in the database. What an older version queued under the second one, without an order, is done as well. */
const queues = {
  notice: { 'notice-in-order': { ...retries, policy: 'key_strict_fifo' }, notice: retries },
} as const;
const nameOf = { notice: 'notice-in-order' } as const satisfies Record<Queue, string>;

/** Each waits for its own batch: a mail server that hangs keeps the others from nothing. */
const workers = { postgresql: 4, embedded: 2 };

export type Queue = keyof typeof queues;

export async function startJobs(db: Kysely<Schema>, kind: DatabaseKind, log: Logger): Promise<Jobs> {
  const boss = new PgBoss({
    db: fromKysely(db),
    backend: kind === 'embedded' ? 'pglite' : 'postgres',
    schema: 'jobs',
    // One connection is shared with every request there; maintenance and its checks can wait.
    ...(kind === 'embedded' ? { monitorIntervalSeconds: 600, queueCacheIntervalSeconds: 600 } : {}),
  });
  boss.on('error', (error) => log.warn({ job: 'queue', err: error }, 'job queue error'));
  await oneAtATime(db, kind, async () => {
    await boss.start();
    for (const names of Object.values(queues))
      for (const [name, options] of Object.entries(names)) await boss.createQueue(name, options);
  });
  return {
    async send(executor, queue, data, inOrderOf) {
      await boss.send(nameOf[queue], data, { db: fromKysely(executor), singletonKey: inOrderOf });
    },
    async work<T extends object>(queue: Queue, handler: (data: T) => Promise<void>) {
      // Each job by itself: one that fails must not make its neighbours, already done, be done again.
      const options = {
        pollingIntervalSeconds: 0.5,
        batchSize: 25,
        localConcurrency: workers[kind],
        perJobResults: true,
      } as const;
      for (const name of Object.keys(queues[queue]))
        await boss.work<T>(name, options, async (jobs) => {
          const outcomes = await Promise.allSettled(jobs.map((job) => handler(job.data)));
          const statusOf = (index: number) => (outcomes[index]?.status === 'fulfilled' ? 'completed' : 'failed');
          return jobs.map(({ id }, index) => ({ id, status: statusOf(index) }));
        });
    },
    async dropQueued(executor, queue) {
      const names = Object.keys(queues[queue]);
      const dropped = await sql`delete from jobs.job where name = any(${names}) and state < 'completed'`.execute(
        executor,
      );
      return Number(dropped.numAffectedRows ?? 0);
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };
}

const startLock = 7_340_114;

/** Of processes that start together one makes the queue's tables; the embedded database has one process, and one connection. */
async function oneAtATime(db: Kysely<Schema>, kind: DatabaseKind, start: () => Promise<void>): Promise<void> {
  if (kind === 'embedded') return start();
  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${sql.lit(startLock)})`.execute(connection);
    try {
      await start();
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(startLock)})`.execute(connection);
    }
  });
}
