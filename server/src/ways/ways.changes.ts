import type { AuditAct } from '@portal/contract/console/acts.ts';
import type { Kysely } from 'kysely';
import type { Approvable, Approver, Fact, Payload } from '../approvals/approvals.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import { ConsoleRefusal } from '../console/console.service.ts';
import type { Schema } from '../db/schema.ts';
import type { Announced } from './switches-and-announcements.ts';
import type { Ways } from './ways.service.ts';

/** A requested change, and the version that it is based on. */
export interface Change {
  announced: Announced;
  act: AuditAct;
  subject: { kind: string; id: string };
  version: number;
}

export type WayChanges = ReturnType<typeof wayChanges>;

interface Parts {
  db: Kysely<Schema>;
  ways: Ways;
  audit: Pick<Audit, 'write'>;
  now: () => Date;
}

/** The only writer of announcements and switches, for direct changes and for approved ones. */
export function wayChanges({ db, ways, audit, now }: Parts) {
  const { announcements } = ways;

  async function carryOut(
    { announced, act, subject, version }: Change,
    { reason, by, proposal, decide }: { reason: string; by: Approver; proposal?: string; decide?: Decide },
  ): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      await decide?.(transaction);
      const before = await transaction
        .selectFrom('announcements')
        .select(['is_on', 'texts', 'starts_at', 'ends_at'])
        .where('subject', '=', announced.subject)
        .executeTakeFirst();
      if (!(await announcements.announce(transaction, announced, { version, by: by.email })))
        throw new ConsoleRefusal('changedMeanwhile');
      const { subject: _, ...after } = announced;
      await audit.write(transaction, by.actor, {
        ...{ act, subject, before, reason },
        after: proposal ? { ...after, proposal } : after,
      });
    });
    await announcements.readAnew();
  }

  /** Closing a method, or all of them, prevents payments, so it needs approval. */
  const closing = (evidence: (change: Change) => Promise<Fact[]>): Approvable => ({
    propose: 'ways.switch',
    approve: 'ways.approve',
    evidence: async ({ payload }) => {
      const change = changeIn(payload);
      return [...(await evidence(change)), ...textsOf(change)];
    },
    until: ({ payload }) => changeIn(payload).announced.ends_at,

    async overtaken({ payload }) {
      const { announced, version } = changeIn(payload);
      if (announced.ends_at && announced.ends_at <= now()) return { code: 'timePassed', parameters: {} };
      const row = await db
        .selectFrom('announcements')
        .select('version')
        .where('subject', '=', announced.subject)
        .executeTakeFirst();
      return (row?.version ?? 0) === version ? null : { code: 'changedMeanwhile', parameters: {} };
    },
    async carryOut({ id: proposal, payload, reason }, by, decide) {
      const change = changeIn(payload);
      const { ends_at } = change.announced;
      if (ends_at && ends_at <= now()) throw new ConsoleRefusal('timePassed');
      await carryOut(change, { reason, by, proposal, decide });
    },
  });

  return {
    carryOut,

    closings: {
      wayOff: closing(async ({ subject }) => {
        const report = (await ways.reports()).get(subject.id);
        return report
          ? [
              known('health', report.health),
              known('succeeded', String(report.taken)),
              known('failed', String(report.failed)),
            ]
          : [];
      }),
      maintenance: closing(async ({ announced: { starts_at, ends_at } }) =>
        [known('startsAt', starts_at?.toISOString()), known('endsAt', ends_at?.toISOString())].filter(
          ({ detail }) => detail !== null,
        ),
      ),
    },
  };
}

type Decide = (transaction: Kysely<Schema>) => Promise<void>;

const known = (what: string, detail: string | undefined): Fact => ({
  ...{ what, amount: null, currency: null },
  detail: detail ?? null,
});

const textsOf = ({ announced }: Change): Fact[] =>
  Object.entries(announced.texts).map(([locale, text]) => ({ ...known('told', text), locale }));

/** The payload of a proposal. */
export const payloadOf = (change: Change, name: string): Payload => ({ name, amount: null, currency: null, change });

export function changeIn(payload: Payload): Change {
  const change = payload.change as Change;
  const { starts_at, ends_at } = change.announced;
  const instant = (at: Date | string | null) => (at ? new Date(at) : null);
  return {
    ...change,
    announced: { ...change.announced, starts_at: instant(starts_at), ends_at: instant(ends_at) },
  };
}
