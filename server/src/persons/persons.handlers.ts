import type { Kysely } from 'kysely';
import type { Approvals } from '../approvals/approvals.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import { type ConsoleHandlers, ConsoleRefusal } from '../console/console.service.ts';
import type { Schema } from '../db/schema.ts';
import type { Persons } from './persons.service.ts';

const shownLetters = 11;

interface PersonsDesk {
  db: Kysely<Schema>;
  persons: Persons;
  approvals: Approvals;
  audit: Pick<Audit, 'write'>;
}

/** An admin's handling of requests for access to personal data, or for its erasure. */
export function personHandlers({ db, persons, approvals, audit }: PersonsDesk) {
  const subjectOf = (hash: string) => ({ kind: 'customer', id: hash });

  return {
    async searchPerson({ text, reason }, signed) {
      const { person, hash, masked } = persons.named(text);
      const { all: held, erased: erasable, underWay } = await persons.summary(person);
      const after = Object.fromEntries(held.map(({ table, count }) => [table, count]));
      await audit.write(db, signed.actor, { act: 'person.searched', subject: subjectOf(hash), after, reason });
      const proposal = await approvals.openOf(subjectOf(hash), 'erasure');
      return { person: hash, masked, held, underWay, erasable, proposal };
    },

    async exportPerson({ text, reason, as }, signed) {
      const { person, hash } = persons.named(text);
      const held = await persons.held(person);
      // Written before the export is sent: one that is requested counts as shown, even if it does not arrive.
      await audit.write(db, signed.actor, {
        act: 'person.exported',
        subject: subjectOf(hash),
        after: { as, rows: held.length },
        reason,
      });
      return { person: hash, rows: held.map(({ table, at, values }) => ({ table, at: at.toISOString(), values })) };
    },

    async proposeErasure({ text, reason }, signed) {
      const { person, hash } = persons.named(text);
      if ((await persons.summary(person)).erased === 0) throw new ConsoleRefusal('nothingToErase');
      const proposal = await approvals.propose(signed, {
        kind: 'erasure',
        subject: subjectOf(hash),
        // Enough characters to distinguish persons.
        payload: { name: hash.slice(0, shownLetters), amount: null, currency: null },
        reason,
        needsTwo: true,
        about: person.value,
      });
      return { proposal };
    },
  } satisfies ConsoleHandlers;
}
