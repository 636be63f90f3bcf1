import { calendarDay, dayPlus, startOfDay } from '@portal/domain/calendar-day.ts';
import type { PaymentEnding } from '@portal/domain/payment/endings.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../db/schema.ts';

export interface EndedPayments {
  day: string;
  language: string;
  way: string;
  ended: PaymentEnding;
  count: number;
  /** Purchases among them: several payments may be tries to pay one. */
  orders: number;
}

/** How the payments of a day ended, by language and way to pay. Contains no personal data. */
export interface Endings {
  count(range: { from: string; to: string }): Promise<EndedPayments[]>;
  /** Recounts past days: hourly while their payments may still change state, then once a day. */
  refresh(): Promise<void>;
}

const hourMs = 3_600_000;
/** The number of days that the console shows. */
const countedDays = 30;
/** Nearly all payments have ended after this many days; a few wait longer for a person. */
const movingDays = 3;

export function createEndings(db: Kysely<Schema>, { timeZone, now }: { timeZone: string; now: () => Date }): Endings {
  const today = () => calendarDay(now(), timeZone);

  const ending = sql<PaymentEnding>`case
    when state = 'SUCCEEDED' then 'delivered'
    when state = 'REFUNDED' then 'givenBack'
    when state = 'CREATED' or (state = 'FAILED' and submitted_at is null) then 'left'
    when state = 'FAILED' and reason in ('expired', 'declined') then 'notApproved'
    when state = 'FAILED' then 'failed'
    else 'open' end`;

  /** Which of an order's payments says how the purchase ended: the one that got furthest, the newest of these. */
  const furthest = (payment: string) => sql`(case
    when ${sql.ref(`${payment}.state`)} = 'SUCCEEDED' then 4
    when ${sql.ref(`${payment}.state`)} not in ('CREATED', 'FAILED', 'REFUNDED') then 3
    when ${sql.ref(`${payment}.state`)} = 'REFUNDED' then 2
    when ${sql.ref(`${payment}.submitted_at`)} is not null then 1
    else 0 end, ${sql.ref(`${payment}.created_at`)}, ${sql.ref(`${payment}.id`)})`;
  const isDeciding = sql`not exists (select from payments other
    where other.order_digest = payments.order_digest and ${furthest('other')} > ${furthest('payments')})`;

  /** Counts from the payments table itself. */
  async function countDay(day: string): Promise<EndedPayments[]> {
    const [begin, end] = [startOfDay(day, timeZone), startOfDay(dayPlus(day, 1), timeZone)];
    const { rows } = await sql<Omit<EndedPayments, 'day'>>`
      select language, gateway as way, ${ending} as ended, count(*)::int as count,
        (count(*) filter (where ${isDeciding}))::int as orders
      from payments where created_at >= ${begin} and created_at < ${end}
      group by 1, 2, 3 order by 1, 2, 3`.execute(db);
    return rows.map((row) => ({ day, ...row }));
  }

  const counted = (from: string, to: string) =>
    db
      .selectFrom('payment_ending_days')
      .select([
        sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'),
        'language',
        'way',
        'ended',
        'count',
        'orders',
        'counted_at',
      ])
      .where('day', '>=', from)
      .where('day', '<=', to)
      .orderBy('day')
      .orderBy('language')
      .orderBy('way')
      .orderBy('ended')
      .execute();

  async function storeCount(day: string): Promise<void> {
    const at = now();
    const rows = await countDay(day);
    await db.transaction().execute(async (transaction) => {
      for (const row of rows)
        await transaction
          .insertInto('payment_ending_days')
          .values({ ...row, counted_at: at })
          .onConflict((conflict) =>
            conflict
              .columns(['day', 'language', 'way', 'ended'])
              .doUpdateSet({ count: row.count, orders: row.orders, counted_at: at }),
          )
          .execute();
      await transaction.deleteFrom('payment_ending_days').where('day', '=', day).where('counted_at', '<', at).execute();
    });
  }

  return {
    async count({ from, to }) {
      const stored = Map.groupBy(await counted(from, to), ({ day }) => day);
      const days: EndedPayments[] = [];
      for (let day = from; day <= to; day = dayPlus(day, 1)) {
        // Today is never stored, and counting a day without payments is fast.
        const its =
          stored.get(day)?.map(({ counted_at: _, ...row }) => ({ ...row, orders: row.orders ?? row.count })) ??
          (await countDay(day));
        days.push(...its);
      }
      return days;
    },

    async refresh() {
      const [first, last] = [dayPlus(today(), -countedDays), dayPlus(today(), -1)];
      await db.deleteFrom('payment_ending_days').where('day', '<', first).execute();
      const countedAt = new Map((await counted(first, last)).map(({ day, counted_at }) => [day, counted_at.getTime()]));
      for (let day = last; day >= first; day = dayPlus(day, -1)) {
        const isMoving = day >= dayPlus(today(), -movingDays);
        const age = now().getTime() - (countedAt.get(day) ?? 0);
        if (age >= (isMoving ? hourMs : 24 * hourMs)) await storeCount(day);
      }
    },
  };
}
