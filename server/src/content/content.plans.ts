import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Actor, Audit } from '../audit/audit.service.ts';
import type { Schema } from '../db/schema.ts';
import { ContentRefused } from './content-refused.ts';

type Executor = Kysely<Schema>;
export type Plan = Selectable<Schema['content_plans']>;

/** A version to publish, and the version that was active at the decision; null if that does not matter. */
export interface Item {
  page: string;
  version: number;
  shown: number | null;
}

export interface Publishing {
  items: readonly Item[];
  by: Actor;
  as?: 'activate' | 'roll back';
  proposal?: string;
  reason?: string | undefined;
}

/** The parts of publishing, from `content.editing.ts`. */
interface Parts {
  now: () => Date;
  audit: Pick<Audit, 'write'>;
  lockPages(transaction: Executor, pages: readonly string[]): Promise<void>;
  /** Returns the active version. */
  checked(transaction: Executor, item: Item): Promise<number>;
  publishOne(transaction: Executor, item: Item, publishing: Omit<Publishing, 'items'>, at: Date): Promise<void>;
  changed(items: readonly Pick<Item, 'page'>[]): void;
}

/** Approved publications that are scheduled for later. */
export function contentPlans(db: Executor, { now, audit, lockPages, checked, publishOne, changed }: Parts) {
  async function planIn(transaction: Executor, { items, by, proposal = '' }: Publishing, at: Date): Promise<void> {
    await lockPages(
      transaction,
      items.map(({ page }) => page),
    );
    for (const item of items) {
      const { page, version } = item;
      const shown = await checked(transaction, item);
      const isPlanned = await transaction
        .selectFrom('content_plans')
        .select('id')
        .where('page', '=', page)
        .where('state', '=', 'planned')
        .executeTakeFirst();
      if (isPlanned) throw new ContentRefused(`Another version of ${page} is planned.`, { why: 'planned', page });
      await transaction
        .insertInto('content_plans')
        .values({
          ...{ id: randomUUID(), proposal, page, version, shown, at },
          ...{ planned_by: by.person ?? '', planned_at: now() },
        })
        .execute();
      await audit.write(transaction, by, {
        act: 'content.planned',
        subject: { kind: 'content', id: page },
        before: { version: shown },
        after: { version, at, proposal },
      });
    }
  }

  const firstDue = () =>
    db
      .selectFrom('content_plans')
      .select(['proposal', 'at'])
      .where('state', '=', 'planned')
      .where('at', '<=', now())
      .orderBy('at')
      .limit(1)
      .executeTakeFirst();

  /** Publishes what was approved together in one transaction; nothing if another process was first. */
  async function publishDue(transaction: Executor, { proposal, at }: Pick<Plan, 'proposal' | 'at'>): Promise<Plan[]> {
    const together = () =>
      transaction
        .selectFrom('content_plans')
        .selectAll()
        .where('proposal', '=', proposal)
        .where('at', '=', at)
        .where('state', '=', 'planned');
    await lockPages(
      transaction,
      (await together().execute()).map(({ page }) => page),
    );
    // Read again under the lock: another process may have published them, or somebody cancelled them.
    const due = await together().orderBy('page').execute();
    const moment = now();
    for (const plan of due) await endPlan(transaction, plan, moment);
    return due;
  }

  async function endPlan(
    transaction: Executor,
    { id, page, version, shown, proposal, planned_by }: Plan,
    moment: Date,
  ) {
    const by = { person: planned_by, roles: ['schedule'], address: null };
    const active = await checked(transaction, { page, version, shown: null });
    const isOvertaken = active !== shown;
    await transaction
      .updateTable('content_plans')
      .set({ state: isOvertaken ? 'overtaken' : 'published', ended_at: now() })
      .where('id', '=', id)
      .execute();
    if (!isOvertaken) return publishOne(transaction, { page, version, shown }, { by, proposal }, moment);
    await audit.write(transaction, by, {
      act: 'content.overtaken',
      subject: { kind: 'content', id: page },
      before: { version: active },
      after: { version, proposal },
    });
  }

  return {
    planIn,

    /** The current plans, and the outcome of each page's last one. */
    plans: (): Promise<Plan[]> =>
      db
        .selectFrom('content_plans')
        .selectAll()
        .distinctOn('page')
        .orderBy('page')
        .orderBy('planned_at', 'desc')
        .execute(),

    /** False if it is no longer scheduled. */
    async takeBack(id: string, by: Actor, reason: string): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const plan = await transaction
          .selectFrom('content_plans')
          .select('page')
          .where('id', '=', id)
          .executeTakeFirst();
        if (!plan) return false;
        await lockPages(transaction, [plan.page]);
        const taken = await transaction
          .updateTable('content_plans')
          .set({ state: 'takenBack', ended_at: now() })
          .where('id', '=', id)
          .where('state', '=', 'planned')
          .returning(['page', 'version', 'at'])
          .executeTakeFirst();
        if (!taken) return false;
        await audit.write(transaction, by, {
          act: 'content.planTakenBack',
          subject: { kind: 'content', id: taken.page },
          before: { version: taken.version, at: taken.at },
          reason,
        });
        return true;
      });
    },

    /** Publishes what is due, once across all processes. */
    async sweep(): Promise<void> {
      for (let first = await firstDue(); first; first = await firstDue()) {
        const due = first;
        changed(await db.transaction().execute((transaction) => publishDue(transaction, due)));
      }
    },
  };
}
