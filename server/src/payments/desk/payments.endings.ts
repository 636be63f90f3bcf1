import { dayPlus, startOfDay } from '@portal/domain/calendar-day.ts';
import type { PaymentEnding } from '@portal/domain/payment/endings.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../db/schema.ts';

export interface EndedPayments {
  day: string;
  language: string;
  way: string;
  ended: PaymentEnding;
  count: number;
}

/** How the payments that were begun on these days ended, by language and way to pay; nobody is named in it. */
export async function countEndings(
  db: Kysely<Schema>,
  { from, to, timeZone }: { from: string; to: string; timeZone: string },
): Promise<EndedPayments[]> {
  const [begin, end] = [startOfDay(from, timeZone), startOfDay(dayPlus(to, 1), timeZone)];
  const ending = sql<PaymentEnding>`case
    when state = 'SUCCEEDED' then 'delivered'
    when state = 'REFUNDED' then 'givenBack'
    when state = 'FAILED' and submitted_at is null then 'left'
    when state = 'FAILED' and reason in ('expired', 'declined') then 'notApproved'
    when state = 'FAILED' then 'failed'
    else 'open' end`;
  const { rows } = await sql<EndedPayments>`
    select to_char(created_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, language, gateway as way, ${ending} as ended,
      count(*)::int as count
    from payments where created_at >= ${begin} and created_at < ${end}
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(db);
  return rows;
}
