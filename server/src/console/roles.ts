import type { ConsoleParsed, ConsoleResult } from '@portal/contract/console/contract.ts';
import { isRole, type Role } from '@portal/contract/console/permissions.ts';
import type { Kysely } from 'kysely';
import type { Approvable, Approval, Approvals, Fact, Payload } from '../approvals/approvals.service.ts';
import type { Schema } from '../db/schema.ts';
import { type Console, type ConsoleHandlers, ConsoleRefusal, type Signed } from './console.service.ts';
import type { Passkeys } from './passkeys.ts';

/** The content of a proposal: other roles or reopening for an existing person, or an invitation. */
type Wanted =
  | { opened: string; roles: string[] }
  | { person: string; before: string[]; roles: Role[] }
  | { invited: Omit<ConsoleParsed<'invite'>, 'reason'> };

const wantedIn = ({ payload }: Approval): Wanted => payload.wanted as Wanted;

/** How long an approved invitation can be turned into a link. */
const linkMs = 7 * 24 * 3_600_000;

const known = (what: string, detail: string): Fact => ({ what, detail, amount: null, currency: null });

/** Changes of permissions need two admins. */
export function roleChanges({ db, console: people, passkeys }: RoleParts): Approvable {
  return {
    propose: 'people.write',
    approve: 'people.approve',

    async evidence(approval) {
      const wanted = wantedIn(approval);
      if ('invited' in wanted) {
        const { email, name, roles, person } = wanted.invited;
        return [known('person', `${name} · ${email}`), known(person ? 'anotherPasskey' : 'roles', roles.join(' '))];
      }
      if ('opened' in wanted) return [known('letInAgain', wanted.roles.join(' '))];
      return [known('rolesBefore', wanted.before.join(' ')), known('roles', wanted.roles.join(' '))];
    },

    async overtaken(approval) {
      const wanted = wantedIn(approval);
      const person = 'opened' in wanted ? wanted.opened : 'person' in wanted ? wanted.person : null;
      if (person === null) return null;
      const found = await db
        .selectFrom('console_people')
        .select(['roles', 'closed_at'])
        .where('id', '=', person)
        .executeTakeFirst();
      const stands =
        found &&
        ('opened' in wanted
          ? found.closed_at !== null
          : 'before' in wanted && wanted.before.join() === found.roles.filter(isRole).join());
      return stands ? null : { code: 'changedMeanwhile', parameters: {} };
    },

    async carryOut(approval, by, decide) {
      const wanted = wantedIn(approval);
      if ('invited' in wanted) {
        // The proposer then creates the link and hands it over: it is shown once, to one person.
        await db.transaction().execute(async (transaction) => {
          await passkeys?.refuseKnown(transaction, wanted.invited);
          await decide(transaction);
        });
        return;
      }
      if ('opened' in wanted) {
        await people.setClosed(wanted.opened, false, { by, reason: approval.reason, decide });
        return;
      }
      await people.setRoles(wanted.person, wanted.roles, { by, reason: approval.reason, seen: wanted.before, decide });
    },
  };
}

interface RoleParts {
  db: Kysely<Schema>;
  console: Pick<Console, 'setRoles' | 'setClosed'>;
  passkeys: Pick<Passkeys, 'refuseKnown'> | null;
}

interface RolesDesk {
  db: Kysely<Schema>;
  console: Pick<Console, 'setRoles' | 'setClosed' | 'hasOtherAdmin'>;
  /** Null if people sign in with OpenID. */
  passkeys: Passkeys | null;
  approvals: Approvals;
  fourEyes: boolean;
  now: () => Date;
}

