import { isRole, mayDo, type Permission, type Role } from '@portal/contract/console/permissions.ts';
import { type Kysely, sql } from 'kysely';
import type { Audit } from '../audit/audit.service.ts';
import type { Schema } from '../db/schema.ts';
import { ConsoleRefusal } from './refusal.ts';
import type { createSessions } from './sessions.ts';
import { idleMs } from './sessions.ts';
import type { Signed } from './signed-in.ts';

interface Parts {
  db: Kysely<Schema>;
  audit: Audit;
  signIn: 'openid' | 'passkeys';
  sessions: Pick<ReturnType<typeof createSessions>, 'endAll'>;
  now: () => Date;
}

/** A person who changed the sign-in provider has several accounts: the one seen last is current. */
export const isEarlier = ({ id, email, seen_at }: Seen, all: readonly Seen[]): boolean =>
  all.some((one) => one.id !== id && isSameEmail(one, { email }) && isAfter(one, { id, seen_at }));

type Seen = { id: string; email: string; seen_at: Date };
const isSameEmail = (one: Pick<Seen, 'email'>, other: Pick<Seen, 'email'>) =>
  one.email.toLowerCase() === other.email.toLowerCase();
const isAfter = (one: Pick<Seen, 'id' | 'seen_at'>, other: Pick<Seen, 'id' | 'seen_at'>) =>
  one.seen_at > other.seen_at || (one.seen_at.getTime() === other.seen_at.getTime() && one.id > other.id);

const keptOutMs = 7 * 24 * 3_600_000;

/** The console's people and their permissions. Makes sure that there is always an admin. */
export function createPeople({ db, audit, signIn, sessions, now }: Parts) {
  const after = (ms: number) => new Date(now().getTime() + ms);

  /** Whether an admin can sign in: with passkeys, one who has a passkey. */
  async function hasAdmin(executor: Kysely<Schema>): Promise<boolean> {
    const admin = await executor
      .selectFrom('console_people')
      .select('id')
      .where(sql<boolean>`'admin' = any(roles)`)
      .where('closed_at', 'is', null)
      .$if(signIn === 'passkeys', (query) =>
        query.where('id', 'in', (keys) => keys.selectFrom('console_passkeys').select('person_id')),
      )
      .limit(1)
      .executeTakeFirst();
    return admin !== undefined;
  }

  /** Serialises changes that may remove the last admin: two admins could otherwise remove each other. */
  const keepAnAdmin = {
    lock: (transaction: Kysely<Schema>) =>
      sql`select pg_advisory_xact_lock(hashtext('console admins'))`.execute(transaction),
    async check(transaction: Kysely<Schema>): Promise<void> {
      if (!(await hasAdmin(transaction))) throw new ConsoleRefusal('lastAdmin');
    },
  };

  return {
    hasAdmin,

    /**
     * Whether there is an admin other than these, who could decide too. Admins closed within a week count, so that
     * nobody can decide alone by closing the other one.
     */
    async hasOtherAdmin(...personIds: readonly string[]): Promise<boolean> {
      const other = await db
        .selectFrom('console_people')
        .select('id')
        .where('id', 'not in', [...personIds])
        .where(sql<boolean>`'admin' = any(roles)`)
        .where((where) => where.or([where('closed_at', 'is', null), where('closed_at', '>', after(-keptOutMs))]))
        .limit(1)
        .executeTakeFirst();
      return other !== undefined;
    },
    keepAnAdmin,

    /** The people with this permission, by name. */
    async whoMay(permission: Permission): Promise<{ id: string; name: string; email: string }[]> {
      const open = await db
        .selectFrom('console_people')
        .select(['id', 'name', 'email', 'roles', 'seen_at'])
        .where('closed_at', 'is', null)
        .orderBy('name')
        .orderBy('id')
        .execute();
      return open.filter((person) => mayDo(person.roles.filter(isRole), permission) && !isEarlier(person, open));
    },

    people: () =>
      db
        .selectFrom('console_people')
        .select(['id', 'email', 'name', 'roles', 'seen_at', 'closed_at'])
        .select(({ selectFrom, fn }) =>
          selectFrom('console_sessions')
            .select(fn.countAll<number>().as('open'))
            .whereRef('person_id', '=', 'console_people.id')
            .where('ended_at', 'is', null)
            .where('ends_at', '>', now())
            .where('seen_at', '>', after(-idleMs))
            .as('sessions'),
        )
        // The last use of a session is written at most once a minute.
        .select(({ selectFrom }) =>
          selectFrom('console_sessions')
            .select(({ fn }) => fn.max('console_sessions.seen_at').as('last'))
            .whereRef('person_id', '=', 'console_people.id')
            .as('last_request'),
        )
        .select(({ selectFrom, fn }) =>
          selectFrom('console_passkeys')
            .select(fn.countAll<number>().as('held'))
            .whereRef('person_id', '=', 'console_people.id')
            .as('passkeys'),
        )
        .orderBy('email')
        .execute(),

    /** Closes or reopens an account; closing it ends its sessions. */
    async setClosed(
      personId: string,
      isClosed: boolean,
      {
        by,
        reason,
        decide,
      }: {
        by: Pick<Signed, 'personId' | 'actor'>;
        reason: string;
        decide?: (transaction: Kysely<Schema>) => Promise<void>;
      },
    ): Promise<void> {
      if (personId === by.personId) throw new ConsoleRefusal('ownAccount');
      await db.transaction().execute(async (transaction) => {
        await keepAnAdmin.lock(transaction);
        await decide?.(transaction);
        const changed = await transaction
          .updateTable('console_people')
          .set({ closed_at: isClosed ? now() : null })
          .where('id', '=', personId)
          .where('closed_at', isClosed ? 'is' : 'is not', null)
          .returning('id')
          .executeTakeFirst();
        if (!changed) throw new ConsoleRefusal('notFound');
        await keepAnAdmin.check(transaction);
        if (isClosed) await sessions.endAll(transaction, personId, 'closed');
        const act = isClosed ? 'person.closed' : 'person.opened';
        await audit.write(transaction, by.actor, { act, subject: { kind: 'person', id: personId }, reason });
      });
    },

    /** With OpenID, the provider also determines the roles. */
    async setRoles(
      personId: string,
      roles: readonly Role[],
      change: {
        by: Pick<Signed, 'actor'>;
        reason: string;
        /** The roles when it was proposed; refused if they have changed since. */
        seen?: readonly string[];
        decide?: (transaction: Kysely<Schema>) => Promise<void>;
      },
    ) {
      const { by, reason, seen, decide } = change;
      await db.transaction().execute(async (transaction) => {
        await keepAnAdmin.lock(transaction);
        const before = await transaction
          .selectFrom('console_people')
          .select('roles')
          .where('id', '=', personId)
          .forUpdate()
          .executeTakeFirst();
        if (!before) throw new ConsoleRefusal('notFound');
        if (seen && seen.join() !== before.roles.filter(isRole).join()) throw new ConsoleRefusal('changedMeanwhile');
        await decide?.(transaction);
        await transaction
          .updateTable('console_people')
          .set({ roles: [...roles] })
          .where('id', '=', personId)
          .execute();
        await keepAnAdmin.check(transaction);
        const subject = { kind: 'person', id: personId };
        await audit.write(transaction, by.actor, { act: 'person.roles', subject, before, after: { roles }, reason });
      });
    },
  };
}
