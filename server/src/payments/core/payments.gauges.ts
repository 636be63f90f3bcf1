import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import type { Metrics } from '../../http/metrics.ts';

interface Waiting {
  state: string;
  count: number;
  since: Date;
}

/** What still waits, counted when somebody looks: both parts of the question have an index of their own. */
export function gaugeOpenPayments(metrics: Metrics, db: Kysely<Schema>, now: () => Date): void {
  let asked: Promise<Waiting[]> | null = null;
  /** One question for both figures, which are read at the same time. */
  const waiting = () => {
    asked ??= sql<Waiting>`
      select state, count(*)::int as count, min(changed_at) as since
      from payments where due_at is not null or state = 'REVIEW' group by state`
      .execute(db)
      .then(({ rows }) => rows)
      // Without a database there is nothing to say about payments, but the other figures matter then most.
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
