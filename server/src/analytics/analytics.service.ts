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
}

/** A made-up page name must not fill the table: beyond so many kinds in one moment they are one. */
const mostKinds = 500;

export function createAnalytics(db: Kysely<Schema>, now: () => Date): Analytics {
  let counts = new Map<string, number>();
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
      for (const [key, count] of settling) {
        const [day, event, page, flow, outcome] = JSON.parse(key) as string[];
        await sql`
          insert into event_counts (day, event, page_name, flow, outcome, count)
          values (${day}, ${event}, ${page}, ${flow}, ${outcome}, ${count})
          on conflict (day, event, page_name, flow, outcome)
          do update set count = event_counts.count + excluded.count`.execute(db);
        settling.delete(key);
      }
    },

    async since(day) {
      const rows = await sql<EventCount>`
        select event, page_name, flow, outcome, sum(count)::bigint as count from event_counts where day >= ${day}
        group by event, page_name, flow, outcome order by count desc, page_name`.execute(db);
      return rows.rows;
    },
  };
}
