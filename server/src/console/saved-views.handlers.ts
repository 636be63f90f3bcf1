import { randomUUID } from 'node:crypto';
import { mostViews } from '@portal/contract/console/views.ts';
import type { Kysely } from 'kysely';
import type { Audit } from '../audit/audit.service.ts';
import type { Schema } from '../db/schema.ts';
import type { ConsoleHandlers } from './console.service.ts';
import { ConsoleRefusal } from './refusal.ts';

/** Each person's saved views of a list. Nobody sees those of others. */
export function savedViewHandlers({ db, audit, now }: { db: Kysely<Schema>; audit: Audit; now: () => Date }) {
  return {
    views: ({ page }, { personId }) =>
      db
        .selectFrom('console_views')
        .select(['id', 'name', 'filters'])
        .where('person_id', '=', personId)
        .where('page', '=', page)
        .orderBy('name')
        .execute(),

    async saveView({ page, name, filters }, { personId, actor }) {
      return db.transaction().execute(async (transaction) => {
        // Locks the person, so that concurrent inserts cannot exceed the limit.
        await transaction.selectFrom('console_people').select('id').where('id', '=', personId).forUpdate().execute();
        const row = { filters: JSON.stringify(filters), saved_at: now() };
        const saved = await transaction
          .insertInto('console_views')
          .values({ id: randomUUID(), person_id: personId, page, name, ...row })
          .onConflict((conflict) => conflict.columns(['person_id', 'page', 'name']).doUpdateSet(row))
          .returning('id')
          .executeTakeFirstOrThrow();
        const { count } = await transaction
          .selectFrom('console_views')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('person_id', '=', personId)
          .executeTakeFirstOrThrow();
        if (Number(count) > mostViews) throw new ConsoleRefusal('tooManyViews', { parameters: { most: mostViews } });
        const subject = { kind: 'view', id: saved.id };
        await audit.write(transaction, actor, { act: 'view.saved', subject, after: { page } });
        return saved;
      });
    },

    async removeView({ id }, { personId, actor }) {
      await db.transaction().execute(async (transaction) => {
        const removed = await transaction
          .deleteFrom('console_views')
          .where('id', '=', id)
          .where('person_id', '=', personId)
          .returning('page')
          .executeTakeFirst();
        if (!removed) throw new ConsoleRefusal('notFound');
        await audit.write(transaction, actor, { act: 'view.removed', subject: { kind: 'view', id }, before: removed });
      });
      return null;
    },
  } satisfies ConsoleHandlers;
}
