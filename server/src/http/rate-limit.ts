import { createHmac } from 'node:crypto';
import type { Limit } from '@portal/contract/define-call.ts';
import type { BudgetRules } from '@portal/domain/budgets.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { networksOf, roomsOf } from './client-networks.ts';

export type LimitClass = Limit | 'page' | 'callback' | 'order';

/**
 * Requests in a window for one client address; its wider networks have more room. A mobile network puts many people behind
 * one address, so they are wide.
 * Exact ones ask the database each time; the others count here and settle with it every second, which saves a write on
 * each page and costs at most a second's overrun, and what is not shared yet, for each process.
 */
const classes: Record<LimitClass, { most: number; seconds: number; exact?: true }> = {
  page: { most: 1200, seconds: 60 },
  read: { most: 1200, seconds: 60 },
  status: { most: 1200, seconds: 60 },
  lookup: { most: 240, seconds: 60 },
  payment: { most: 240, seconds: 60 },
  write: { most: 120, seconds: 60 },
  event: { most: 600, seconds: 60 },
  code: { most: 60, seconds: 600, exact: true },
  verify: { most: 120, seconds: 600, exact: true },
  callback: { most: 6000, seconds: 60 },
  /** Orders that nobody pays; a paid one is given back. */
  order: { most: 1000, seconds: 3600 },
};

export interface RateLimits {
  /** Seconds to wait, or null when the request may go on. */
  take(limit: LimitClass, client: string): Promise<number | null>;
  /** `networks` are those of the client, as keyed hashes in one text. */
  giveBack(limit: LimitClass, networks: string): void;
  /** Settles what was counted here with the other processes, and forgets old windows. */
  settle(): Promise<void>;
}

const pruneMs = 60_000;
const mostAddresses = 10_000;
/** Most clients never come so near to a limit. A row for each would let whoever has many addresses fill the table. */
const sharedFrom = 0.05;
/** In windows or spans: the oldest part of a budget counts for a span and a sixth, and clocks differ. */
const keptWindows = 1.25;

interface Window {
  start: Date;
  ends: number;
  /** Fewer are not worth a row. */
  least: number;
  elsewhere: number;
  here: number;
}

/** What a request counts for, narrowest network first. */
interface Counter {
  key: string;
  most: number;
}

/** Counted in the database, so that a limit holds whichever process answers. Addresses are kept only as keyed hashes. */
export function rateLimits(
  db: Kysely<Schema>,
  options: { secret: string; scale: number; budgets: BudgetRules; now: () => Date },
): RateLimits {
  const windows = new Map<string, Window>();
  let pruned = 0;
  // Budgets count in the same table. What stands before the colon of a key, and for how long it counts.
  const lifeMs = new Map([
    ...Object.entries(classes).map(([name, { seconds }]) => [name, seconds * 1000 * keptWindows] as const),
    ...Object.entries(options.budgets).map(
      ([name, { seconds }]) => [`budget-${name}`, seconds * 1000 * keptWindows] as const,
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

  /** Counts where all may know of it; false at the first network that is over its limit, and then no wider one is charged. */
  async function addExactly(counters: readonly Counter[], start: Date): Promise<boolean> {
    const names = counters.map((_, level) => sql.ref(`level_${level}`));
    const steps = counters.map(({ key }, level) => {
      const from = counters[level - 1];
      const source = from
        ? sql`select ${key}, ${start}::timestamptz, 1 from ${names[level - 1]} where count <= ${from.most}::float8`
        : sql`values (${key}, ${start}::timestamptz, 1)`;
      return sql`${names[level]} as (
        insert into rate_limits (key, window_start, count) ${source}
        on conflict (key, window_start) do update set count = rate_limits.count + 1 returning count)`;
    });
    const last = counters.at(-1);
    const widest = names.at(-1);
    const within = await sql`
      with ${sql.join(steps)} select 1 from ${widest} where count <= ${last?.most ?? 0}::float8`.execute(db);
    return within.rows.length > 0;
  }

  /** The same in this process; shared when it is settled. */
  function addHere(counters: readonly Counter[], start: Date, ends: number): boolean {
    for (const { key, most } of counters) {
      let window = windows.get(key);
      if (window?.start.getTime() !== start.getTime()) {
        window = { start, ends, least: most * sharedFrom, elsewhere: 0, here: 0 };
        windows.set(key, window);
      }
      window.here += 1;
      if (window.elsewhere + window.here > most) return false;
    }
    return true;
  }

  const hashed = (subject: string) =>
    createHmac('sha256', options.secret).update(subject).digest('base64url').slice(0, 22);

  /** The same few addresses ask again and again. */
  const addresses = new Map<string, readonly string[]>();
  function hashedNetworks(client: string): readonly string[] {
    const known = addresses.get(client);
    if (known) return known;
    if (addresses.size >= mostAddresses) addresses.clear();
    const networks = networksOf(client).map(hashed);
    addresses.set(client, networks);
    return networks;
  }

  return {
    async take(limit, client) {
      const { most, seconds, exact } = classes[limit];
      const now = options.now().getTime();
      const start = new Date(now - (now % (seconds * 1000)));
      const ends = start.getTime() + seconds * 1000;
      const networks = hashedNetworks(client);
      const rooms = roomsOf(networks.length);
      const counters = networks.map((network, level) => ({
        key: `${limit}:${network}`,
        most: most * options.scale * (rooms[level] ?? 1),
      }));
      const isWithin = exact ? await addExactly(counters, start) : addHere(counters, start, ends);
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
        // A request that came at the end may still be settled a moment later.
        if (window.ends < now - pruneMs) windows.delete(key);
        if (window.here === 0 || window.here + window.elsewhere < window.least) continue;
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
      // A budget that an earlier version had.
      await db
        .deleteFrom('rate_limits')
        .where('window_start', '<', new Date(now - longestMs))
        .execute();
    },
  };
}
