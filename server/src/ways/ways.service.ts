import { payerEndings } from '@portal/domain/payment/reasons.ts';
import { moneyProven } from '@portal/domain/payment/shown.ts';
import { paymentStates } from '@portal/domain/payment/transitions.ts';
import {
  silentAfterSeconds,
  type WayFigures,
  type WayHealth,
  type WayHealthRules,
  wayFailures,
  wayHealth,
} from '@portal/domain/payment/way-health.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { type Announcements, createAnnouncements } from './announcements.ts';

export type { Announcements } from './announcements.ts';

export interface WayReport extends WayFigures {
  health: WayHealth;
  /** Payments that ended with the payer, and count neither for the way nor against it. */
  endedByPayer: number;
  lastFailureAt: Date | null;
}

/** How each way to pay does, which are switched off, and what customers are told. */
export interface Ways {
  /** How each did in the last hour, by our own payments; nobody is named in it. By gateway; one that nobody used is not in it. At most half a minute old. */
  reports(): Promise<ReadonlyMap<string, WayReport>>;
  announcements: Announcements;
}

const spanMs = 3_600_000;
const freshMs = 30_000;

const takenStates = paymentStates.filter(moneyProven);

type Parts = Parameters<typeof createAnnouncements>[0] & { rules: WayHealthRules };

export function createWays({ rules, ...parts }: Parts): Ways {
  return { reports: reporting({ ...parts, rules }), announcements: createAnnouncements(parts) };
}

function reporting({ db, rules, now, log }: Pick<Parts, 'db' | 'rules' | 'now' | 'log'>): Ways['reports'] {
  let reports: ReadonlyMap<string, WayReport> = new Map();
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;

  async function ask(): Promise<void> {
    const at = now();
    const figures = await wayFigures(db, at);
    reports = new Map(
      figures.map(({ gateway, ...figure }) => [gateway, { ...figure, health: wayHealth(figure, rules) }]),
    );
  }

  return async () => {
    const at = now().getTime();
    if (!asking && at - askedAt >= freshMs) {
      askedAt = at;
      // A hint must not keep anybody from paying: without an answer the last one stands.
      asking = ask()
        .catch((error: unknown) => log.warn({ err: error }, 'how ways to pay do is not known'))
        .finally(() => {
          asking = null;
        });
    }
    await asking;
    return reports;
  };
}

type Figures = Omit<WayReport, 'health'> & { gateway: string };

/**
 * What was ordered in the span has an index; of what it finds everything is in the row. A payment that was given a page
 * to pay on, and whose outcome is unknown, was left there by its payer: the provider responded.
 */
async function wayFigures(db: Kysely<Schema>, now: Date): Promise<Figures[]> {
  const since = new Date(now.getTime() - spanMs);
  const silentSince = new Date(now.getTime() - silentAfterSeconds * 1000);
  const { rows } = await sql<Figures>`
    with counted as (
      select gateway, state, reason, changed_at, submitted_at,
        state = 'UNKNOWN' and continuation is not null as is_left,
        coalesce(reason = any(${[...wayFailures]}::text[]), false)
          or (state in ('SUBMITTING', 'UNKNOWN') and continuation is null and submitted_at < ${silentSince}) as is_failed
      from payments where created_at >= ${since} and submitted_at is not null
    )
    select gateway,
      (count(*) filter (where not is_failed and state = any(${takenStates}::text[])))::int as taken,
      (count(*) filter (where is_failed))::int as failed,
      (count(*) filter (where is_left or (not is_failed and reason = any(${[...payerEndings]}::text[]))))::int as "endedByPayer",
      percentile_cont(0.5) within group (order by extract(epoch from changed_at - submitted_at)::double precision)
        filter (where state = 'SUCCEEDED') as "medianSeconds",
      max(changed_at) filter (where is_failed) as "lastFailureAt"
    from counted group by gateway`.execute(db);
  return rows;
}
