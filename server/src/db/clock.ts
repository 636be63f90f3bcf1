import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** The database's time: by it ages are judged, so that processes whose own clocks differ come to the same result. */
export interface Clock {
  now(): Date;
  /** The same inside a statement, for what must not depend on when it was sent. */
  inSql(): RawBuilder<Date>;
}

/** For what asks the database for nothing but the time inside its statements. */
export const sqlClock: Pick<Clock, 'inSql'> = { inSql: () => sql<Date>`portal_now()` };

/** A clock whose time somebody else sets. */
export const clockOf = (now: () => Date): Clock => ({ now, inSql: () => sql<Date>`${now()}::timestamptz` });

/**
 * Asks the database for the time and counts on from there by the machine's steady clock, which nobody sets. What lies
 * between asking and the answer is the error; a later reading is taken only where it is at least as good, or the two
 * differ by more than their errors.
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
