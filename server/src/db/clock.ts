import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** The database's time. Ages are measured with it so that processes with different clocks agree. */
export interface Clock {
  now(): Date;
  /** The same as an SQL expression, evaluated when the statement runs rather than when it was sent. */
  inSql(): RawBuilder<Date>;
}

/** For code that needs the time only inside its statements. */
export const sqlClock: Pick<Clock, 'inSql'> = { inSql: () => sql<Date>`portal_now()` };

/** A clock set from outside, as by a test. */
export const clockOf = (now: () => Date): Clock => ({ now, inSql: () => sql<Date>`${now()}::timestamptz` });

/**
 * Reads the database's time once and advances it with the machine's monotonic clock, which nobody can set. Half the
 * round trip is the error of a reading. A later reading replaces the current one only if its error is no larger, or if
 * the two differ by more than their errors.
 */
export async function databaseClock(db: Kysely<Schema>): Promise<Clock & { read(): Promise<void> }> {
  async function ask() {
    const before = performance.now();
    const { rows } = await sql<{ now: Date }>`select portal_now() as now`.execute(db);
    const errorMs = (performance.now() - before) / 2;
    return { offsetMs: (rows[0] as { now: Date }).now.getTime() - before - errorMs, errorMs };
  }
  let reading = await ask();
  return {
    now: () => new Date(performance.now() + reading.offsetMs),
    ...sqlClock,
    async read() {
      const next = await ask();
      const isApart = Math.abs(next.offsetMs - reading.offsetMs) > next.errorMs + reading.errorMs;
      if (isApart || next.errorMs <= reading.errorMs) reading = next;
    },
  };
}
