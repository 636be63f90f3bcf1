import { createHmac } from 'node:crypto';
import type { BudgetName, BudgetRules } from '@portal/domain/budgets.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { networksOf, roomsOf } from '../http/client-networks.ts';
import type { Metrics } from '../http/metrics.ts';
import { PortalError } from '../http/portal-error.ts';

type Executor = Kysely<Schema>;

/** What is drawn on: a budget, and for whom. */
export interface Draw {
  budget: BudgetName;
  subject: string;
  /** Widens it for a network of many customers; infinite where it is counted and closes nothing. */
  factor?: number;
  /** The share that is not for this draw, but for who solved a challenge. */
  reserved?: number;
}

/** How often strangers may cause something for somebody else: codes, payment requests, messages, rows. Always exact. */
export interface Budgets {
  /**
   * Draws on each in turn, narrow ones first, and stops at the first that is spent; null when all had room. Inside the
   * transaction of the effect, where one is given: what is rolled back was not spent. Without one it is all or none.
   */
  take(draws: readonly Draw[], executor?: Executor): Promise<BudgetName | null>;
  /** The networks of an address as keyed hashes in one text, which may be stored. */
  networks(address: string): string;
  /** Counts without a limit: what is not an effect, but says how dear or how open something is. */
  note(draws: readonly Draw[]): Promise<void>;
  /** How much of each was drawn in its span, and of how much. */
  used(draws: readonly Draw[], executor?: Executor): Promise<Used[]>;
  /** What was taken at that time and harmed nobody; it never makes more room than there was. */
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

/** A span is counted in so many parts, so that the edge between two hours is no way to get twice as much. */
const parts = 6;
/** The largest count that a row holds. */
const unlimited = 2 ** 31 - 1;

function inWidening(budget: BudgetName, networks: readonly string[]): Draw[] {
  const rooms = roomsOf(networks.length);
  return networks.map((subject, level) => ({ budget, subject, factor: rooms[level] ?? 1 }));
}

/** One draw for each network that the address belongs to. */
export const networkDraws = (budget: BudgetName, address: string): Draw[] => inWidening(budget, networksOf(address));

/** The same for networks as they were stored. */
export const drawsOn = (budget: BudgetName, stored: string | null): Draw[] =>
  inWidening(budget, stored?.split(' ').filter(Boolean) ?? []);

export function createBudgets(db: Executor, { secret, scale, rules, now, events }: Options): Budgets {
  const hashed = (subject: string) => createHmac('sha256', secret).update(subject).digest('base64url').slice(0, 22);
  const keyOf = ({ budget, subject }: Draw) => `budget-${budget}:${hashed(subject)}`;
  const partOf = (budget: BudgetName, at: Date) => {
    const partMs = (rules[budget].seconds * 1000) / parts;
    return new Date(at.getTime() - (at.getTime() % partMs));
  };

  const limitOf = ({ budget, factor = 1, reserved = 0 }: Draw) =>
    Math.min(Math.max(Math.floor(rules[budget].most * scale * factor * (1 - reserved)), 1), unlimited);
  const sinceOf = (budget: BudgetName) => new Date(partOf(budget, now()).getTime() - rules[budget].seconds * 1000);

  /** Refused draws are not counted: who keeps asking must not keep a budget closed for others. */
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

  /** What was drawn before the one that is spent is rolled back: a flood leaves no row for each number it names. */
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
    networks: (address) => networksOf(address).map(hashed).join(' '),

    async take(draws, executor) {
      const spent = executor ? await firstSpent(draws, executor) : await takeAllOrNone(draws);
      // Of what is reserved nothing was refused for good: it takes a challenge.
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

    async giveBack(draws, takenAt, executor = db) {
      for (const draw of draws)
        await sql`
          update rate_limits set count = greatest(count - 1, 0)
          where key = ${keyOf(draw)} and window_start = ${partOf(draw.budget, takenAt)}`.execute(executor);
    },
  };
}

/**
 * Counted before it is made, so that of any number at once no more are made than the budget has. Given back when it was
 * right, or when nobody answered whether it was: only a wrong one is spent.
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
