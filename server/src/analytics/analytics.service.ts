import type { ParsedBodyOf } from '@portal/contract/contract.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';

export type PortalEvent = ParsedBodyOf<'recordEvent'>;

export interface EventCount {
  event: string;
  page_name: string;
  flow: string;
  outcome: string;
  count: number;
}

export interface Analytics {
  /** Counted here and settled with the other processes in a moment: a page view costs no write of its own. */
  count(event: PortalEvent): void;
  settle(): Promise<void>;
  /** What was counted since a day, most frequent first. */
  since(day: string): Promise<EventCount[]>;
  forgetOld(): Promise<void>;
}

/**
 * A made-up name must not fill the table: beyond so many kinds in a day, over all processes, they are one. There are some
 * 230 pages with those of the help centre, and fifty outcomes. A list of the names that exist would bound less, because
 * page, flow and outcome multiply, and it would have to be kept in step with the web app.
 */
export const mostKinds = 500;
/** A year to compare with, and the month that is compared. */
const keepMonths = 13;

export function createAnalytics(db: Kysely<Schema>, now: () => Date): Analytics {
  let counts = new Map<string, number>();

  /** False when the day has no room for another kind. */
  async function add([day, event, page, flow, outcome]: string[], count: number, most: number): Promise<boolean> {
    const counted = await sql`
      insert into event_counts (day, event, page_name, flow, outcome, count)
      select ${day}::date, ${event}, ${page}, ${flow}, ${outcome}, ${count}::bigint
      where (select count(*) from event_counts where day = ${day}::date) < ${most}
      or exists (select from event_counts where day = ${day}::date and event = ${event} and page_name = ${page}
        and flow = ${flow} and outcome = ${outcome})
      on conflict (day, event, page_name, flow, outcome)
      do update set count = event_counts.count + excluded.count
      returning day`.execute(db);
    return counted.rows.length > 0;
  }

  const keyOf = ({ event, page_name, flow, outcome }: PortalEvent) =>
    JSON.stringify([now().toISOString().slice(0, 10), event, page_name, flow ?? '', outcome ?? '']);

  return {
    count(event) {
      const own = keyOf(event);
      const key = counts.has(own) || counts.size < mostKinds ? own : keyOf({ event: event.event, page_name: 'other' });
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },

    async settle() {
      const settling = counts;
      counts = new Map();
      const others = new Map<string, number>();
      for (const [key, count] of settling) {
        const kind = JSON.parse(key) as string[];
        if (await add(kind, count, mostKinds)) continue;
        const [day, event] = kind;
        const other = JSON.stringify([day, event, 'other', '', '']);
        others.set(other, (others.get(other) ?? 0) + count);
      }
      for (const [key, count] of others) await add(JSON.parse(key) as string[], count, Number.MAX_SAFE_INTEGER);
    },

    async forgetOld() {
      const before = new Date(now());
      before.setUTCMonth(before.getUTCMonth() - keepMonths);
      await sql`delete from event_counts where day < ${before.toISOString().slice(0, 10)}`.execute(db);
    },

    async since(day) {
      const rows = await sql<EventCount>`
        select event, page_name, flow, outcome, sum(count)::bigint as count from event_counts where day >= ${day}
        group by event, page_name, flow, outcome order by count desc, page_name`.execute(db);
      return rows.rows;
    },
  };
}
