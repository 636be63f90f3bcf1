import { payerEndings } from '@portal/domain/payment/reasons.ts';
import { moneyProven } from '@portal/domain/payment/shown-status.ts';
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
import { type Announcements, createAnnouncements } from './switches-and-announcements.ts';

export type { Announcements } from './switches-and-announcements.ts';

export interface WayReport extends WayFigures {
  health: WayHealth;
  /** Payments that the payer ended; they count neither as success nor as failure. */
  endedByPayer: number;
  lastFailureAt: Date | null;
}

/** The health of each method, which are switched off, and the announcements. */
export interface Ways {
  /** Outcomes of our own payments in the last hour, by gateway; unused ones are absent. At most 30 seconds old. */
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
      // A failed query must not block payments: the last reports are used.
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
 * Orders of the span are found by an index, and each row has all that is needed. A payment with a payment page and an
 * unknown outcome was abandoned by its payer, since the provider responded.
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
