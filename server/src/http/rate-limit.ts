import { createHmac } from 'node:crypto';
import type { Limit } from '@portal/contract/define-call.ts';
import type { BudgetRules } from '@portal/domain/budgets.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { limitFactors, networksOf } from './address-networks.ts';

export type LimitClass = Limit | 'page' | 'callback' | 'order';

/**
 * Requests per window for one client address; its wider networks have higher limits. The limits are generous because a
 * mobile network puts many people behind one address. Exact limits ask the database on each request. The others count
 * in memory and synchronise every second, which saves a write per page. The price is an overrun of up to a second's
 * requests, plus the counts too small to share, for each process.
 */
const classes: Record<LimitClass, { max: number; seconds: number; exact?: true }> = {
  page: { max: 1200, seconds: 60 },
  read: { max: 1200, seconds: 60 },
  status: { max: 1200, seconds: 60 },
  lookup: { max: 240, seconds: 60 },
  payment: { max: 240, seconds: 60 },
  write: { max: 120, seconds: 60 },
  event: { max: 600, seconds: 60 },
  code: { max: 60, seconds: 600, exact: true },
  verify: { max: 120, seconds: 600, exact: true },
  callback: { max: 6000, seconds: 60 },
  /** Unpaid orders: a paid one is given back. */
  order: { max: 1000, seconds: 3600 },
};

export interface RateLimits {
  /** Seconds until a retry makes sense, or null if the request may proceed. */
  take(limit: LimitClass, client: string): Promise<number | null>;
  /** `networks` are the client's, as keyed hashes separated by spaces. */
  giveBack(limit: LimitClass, networks: string): void;
  /** Synchronises the counts of this process with the database and deletes old windows. */
  settle(): Promise<void>;
}

const pruneMs = 60_000;
const maxAddresses = 10_000;
/** Counts below this share of the limit get no row. Otherwise an attacker with many addresses could fill the table. */
const sharedFrom = 0.05;
/** Rows live this many windows: the oldest part of a budget counts for a sixth more than its span, and clocks differ. */
const windowsKept = 1.25;

interface Window {
  start: Date;
  ends: number;
  /** Smaller counts get no row. */
  minShared: number;
  elsewhere: number;
  here: number;
}

/** A limit that a request counts towards. */
interface Counter {
  key: string;
  max: number;
}

/** Counts are shared in the database, so that a limit holds across processes. Addresses are stored only as keyed hashes. */
export function rateLimits(
  db: Kysely<Schema>,
  options: { secret: string; scale: number; budgets: BudgetRules; now: () => Date },
): RateLimits {
  const windows = new Map<string, Window>();
  let pruned = 0;
  // Budgets use the same table. By the key's prefix before the colon: how long its rows live.
  const lifeMs = new Map([
    ...Object.entries(classes).map(([name, { seconds }]) => [name, seconds * 1000 * windowsKept] as const),
    ...Object.entries(options.budgets).map(
      ([name, { seconds }]) => [`budget-${name}`, seconds * 1000 * windowsKept] as const,
    ),
  ]);
  const longestMs = Math.max(...lifeMs.values());

  async function add(key: string, start: Date, count: number): Promise<number> {
    const counted = await sql<{ count: number }>`
      insert into rate_limits (key, window_start, count) values (${key}, ${start}, ${count})
      on conflict (key, window_start) do update set count = rate_limits.count + excluded.count
      returning count`.execute(db);
    return counted.rows[0]?.count ?? count;
  }

  /**
   * Counts in the database, narrowest network first. Stops at the first that is over its limit, and charges no wider
   * one.
   */
  async function addExactly(counters: readonly Counter[], start: Date): Promise<boolean> {
    const names = counters.map((_, level) => sql.ref(`level_${level}`));
    const steps = counters.map(({ key }, level) => {
      const from = counters[level - 1];
      const source = from
        ? sql`select ${key}, ${start}::timestamptz, 1 from ${names[level - 1]} where count <= ${from.max}::float8`
        : sql`values (${key}, ${start}::timestamptz, 1)`;
      return sql`${names[level]} as (
        insert into rate_limits (key, window_start, count) ${source}
        on conflict (key, window_start) do update set count = rate_limits.count + 1 returning count)`;
    });
    const last = counters.at(-1);
    const widest = names.at(-1);
    const within = await sql`
      with ${sql.join(steps)} select 1 from ${widest} where count <= ${last?.max ?? 0}::float8`.execute(db);
    return within.rows.length > 0;
  }

  /** The same in memory; `settle` shares it. */
  function addInMemory(counters: readonly Counter[], start: Date, ends: number): boolean {
    for (const { key, max } of counters) {
      let window = windows.get(key);
      if (window?.start.getTime() !== start.getTime()) {
        window = { start, ends, minShared: max * sharedFrom, elsewhere: 0, here: 0 };
        windows.set(key, window);
      }
      window.here += 1;
      if (window.elsewhere + window.here > max) return false;
    }
    return true;
  }

  const hashed = (subject: string) =>
    createHmac('sha256', options.secret).update(subject).digest('base64url').slice(0, 22);

  /** Caches the hashes, since the same few addresses return again and again. */
  const addresses = new Map<string, readonly string[]>();
  function hashedNetworks(client: string): readonly string[] {
    const known = addresses.get(client);
    if (known) return known;
    if (addresses.size >= maxAddresses) addresses.clear();
    const networks = networksOf(client).map(hashed);
    addresses.set(client, networks);
    return networks;
  }

  return {
    async take(limit, client) {
      const { max, seconds, exact } = classes[limit];
      const now = options.now().getTime();
      const start = new Date(now - (now % (seconds * 1000)));
      const ends = start.getTime() + seconds * 1000;
      const networks = hashedNetworks(client);
      const factors = limitFactors(networks.length);
      const counters = networks.map((network, level) => ({
        key: `${limit}:${network}`,
        max: max * options.scale * (factors[level] ?? 1),
      }));
      const isWithin = exact ? await addExactly(counters, start) : addInMemory(counters, start, ends);
      return isWithin ? null : Math.ceil((ends - now) / 1000);
    },

    giveBack(limit, networks) {
      for (const network of networks.split(' ')) {
        const window = windows.get(`${limit}:${network}`);
        if (window && window.here + window.elsewhere > 0) window.here -= 1;
      }
    },

    async settle() {
      const now = options.now().getTime();
      for (const [key, window] of windows) {
        // A request from the end of the window may be settled a moment later.
        if (window.ends < now - pruneMs) windows.delete(key);
        if (window.here === 0 || window.here + window.elsewhere < window.minShared) continue;
        const here = window.here;
        window.here = 0;
        window.elsewhere += here;
        window.elsewhere = Math.max(window.elsewhere, await add(key, window.start, here));
      }
      if (now - pruned < pruneMs) return;
      pruned = now;
      const names = [...lifeMs.keys()];
      const ends = [...lifeMs.values()].map((life) => new Date(now - life));
      await sql`
        delete from rate_limits using unnest(${names}::text[], ${ends}::timestamptz[]) as old (name, before)
        where split_part(key, ':', 1) = old.name and window_start < old.before`.execute(db);
      // Rows of a budget that only an earlier version had.
      await db
        .deleteFrom('rate_limits')
        .where('window_start', '<', new Date(now - longestMs))
        .execute();
    },
  };
}
