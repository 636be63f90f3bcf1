import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { maskEmail } from '@portal/domain/email.ts';
import { oneLine } from '@portal/domain/printable.ts';
import type { Kysely } from 'kysely';
import type { Audit } from '../audit/audit.service.ts';
import { type ConsoleHandlers, ConsoleRefusal, nextPage, positionOf } from '../console/console.service.ts';
import { beginningOf, withoutPersons } from '../db/personal-data.ts';
import type { Schema } from '../db/schema.ts';
import { type FormEntry, findEntry, listEntries, markEntry } from './forms.store.ts';

interface FormsDesk {
  db: Kysely<Schema>;
  audit: Pick<Audit, 'write' | 'writeSeen'>;
  now: () => Date;
}

const pageRows = 50;
const entryId = /^[\w-]{12}$/;
/** The format of the topics on the feedback page. Anything else a client sends as topic is treated as text. */
const isTopic = (topic: unknown): topic is string => typeof topic === 'string' && /^[a-z]{1,20}$/.test(topic);

const subjectOf = (id: string) => ({ kind: 'feedback', id });

/** Customer care's handling of feedback. The audit records that somebody read an entry, not what it says. */
export function feedbackHandlers({ db, audit, now }: FormsDesk) {
  async function existing(id: string): Promise<FormEntry> {
    const entry = await findEntry(db, id);
    if (!entry) throw new ConsoleRefusal('notFound');
    return entry;
  }

  const listed = (entry: FormEntry): ConsoleResult<'feedback'>['entries'][number] => ({
    id: entry.id,
    form: entry.form_type,
    topic: isTopic(entry.data.topic) ? entry.data.topic : null,
    language: entry.language,
    createdAt: entry.created_at.toISOString(),
    wantsAnswer: Boolean(entry.email),
    beginning: typeof entry.data.message === 'string' ? beginningOf(entry.data.message) : '',
    done: entry.done_at && { at: entry.done_at.toISOString(), by: entry.done_by ?? '' },
  });

  return {
    async feedback({ list, before }) {
      const rows = await listEntries(db, {
        isDone: list === 'done',
        before: positionOf(before, entryId),
        most: pageRows + 1,
      });
      const page = rows.slice(0, pageRows);
      const last = page.at(-1);
      return {
        entries: page.map(listed),
        next: rows.length > pageRows && last ? nextPage({ at: last.created_at, id: last.id }) : null,
      };
    },

    async feedbackEntry({ id }) {
      const entry = await existing(id);
      const fields = Object.entries(entry.data).filter(([name, value]) => !(name === 'topic' && isTopic(value)));
      return {
        ...listed(entry),
        email: entry.email && maskEmail(entry.email),
        fields: fields.map(([name, value]) => {
          const text = oneLine(String(value));
          const shown = withoutPersons(text);
          return { name, value: shown, isMasked: shown !== text };
        }),
      };
    },

    async revealFeedback({ id, field, reason }, signed) {
      const { email, data } = await existing(id);
      const value = field === 'email' && email ? email : Object.hasOwn(data, field) ? String(data[field]) : '';
      if (!value) throw new ConsoleRefusal('notFound');
      await audit.writeSeen(signed.actor, {
        act: 'feedback.revealed',
        subject: subjectOf(id),
        after: { field: withoutPersons(field) },
        reason,
      });
      return { value: oneLine(value) };
    },

    async markFeedback({ id, isDone }, signed) {
      await existing(id);
      await db.transaction().execute(async (transaction) => {
        if (!(await markEntry(transaction, id, isDone ? { at: now(), by: signed.email } : null)))
          throw new ConsoleRefusal('changed');
        const act = isDone ? 'feedback.done' : 'feedback.reopened';
        await audit.write(transaction, signed.actor, { act, subject: subjectOf(id) });
      });
      return null;
    },
  } satisfies ConsoleHandlers;
}
