import { createHmac } from 'node:crypto';
import type { BudgetName, BudgetRules } from '@portal/domain/budgets.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { limitFactors, networksOf } from '../http/address-networks.ts';
import type { Metrics } from '../http/metrics.ts';
import { PortalError } from '../http/portal-error.ts';

type Executor = Kysely<Schema>;

/** One use of a budget for a subject. */
export interface Draw {
  budget: BudgetName;
  subject: string;
  /** Multiplies the limit for a network of many customers; infinite if uses are counted but never refused. */
  factor?: number;
  /** The share of the limit that is out of reach for this draw, reserved for those who solved a challenge. */
  reserved?: number;
}

/** Exact limits on what strangers may cause for somebody else: codes, payment requests, messages, rows. */
export interface Budgets {
  /**
   * Draws on each in order, narrow ones first, and stops at the first that is used up; null if none is. With an
   * executor it runs in the transaction of the effect, so that a rollback undoes the draw. Without one it is all or
   * nothing.
   */
  take(draws: readonly Draw[], executor?: Executor): Promise<BudgetName | null>;
  /** The networks of an address as keyed hashes in one string, which may be stored. */
  networks(address: string): string;
  /** Counts without a limit. Such counts set prices and decide what is open. */
  note(draws: readonly Draw[]): Promise<void>;
  /** How much of each was used in its span, and its limit. */
  used(draws: readonly Draw[], executor?: Executor): Promise<Used[]>;
  /** Seconds until the oldest use of it no longer counts. */
  waitFor(draw: Draw): Promise<number>;
  /** Returns draws made at that time that did no harm. It never raises the limit. */
  giveBack(draws: readonly Draw[], takenAt: Date, executor?: Executor): Promise<void>;
}

export interface Used {
  count: number;
  most: number;
}

interface Options {
  secret: string;
  scale: number;
  rules: BudgetRules;
  now: () => Date;
  events: BudgetEvents;
}

/**
 * A sliding window in parts, so that nobody gets twice the limit around the turn of an hour. A minute is exact to the
 * second, because customers wait for it.
 */
const partsOf = (seconds: number) => (seconds > 60 ? 6 : 60);
/** The largest count that a row can hold. */
const maxCount = 2 ** 31 - 1;

function drawPerNetwork(budget: BudgetName, networks: readonly string[]): Draw[] {
  const factors = limitFactors(networks.length);
  return networks.map((subject, level) => ({ budget, subject, factor: factors[level] ?? 1 }));
}

/** One draw for each network of the address. */
export const networkDraws = (budget: BudgetName, address: string): Draw[] =>
  drawPerNetwork(budget, networksOf(address));

/** The same for networks as `networks` returned them. */
export const drawsOn = (budget: BudgetName, stored: string | null): Draw[] =>
  drawPerNetwork(budget, stored?.split(' ').filter(Boolean) ?? []);

