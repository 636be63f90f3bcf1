import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type Budgets, networkDraws } from '../budgets/budgets.service.ts';
import { endedBefore, periods } from '../db/periods.ts';
import { sealRow } from '../db/personal-data.ts';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Handlers } from '../http/register-calls.ts';

export function formHandlers(db: Kysely<Schema>, { budgets, now }: { budgets: Budgets; now: () => Date }): Handlers {
  return {
    async saveForm({ body, language, ip }) {
      const id = randomBytes(9).toString('base64url');
      await db.transaction().execute(async (transaction) => {
        const draws = [...networkDraws('formNetwork', ip), { budget: 'formAll', subject: '' } as const];
        if (await budgets.take(draws, transaction)) throw new PortalError('tooManyThisHour');
        await transaction
          .insertInto('form_entries')
          .values(
            sealRow(transaction, 'form_entries', {
              id,
              form_type: body.formType,
              email: body.email ?? null,
              data: JSON.stringify(body.data),
              language,
              created_at: now(),
            }),
          )
          .execute();
      });
      return { formId: id };
    },
  };
}

export async function forgetOldForms(db: Kysely<Schema>, now: Date): Promise<void> {
  const before = endedBefore(periods.form_entries, now);
  await db.deleteFrom('form_entries').where('created_at', '<', before).execute();
}
