import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import type { Metrics } from '../../http/metrics.ts';

interface Waiting {
  state: string;
  count: number;
  since: Date;
}

/** Open payments, counted at scrape time. Both parts of the query use an index. */
export function gaugeOpenPayments(metrics: Metrics, db: Kysely<Schema>, now: () => Date): void {
  let asked: Promise<Waiting[]> | null = null;
  /** One query for both gauges, which are scraped together. */
  const waiting = () => {
    asked ??= sql<Waiting>`
      select state, count(*)::int as count, min(changed_at) as since
      from payments where due_at is not null or state = 'REVIEW' group by state`
      .execute(db)
      .then(({ rows }) => rows)
      // If the database is down, these gauges are empty so that the other metrics can still be scraped.
      .catch(() => [])
      .finally(() => {
        asked = null;
      });
    return asked;
  };
  const open = metrics.gauge(
    'portal_open_payments',
    'Payments that wait for us, a provider or a person, by state',
    ['state'],
    async () => {
      const found = await waiting();
      open.reset();
      for (const { state, count } of found) open.set({ state }, count);
    },
  );
  const oldest = metrics.gauge(
    'portal_open_payments_oldest_seconds',
    'How long the payment that has waited longest has not moved, by state',
    ['state'],
    async () => {
      const found = await waiting();
      oldest.reset();
      for (const { state, since } of found)
        oldest.set({ state }, Math.max(0, Math.round((now().getTime() - since.getTime()) / 1000)));
    },
  );
}

/** Goodwill credits whose outcome is unknown: finance has to ask and settle them. */
export function gaugeStuckGoodwill(metrics: Metrics, db: Kysely<Schema>, now: () => Date): void {
  const ask = async (): Promise<{ count: number; since: Date | null }> => {
    const { rows } = await sql<{ count: number; since: Date | null }>`
      select count(*)::int as count, min(changed_at) as since from goodwill where state = 'stuck'`.execute(db);
    return rows[0] ?? { count: 0, since: null };
  };
  // If the database is down, these gauges are empty so that the other metrics can still be scraped.
  const gauge = (name: string, help: string, figure: (found: Awaited<ReturnType<typeof ask>>) => number) => {
    const shown = metrics.gauge(name, help, [], async () => {
      const found = await ask().catch(() => null);
      shown.reset();
      if (found) shown.set({}, figure(found));
    });
  };
  gauge('portal_goodwill_stuck', 'Goodwill credits whose outcome nobody could find out', ({ count }) => count);
  gauge('portal_goodwill_stuck_oldest_seconds', 'How long the oldest of them has been so', ({ since }) =>
    since ? Math.max(0, Math.round((now().getTime() - since.getTime()) / 1000)) : 0,
  );
}