/** Invitations and changes of roles: immediate with one admin, proposed with more. */
export function roleHandlers({ db, console: people, passkeys, approvals, fourEyes, now }: RolesDesk) {
  /** With OpenID, neither passkeys nor roles are managed here. */
  function byPasskeys(): Passkeys {
    if (!passkeys) throw new ConsoleRefusal('decidedByProvider');
    return passkeys;
  }

  /** The person it is about does not count as a second admin. */
  const takesTwo = async ({ personId }: Signed, about = personId) =>
    fourEyes && (await people.hasOtherAdmin(personId, about));

  async function personOf(id: string) {
    const found = await db
      .selectFrom('console_people')
      .select(['email', 'roles', 'closed_at'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!found) throw new ConsoleRefusal('notFound');
    return found;
  }

  const propose = (
    signed: Signed,
    {
      subject,
      name,
      wanted,
      reason,
    }: { subject: { kind: string; id: string }; name: string; wanted: Wanted; reason: string },
  ): Promise<string> => {
    const payload: Payload = { name, amount: null, currency: null, wanted };
    return approvals.propose(signed, { kind: 'roles', subject, payload, reason, needsTwo: true });
  };

  /** Invitations that this person proposed and another admin approved, without a link yet. */
  async function approvedOf(signed: Signed) {
    const decided = await approvals.list({ list: 'decided', kinds: ['roles'], most: 200 });
    const own = decided.filter((one) => isLinkDue(one) && approvals.isOwn(one, signed));
    const made = new Set(await byPasskeys().proposalsWithLink(own.map(({ id }) => id)));
    return own.filter(({ id }) => !made.has(id));
  }

  const isLinkDue = (approval: Approval) =>
    approval.kind === 'roles' &&
    approval.state === 'approved' &&
    'invited' in wantedIn(approval) &&
    (approval.decided_at?.getTime() ?? 0) > now().getTime() - linkMs;

  return {
    async invite({ reason, ...invited }, signed) {
      const keys = byPasskeys();
      if (!(await takesTwo(signed))) {
        const { link, endsAt } = await keys.invite({ ...invited, reason }, signed);
        return { link, endsAt: endsAt.toISOString(), proposal: null };
      }
      await keys.refuseKnown(db, invited);
      const subject = { kind: 'invitation', id: keys.idOf(invited.email) };
      const proposal = await propose(signed, { subject, name: invited.email, wanted: { invited }, reason });
      return { link: null, endsAt: null, proposal };
    },

    async approvedInvitations(_input, signed) {
      if (!passkeys) return [];
      return (await approvedOf(signed)).flatMap(({ id, ...approval }): ConsoleResult<'approvedInvitations'> => {
        const wanted = wantedIn({ id, ...approval });
        if (!('invited' in wanted)) return [];
        const { email, name, roles } = wanted.invited;
        return [{ proposal: id, email, name, roles }];
      });
    },

    async invitationLink({ proposal }, signed) {
      const approval = await approvals.seenBy(proposal, signed);
      const wanted = wantedIn(approval);
      if (!isLinkDue(approval) || !approvals.isOwn(approval, signed) || !('invited' in wanted))
        throw new ConsoleRefusal('notPossible');
      const { link, endsAt } = await byPasskeys().invite(
        { ...wanted.invited, reason: approval.reason, proposal },
        signed,
      );
      return { link, endsAt: endsAt.toISOString() };
    },

    async setRoles({ person, roles, reason }, signed) {
      byPasskeys();
      if (!(await takesTwo(signed))) {
        await people.setRoles(person, roles, { by: signed, reason });
        return { proposal: null };
      }
      const found = await personOf(person);
      const wanted = { person, before: found.roles.filter(isRole), roles };
      const proposal = await propose(signed, {
        subject: { kind: 'person', id: person },
        name: found.email,
        wanted,
        reason,
      });
      return { proposal };
    },

    /** One admin closes an account at once, since it may be urgent. Reopening it counts as an invitation. */
    async closePerson({ person, isClosed, reason }, signed) {
      const { email, roles, closed_at } = await personOf(person);
      if (isClosed || closed_at === null || !(await takesTwo(signed, person))) {
        await people.setClosed(person, isClosed, { by: signed, reason });
        return { proposal: null };
      }
      const wanted = { opened: person, roles: roles.filter(isRole) };
      return {
        proposal: await propose(signed, { subject: { kind: 'person', id: person }, name: email, wanted, reason }),
      };
    },
  } satisfies ConsoleHandlers;
}
