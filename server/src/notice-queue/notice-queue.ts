import { type Kysely, sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { DatabaseKind } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { Logger } from '../http/logging.ts';

/** Outgoing SMS and mails, which survive a crash. */
export interface NoticeQueue {
  /**
   * Enqueues inside the given transaction, so that the notice exists exactly if that commits. Notices with the same
   * `inOrderOf` are sent strictly one after another, retries included.
   */
  send(executor: Kysely<Schema>, notice: object, inOrderOf: string): Promise<void>;
  work<T extends object>(handler: (notice: T) => Promise<void>): Promise<void>;
  /** Deletes the notices that were not sent and returns how many. */
  dropQueued(executor: Kysely<Schema>): Promise<number>;
  stop(): Promise<void>;
}

/** Backoff: 5 s, 10 s, 20 s … up to an hour, for about two days. */
const retries = {
  retryLimit: 40,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 3600,
  expireInSeconds: 60,
} as const;
const currentQueue = 'notice-in-order';
/** By the name in the database. The second one holds notices that an older version enqueued without an order. */
const queues = {
  [currentQueue]: { ...retries, policy: 'key_strict_fifo' },
  notice: retries,
} as const;
const queueNames = Object.keys(queues);

/** Workers are independent: a mail server that hangs blocks only the batch of one. */
const workers = { postgresql: 4, embedded: 2 };
/**
 * Polling is most of what an idle portal does, so only the first worker of the current queue polls often. The others
 * take over if it hangs, and are woken if there is more than one can take.
 */
const pollSeconds = { first: 0.5, helper: 2, older: 5 };
const batchSize = 25;

export async function startNoticeQueue(db: Kysely<Schema>, kind: DatabaseKind, log: Logger): Promise<NoticeQueue> {
  const boss = new PgBoss({
    db: fromKysely(db),
    backend: kind === 'embedded' ? 'pglite' : 'postgres',
    schema: 'jobs',
    // The embedded database has one connection, shared with every request; maintenance can wait.
    ...(kind === 'embedded' ? { monitorIntervalSeconds: 600, queueCacheIntervalSeconds: 600 } : {}),
  });
  boss.on('error', (error) => log.warn({ job: 'queue', err: error }, 'job queue error'));
  await withStartLock(db, kind, async () => {
    await boss.start();
    for (const [name, options] of Object.entries(queues)) await boss.createQueue(name, options);
  });
  return {
    async send(executor, notice, inOrderOf) {
      await boss.send(currentQueue, notice, { db: fromKysely(executor), singletonKey: inOrderOf });
    },
    async work<T extends object>(handler: (notice: T) => Promise<void>) {
      const ids: string[] = [];
      const ask = async (name: string, pollingIntervalSeconds: number) => {
        // Reports a result for each job, so that a failed one does not make the others of its batch run again.
        const options = { pollingIntervalSeconds, batchSize, perJobResults: true } as const;
        const id = await boss.work<T>(name, options, async (jobs) => {
          if (jobs.length === batchSize) for (const worker of ids) boss.notifyWorker(worker);
          const outcomes = await Promise.allSettled(jobs.map((job) => handler(job.data)));
          const statusOf = (index: number) => (outcomes[index]?.status === 'fulfilled' ? 'completed' : 'failed');
          return jobs.map(({ id }, index) => ({ id, status: statusOf(index) }));
        });
        ids.push(id);
      };
      await ask(currentQueue, pollSeconds.first);
      for (let helper = 1; helper < workers[kind]; helper++) await ask(currentQueue, pollSeconds.helper);
      for (const name of queueNames) if (name !== currentQueue) await ask(name, pollSeconds.older);
    },
    async dropQueued(executor) {
      const dropped = await sql`delete from jobs.job where name = any(${queueNames}) and state < 'completed'`.execute(
        executor,
      );
      return Number(dropped.numAffectedRows ?? 0);
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };
}

const startLock = 7_340_114;

/**
 * Of several processes that start together, one creates the queue's tables. The embedded database has only one process
 * and one connection, so a lock is neither needed nor possible.
 */
async function withStartLock(db: Kysely<Schema>, kind: DatabaseKind, start: () => Promise<void>): Promise<void> {
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
