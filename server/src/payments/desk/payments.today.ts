import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { calendarDay, dayPlus } from '@portal/domain/calendar-day.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import type { Leads } from '../../leads/leads.service.ts';
import type { Tickets } from '../../tickets/tickets.service.ts';
import type { Ways } from '../../ways/ways.service.ts';
import { differencesOn } from '../reconcile/payments.reconcile.desk.store.ts';

type Today = ConsoleResult<'today'>;

const shownMinutes = 60;
const owedRows = 50;

interface Parts {
  timeZone: string;
  wayName: (gateway: string) => string;
  ways: Ways;
  tickets: Pick<Tickets, 'waiting'>;
  leads: Pick<Leads, 'owed'>;
  now: Date;
}

/** Today's figures, from the ledger and from open work. Every query uses an index. Contains no personal data. */
export async function todayOf(
  db: Kysely<Schema>,
  { timeZone, wayName, ways, tickets, leads, now }: Parts,
): Promise<Today> {
  const midnight = sql`date_trunc('day', ${now}::timestamptz at time zone ${timeZone}) at time zone ${timeZone}`;
  const since = new Date(now.getTime() - shownMinutes * 60_000);
  const [sums, waiting, minutes, reports, asked, owed, differences] = await Promise.all([
    sql<{ currency: string; kind: keyof typeof sumNames; amount: number; count: number }>`
      select currency, kind, sum(amount)::bigint as amount, count(*)::int as count
      from ledger_postings where at >= ${midnight} and kind in ('paid', 'delivered', 'refunded') group by currency, kind`.execute(
      db,
    ),
    sql<{ state: string; count: number; since: Date }>`
      select state, count(*)::int as count, min(changed_at) as since
      from payments where state = 'REVIEW' or (due_at is not null and state not in ('SUCCEEDED', 'FAILED', 'REFUNDED'))
      group by state order by since`.execute(db),
    sql<{ minute: Date; count: number }>`
      select date_trunc('minute', submitted_at) as minute, count(*)::int as count
      from payments where created_at >= ${since}::timestamptz - interval '1 day' and submitted_at >= ${since}
      group by 1 order by 1`.execute(db),
    ways.reports(),
    tickets.waiting(),
    leads.owed(owedRows),
    differencesOn(db, dayPlus(calendarDay(now, timeZone), -1)),
  ]);
  return {
    at: now.toISOString(),
    sums: sumsOf(sums.rows),
    waiting: waiting.rows.map(({ state, count, since: oldest }) => ({ state, count, since: oldest.toISOString() })),
    owed: owed.map(({ id, plan_amount, plan_currency, changed_at }) => ({
      lead: id,
      amount: plan_amount,
      currency: plan_currency,
      since: changed_at.toISOString(),
    })),
    tickets: asked.map(({ promisedAt, ...counted }) => ({ ...counted, promisedAt: promisedAt.toISOString() })),
    differences,
    minutes: minutes.rows.map(({ minute, count }) => ({ at: minute.toISOString(), count })),
    ways: [...reports]
      .map(([gateway, { lastFailureAt, ...report }]) => ({
        way: wayName(gateway),
        ...report,
        lastFailureAt: lastFailureAt?.toISOString() ?? null,
      }))
      .sort((one, other) => one.way.localeCompare(other.way)),
  };
}

/** The ledger's names and ours. */
const sumNames = { paid: 'taken', delivered: 'delivered', refunded: 'givenBack' } as const;

function sumsOf(rows: readonly { currency: string; kind: keyof typeof sumNames; amount: number; count: number }[]) {
  const nothing = { amount: 0, count: 0 };
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const sum = { currency, taken: nothing, delivered: nothing, givenBack: nothing };
    for (const { kind, amount, count } of rows.filter((row) => row.currency === currency))
      sum[sumNames[kind]] = { amount: Number(amount), count };
    return sum;
  });
}
