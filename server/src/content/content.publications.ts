import type { OperatorPack } from '@portal/domain/operator.ts';
import type { Kysely } from 'kysely';
import type { Approvable, Approval } from '../approvals/approvals.service.ts';
import { ConsoleRefusal } from '../console/console.service.ts';
import type { Schema } from '../db/schema.ts';
import type { ContentEditing } from './content.editing.ts';
import type { Item } from './content.plans.ts';
import { ContentRefused } from './content-refused.ts';
import { pageLanguage } from './page-language.ts';

interface Dependencies {
  db: Kysely<Schema>;
  editing: ContentEditing;
  pack: Pick<OperatorPack, 'languages'>;
  now: () => Date;
}

/** The content of a proposal, fixed when it is made. */
interface Publication {
  items: Item[];
  at: string | null;
}

/** One that is planned can be approved until then. */
const startOf = (approval: Approval): Date | null => {
  const { at } = publicationIn(approval);
  return at ? new Date(at) : null;
};

const publicationIn = ({ payload }: Approval) => payload as unknown as Publication;

/** Publications: editors draft, publishers approve, for now or for a later time. */
export function publications({ db, editing, pack, now }: Dependencies): Approvable {
  return {
    propose: 'content.propose',
    approve: 'content.publish',

    async evidence(approval) {
      const { items, at } = publicationIn(approval);
      const nothing = { amount: null, currency: null };
      return [
        ...(at ? [{ ...nothing, what: 'from', detail: at }] : []),
        ...items.map(({ page, version, shown }) => {
          const locale = pageLanguage(pack, page)?.locale;
          const compare = { page, from: shown ?? 0, to: version };
          return { ...nothing, what: 'page', detail: page, ...(locale ? { locale } : {}), compare };
        }),
      ];
    },

    until: startOf,
    startsAt: startOf,

    async overtaken(approval) {
      const { items, at } = publicationIn(approval);
      if (at && new Date(at) <= now()) return { code: 'timePassed', parameters: {} };
      try {
        await editing.check(items);
        return null;
      } catch (error) {
        if (!(error instanceof ContentRefused)) throw error;
        return { code: codes[error.why], parameters: {} };
      }
    },

    async outcomes(ids) {
      const plans = await db
        .selectFrom('content_plans')
        .select(['proposal', 'state'])
        .where('proposal', 'in', [...ids])
        .execute();
      return new Map(plans.map(({ proposal, state }) => [proposal, `publication.${state}`]));
    },

    async carryOut(approval, { actor }, decide) {
      const { items, at } = publicationIn(approval);
      const publishing = { items, by: actor, proposal: approval.id, reason: approval.reason };
      // It was not approved before its scheduled time.
      if (at && new Date(at) <= now()) throw new ConsoleRefusal('proposalExpired');
      await refusing(
        db.transaction().execute(async (transaction) => {
          await decide(transaction);
          await editing.check(items, transaction);
          if (at) await editing.planIn(transaction, publishing, new Date(at));
          else await editing.publishIn(transaction, publishing);
        }),
      );
      if (!at) editing.changed(items);
    },
  };
}

const codes = {
  invalid: 'contentRefused',
  unknown: 'notFound',
  changed: 'changedMeanwhile',
  planned: 'alreadyPlanned',
} as const;

/** Turns refusals of content into the console's. */
export async function refusing<T>(doing: Promise<T>): Promise<T> {
  return doing.catch((error: unknown) => {
    if (!(error instanceof ContentRefused)) throw error;
    const { why, page, faults } = error;
    throw new ConsoleRefusal(codes[why], {
      ...(page ? { field: page } : {}),
      ...(faults.length > 0
        ? { faults: faults.map(({ page, at, says: _, ...why }) => ({ field: `${page} ${at}`, ...why })) }
        : {}),
    });
  });
}