export function createBudgets(db: Executor, { secret, scale, rules, now, events }: Options): Budgets {
  const hashOf = (subject: string) => createHmac('sha256', secret).update(subject).digest('base64url').slice(0, 22);
  const keyOf = ({ budget, subject }: Draw) => `budget-${budget}:${hashOf(subject)}`;
  const partMsOf = (budget: BudgetName) => (rules[budget].seconds * 1000) / partsOf(rules[budget].seconds);
  const partOf = (budget: BudgetName, at: Date) => {
    const partMs = partMsOf(budget);
    return new Date(at.getTime() - (at.getTime() % partMs));
  };

  const limitOf = ({ budget, factor = 1, reserved = 0 }: Draw) =>
    Math.min(Math.max(Math.floor(rules[budget].most * scale * factor * (1 - reserved)), 1), maxCount);
  const sinceOf = (budget: BudgetName) => new Date(partOf(budget, now()).getTime() - rules[budget].seconds * 1000);

  /** Refused draws are not counted: repeated requests must not keep a budget closed for others. */
  async function takeOne(draw: Draw, executor: Executor): Promise<boolean> {
    const limit = limitOf(draw);
    const part = partOf(draw.budget, now());
    const since = sinceOf(draw.budget);
    const key = keyOf(draw);
    const taken = await sql`
      with earlier as (
        select coalesce(sum(count), 0) as count from rate_limits
        where key = ${key} and window_start >= ${since} and window_start < ${part}
      )
      insert into rate_limits (key, window_start, count)
      select ${key}, ${part}::timestamptz, 1 from earlier where earlier.count < ${limit}
      on conflict (key, window_start) do update set count = rate_limits.count + 1
      where rate_limits.count + (select count from earlier) < ${limit}
      returning key`.execute(executor);
    return taken.rows.length > 0;
  }

  async function firstSpent(draws: readonly Draw[], executor: Executor): Promise<Draw | null> {
    for (const draw of draws) if (!(await takeOne(draw, executor))) return draw;
    return null;
  }

  /** Rolls back the draws before the refused one, so that a flood leaves no row for each number it names. */
  async function takeAllOrNone(draws: readonly Draw[]): Promise<Draw | null> {
    if (draws.length === 1) return firstSpent(draws, db);
    const transaction = await db.startTransaction().execute();
    try {
      const spent = await firstSpent(draws, transaction);
      await (spent ? transaction.rollback() : transaction.commit()).execute();
      return spent;
    } catch (error) {
      if (!transaction.isCommitted && !transaction.isRolledBack) await transaction.rollback().execute();
      throw error;
    }
  }

  return {
    networks: (address) => networksOf(address).map(hashOf).join(' '),

    async take(draws, executor) {
      const spent = executor ? await firstSpent(draws, executor) : await takeAllOrNone(draws);
      // A draw refused only for its reserved share is not final: a challenge opens it.
      if (spent && !spent.reserved) events.refused(spent.budget);
      return spent?.budget ?? null;
    },

    async note(draws) {
      const keys = draws.map(keyOf);
      const starts = draws.map(({ budget }) => partOf(budget, now()));
      await sql`
        insert into rate_limits (key, window_start, count)
        select key, start, 1 from unnest(${keys}::text[], ${starts}::timestamptz[]) as noted (key, start)
        on conflict (key, window_start) do update set count = rate_limits.count + 1`.execute(db);
    },

    async used(draws, executor = db) {
      const keys = draws.map(keyOf);
      const starts = draws.map(({ budget }) => sinceOf(budget));
      const { rows } = await sql<{ key: string; count: number }>`
        select rate_limits.key, sum(count)::int as count from rate_limits
        join unnest(${keys}::text[], ${starts}::timestamptz[]) as asked (key, since)
          on rate_limits.key = asked.key and window_start >= asked.since
        group by rate_limits.key`.execute(executor);
      const counts = new Map(rows.map(({ key, count }) => [key, count]));
      return draws.map((draw, index) => ({ count: counts.get(keys[index] ?? '') ?? 0, most: limitOf(draw) }));
    },

    async waitFor(draw) {
      const oldest = await db
        .selectFrom('rate_limits')
        .select('window_start')
        .where('key', '=', keyOf(draw))
        .where('window_start', '>=', sinceOf(draw.budget))
        .where('count', '>', 0)
        .orderBy('window_start')
        .limit(1)
        .executeTakeFirst();
      if (!oldest) return 0;
      const freeAt = oldest.window_start.getTime() + rules[draw.budget].seconds * 1000 + partMsOf(draw.budget);
      return Math.max(Math.ceil((freeAt - now().getTime()) / 1000), 0);
    },

    async giveBack(draws, takenAt, executor = db) {
      for (const draw of draws)
        await sql`
          update rate_limits set count = greatest(count - 1, 0)
          where key = ${keyOf(draw)} and window_start = ${partOf(draw.budget, takenAt)}`.execute(executor);
    },
  };
}

/**
 * Counts a guess before it is made, so that concurrent guesses cannot exceed the budget. Gives it back if it was right,
 * or if it is not known whether it was: only wrong guesses cost.
 */
export async function countedGuess<T>(
  {
    budgets,
    now,
    draws,
    take = () => budgets.take(draws),
  }: { budgets: Budgets; now: () => Date; draws: readonly Draw[]; take?: () => Promise<BudgetName | null> },
  make: () => Promise<T>,
  isWrong: (answer: T) => boolean,
): Promise<T> {
  const guessedAt = now();
  if (await take()) throw new PortalError('attemptsExhausted', { attemptsLeft: 0 });
  let isSpent = false;
  try {
    const answer = await make();
    isSpent = isWrong(answer);
    return answer;
  } finally {
    if (!isSpent) await budgets.giveBack(draws, guessedAt);
  }
}

export interface BudgetEvents {
  refused(budget: BudgetName): void;
}

export function budgetEvents(metrics: Metrics): BudgetEvents {
  const refusals = metrics.counter('portal_budget_refusals_total', 'What was not done because its budget was spent', [
    'budget',
  ]);
  return { refused: (budget) => refusals.inc({ budget }) };
}
