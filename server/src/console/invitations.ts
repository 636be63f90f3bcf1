import { randomBytes } from 'node:crypto';
import { joinPage } from '@portal/contract/console/calls.ts';
import type { Role } from '@portal/contract/console/permissions.ts';
import type { Kysely, Selectable } from 'kysely';
import type { Actor, Audit } from '../audit/audit.service.ts';
import type { Schema } from '../db/schema.ts';
import type { Console, Signed } from './console.service.ts';
import { ConsoleRefusal } from './refusal.ts';

type Executor = Kysely<Schema>;

interface Parts {
  db: Executor;
  console: Pick<Console, 'digestOf' | 'keepAnAdmin' | 'hasAdmin'>;
  audit: Audit;
  origin: string;
  now: () => Date;
}

interface Invited {
  email: string;
  name: string;
  roles: readonly Role[];
  /** An existing person, who gets another passkey. */
  person?: string | undefined;
}

const invitationHours = 24;
const firstAdminHours = 1;
const hourMs = 3_600_000;

/** Links for creating a first passkey, each valid once. The database stores only their digests. */
export function createInvitations({ db, console: people, audit, origin, now }: Parts) {
  const after = (hours: number) => new Date(now().getTime() + hours * hourMs);
  const linkTo = (token: string) => `${origin}${joinPage}#${token}`;

  const followable = (executor: Executor, token: string) =>
    executor
      .selectFrom('console_invitations')
      .selectAll()
      .where('id', '=', people.digestOf(token))
      .where('used_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .where('ends_at', '>', now())
      .executeTakeFirst();

  async function makeInvitation(
    transaction: Executor,
    actor: Actor,
    invited: Pick<Selectable<Schema['console_invitations']>, 'email' | 'name' | 'person_id' | 'is_first_admin'> & {
      roles: readonly Role[];
      hours: number;
      reason?: string;
      /** The approved proposal; it yields one link. */
      proposal?: string;
    },
  ): Promise<{ link: string; endsAt: Date }> {
    const { hours, reason, roles, ...row } = invited;
    const token = randomBytes(32).toString('base64url');
    const endsAt = after(hours);
    const made = await transaction
      .insertInto('console_invitations')
      .values({
        ...row,
        roles: [...roles],
        id: people.digestOf(token),
        made_by: actor.person,
        made_at: now(),
        ends_at: endsAt,
        used_at: null,
        withdrawn_at: null,
      })
      .onConflict((conflict) => conflict.column('proposal').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made) throw new ConsoleRefusal('linkMade');
    await audit.write(transaction, actor, {
      act: 'invitation.made',
      subject: { kind: 'invitation', id: people.digestOf(token).slice(0, 8) },
      after: { email: row.email, roles, endsAt },
      reason,
    });
    return { link: linkTo(token), endsAt };
  }

  /** A link is for a new person, or for another passkey of the existing person it names. */
  async function refuseKnown(executor: Executor, { email, person }: Pick<Invited, 'email' | 'person'>): Promise<void> {
    const known = await ofEmail(executor, email);
    if (person ? known?.id !== person : known) throw new ConsoleRefusal('emailKnown');
  }

  return {
    /** Null if the link is invalid, used or expired. */
    async followed(executor: Executor, token: string) {
      const invitation = await followable(executor, token);
      return !invitation || (invitation.is_first_admin && (await people.hasAdmin(executor))) ? null : invitation;
    },

    /** False if a concurrent request used it first. */
    async use(transaction: Executor, id: string): Promise<boolean> {
      const used = await transaction
        .updateTable('console_invitations')
        .set({ used_at: now() })
        .where('id', '=', id)
        .where('used_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      return used !== undefined;
    },

    list: () =>
      db
        .selectFrom('console_invitations')
        .selectAll()
        .where('used_at', 'is', null)
        .where('withdrawn_at', 'is', null)
        .where('ends_at', '>', now())
        .orderBy('made_at')
        .execute(),

    refuseKnown,

    /** Identifies an invitation to this email before there is a link. */
    idOf: (email: string) => people.digestOf(email.toLowerCase()).slice(0, 8),

    async proposalsWithLink(proposals: readonly string[]): Promise<string[]> {
      if (proposals.length === 0) return [];
      const rows = await db
        .selectFrom('console_invitations')
        .select('proposal')
        .where('proposal', 'in', proposals)
        .execute();
      return rows.flatMap(({ proposal }) => proposal ?? []);
    },

    async invite(
      { person, ...invited }: Invited & { reason: string; proposal?: string },
      { actor }: Signed,
    ): Promise<{ link: string; endsAt: Date }> {
      return db.transaction().execute(async (transaction) => {
        await refuseKnown(transaction, { ...invited, person });
        const row = { ...invited, person_id: person ?? null, is_first_admin: false, hours: invitationHours };
        return makeInvitation(transaction, actor, row);
      });
    },

    async withdraw(id: string, { actor }: Signed): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const withdrawn = await transaction
          .updateTable('console_invitations')
          .set({ withdrawn_at: now() })
          .where('id', '=', id)
          .where('used_at', 'is', null)
          .where('withdrawn_at', 'is', null)
          .returning('email')
          .executeTakeFirst();
        if (!withdrawn) throw new ConsoleRefusal('notFound');
        const subject = { kind: 'invitation', id: id.slice(0, 8) };
        await audit.write(transaction, actor, { act: 'invitation.withdrawn', subject, before: withdrawn });
      });
    },

    /** From the shell, and only while no admin can sign in; it invalidates the previous link. */
    async inviteFirstAdmin(who: { email: string; name: string }): Promise<{ link: string; endsAt: Date } | null> {
      return db.transaction().execute(async (transaction) => {
        await people.keepAnAdmin.lock(transaction);
        if (await people.hasAdmin(transaction)) return null;
        await transaction
          .updateTable('console_invitations')
          .set({ withdrawn_at: now() })
          .where('is_first_admin', '=', true)
          .where('used_at', 'is', null)
          .where('withdrawn_at', 'is', null)
          .execute();
        const known = await ofEmail(transaction, who.email);
        return makeInvitation(
          transaction,
          { person: null, roles: ['command'], address: null },
          { ...who, roles: ['admin'], person_id: known?.id ?? null, is_first_admin: true, hours: firstAdminHours },
        );
      });
    },
  };
}

export const ofEmail = (executor: Executor, email: string) =>
  executor.selectFrom('console_people').select('id').where('email', '=', email).executeTakeFirst();
