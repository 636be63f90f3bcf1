import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type Budgets, networkDraws } from '../budgets/budgets.service.ts';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Handlers } from '../http/register-calls.ts';
import { endedBefore, periods } from '../retention/retention-periods.ts';
import { deleteBefore, insertEntry } from './forms.store.ts';

export function formHandlers(db: Kysely<Schema>, { budgets, now }: { budgets: Budgets; now: () => Date }): Handlers {
  return {
    async saveForm({ body, language, ip }) {
      const id = randomBytes(9).toString('base64url');
      await db.transaction().execute(async (transaction) => {
        const draws = [...networkDraws('formNetwork', ip), { budget: 'formAll', subject: '' } as const];
        if (await budgets.take(draws, transaction)) throw new PortalError('tooManyThisHour');
        await insertEntry(transaction, {
          id,
          form_type: body.formType,
          email: body.email ?? null,
          data: JSON.stringify(body.data),
          language,
          created_at: now(),
        });
      });
      return { formId: id };
    },
  };
}

export const deleteExpiredForms = (db: Kysely<Schema>, now: Date): Promise<void> =>
  deleteBefore(db, endedBefore(periods.form_entries, now));
