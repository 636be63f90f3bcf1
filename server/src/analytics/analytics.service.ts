import type { ParsedBodyOf } from '@portal/contract/contract.ts';
import { calendarDay } from '@portal/domain/calendar-day.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';

export type PortalEvent = ParsedBodyOf<'recordEvent'>;

/** The count of one day and language. */
export interface DayCount extends EventCount {
  day: string;
  language: string;
}

export interface EventCount {
  event: string;
  page_name: string;
  flow: string;
  outcome: string;
  count: number;
}

export interface Analytics {
  /** Counts in memory and flushes to the database in batches, so that a page view costs no write of its own. */
  count(event: PortalEvent, language: string): void;
  settle(): Promise<void>;
  /** Counts since a day, most frequent first. */
  since(day: string): Promise<EventCount[]>;
  /** The same by day and language. */
  byDay(range: { from: string; to: string }): Promise<DayCount[]>;
  deleteExpired(): Promise<void>;
}

/**
 * Made-up names must not fill the table: beyond this many kinds in a day and language, across processes, they are
 * counted as one. There are some 230 pages with those of the help centre, and fifty outcomes. A list of valid names
 * would limit less, because page, flow and outcome multiply, and it would have to be kept in step with the web app.
 */
export const mostKinds = 500;
/** A year for comparison, plus the current month. */
const keepMonths = 13;

export function createAnalytics(db: Kysely<Schema>, now: () => Date, timeZone = 'UTC'): Analytics {
  let counts = new Map<string, number>();

  /** False if the day has reached its limit of kinds. */
  async function add(
    [day, language, event, page, flow, outcome]: string[],
    count: number,
    most: number,
  ): Promise<boolean> {
    const counted = await sql`
      insert into event_days (day, language, event, page_name, flow, outcome, count)
      select ${day}::date, ${language}, ${event}, ${page}, ${flow}, ${outcome}, ${count}::bigint
      where (select count(*) from event_days where day = ${day}::date and language = ${language}) < ${most}
      or exists (select from event_days where day = ${day}::date and language = ${language} and event = ${event}
        and page_name = ${page} and flow = ${flow} and outcome = ${outcome})
      on conflict (day, language, event, page_name, flow, outcome)
      do update set count = event_days.count + excluded.count
      returning day`.execute(db);
    return counted.rows.length > 0;
  }

  const keyOf = ({ event, page_name, flow, outcome }: PortalEvent, language: string) =>
    JSON.stringify([calendarDay(now(), timeZone), language, event, page_name, flow ?? '', outcome ?? '']);

  return {
    count(event, language) {
      const own = keyOf(event, language);
      const isKnown = counts.has(own) || counts.size < mostKinds;
      const key = isKnown ? own : keyOf({ event: event.event, page_name: 'other' }, language);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },

    async settle() {
      const settling = counts;
      counts = new Map();
      const others = new Map<string, number>();
      for (const [key, count] of settling) {
        const kind = JSON.parse(key) as string[];
        if (await add(kind, count, mostKinds)) continue;
        const [day, language, event] = kind;
        const other = JSON.stringify([day, language, event, 'other', '', '']);
        others.set(other, (others.get(other) ?? 0) + count);
      }
      for (const [key, count] of others) await add(JSON.parse(key) as string[], count, Number.MAX_SAFE_INTEGER);
    },

    async deleteExpired() {
      const before = new Date(now());
      before.setUTCMonth(before.getUTCMonth() - keepMonths);
      const day = before.toISOString().slice(0, 10);
      for (const table of ['event_days', 'event_counts'])
        await sql`delete from ${sql.table(table)} where day < ${day}`.execute(db);
    },

    async since(day) {
      // Rows of the previous version have no language.
      const rows = await sql<EventCount>`
        select event, page_name, flow, outcome, sum(count)::bigint as count from (
          select event, page_name, flow, outcome, count from event_days where day >= ${day}
          union all
          select event, page_name, flow, outcome, count from event_counts where day >= ${day}) counted
        group by event, page_name, flow, outcome order by count desc, page_name`.execute(db);
      return rows.rows;
    },

    async byDay({ from, to }) {
      const { rows } = await sql<DayCount>`
        select to_char(day, 'YYYY-MM-DD') as day, language, event, page_name, flow, outcome, count from event_days
        where day between ${from}::date and ${to}::date and event <> 'page_timing'
        order by 1, 2, 3, 4, 5, 6`.execute(db);
      return rows;
    },
  };
}
