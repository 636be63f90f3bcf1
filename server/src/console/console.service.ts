import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { ConsoleCallName } from '@portal/contract/console/calls.ts';
import type { ConsoleParsed, ConsoleResult } from '@portal/contract/console/contract.ts';
import { isRole, mayDo, type Permission, type Role } from '@portal/contract/console/permissions.ts';
import { type Kysely, sql } from 'kysely';
import type { Actor, Audit } from '../audit/audit.service.ts';
import type { Identity } from '../connectors/openid/index.ts';
import { endedBefore, periods } from '../db/periods.ts';
import type { Schema } from '../db/schema.ts';
import { ConsoleRefusal } from './refusal.ts';

export { nextPage, type Position, positionOf } from './keyset.ts';
export { ConsoleRefusal } from './refusal.ts';

const minuteMs = 60_000;
const longestMs = 12 * 60 * minuteMs;
const idleMs = 30 * minuteMs;
/** How long somebody counts as having just shown who they are. */
const provedMs = 5 * minuteMs;
/** Being there is noted no more often than this. */
const noteMs = minuteMs;

/** Somebody who is signed in. */
export interface Signed {
  session: string;
  personId: string;
  name: string;
  email: string;
  roles: Role[];
  provedAt: Date;
  endsAt: Date;
  actor: Actor;
  may(permission: Permission): boolean;
}

/** What an area does about the console's calls that are its own. */
export type ConsoleHandlers = {
  [N in ConsoleCallName]?: (input: ConsoleParsed<N>, signed: Signed) => Promise<ConsoleResult<N>>;
};

/** What a request says about where it comes from. */
export interface Browser {
  userAgent: string;
  address: string;
}

export type Console = ReturnType<typeof createConsole>;

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Who works in the console, and for how long they have been known to be who they are. */
export function createConsole({
  db,
  audit,
  signIn = 'openid',
  now,
}: {
  db: Kysely<Schema>;
  audit: Audit;
  signIn?: 'openid' | 'passkeys';
  now: () => Date;
}) {
  const after = (ms: number) => new Date(now().getTime() + ms);
  const actorOf = (person: { email: string; roles: readonly string[] } | null, { address }: Browser): Actor => ({
    person: person?.email ?? null,
    roles: person?.roles ?? [],
    address,
  });

  const ofSession = (id: string) =>
    db
      .selectFrom('console_sessions')
      .innerJoin('console_people', 'console_people.id', 'person_id')
      .select(['person_id', 'email', 'name', 'roles', 'browser', 'closed_at', 'ended_at'])
      .select(['ends_at', 'proved_at', 'console_sessions.seen_at as active_at'])
      .where('console_sessions.id', '=', id)
      .executeTakeFirst();

  /** Once, whoever tries: of two that end it one writes so. */
  async function end(id: string, because: string, by: Actor): Promise<boolean> {
    return db.transaction().execute(async (transaction) => {
      const ended = await transaction
        .updateTable('console_sessions')
        .set({ ended_at: now(), ended_because: because })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .returning(['person_id'])
        .executeTakeFirst();
      if (!ended) return false;
      await audit.write(transaction, by, {
        act: 'session.ended',
        subject: { kind: 'person', id: ended.person_id },
        after: { because, session: id.slice(0, 8) },
      });
      return true;
    });
  }

  async function open(token: string | null, browser: Browser): Promise<Signed> {
    if (!token) throw new ConsoleRefusal('notSignedIn');
    const id = digestOf(token);
    const found = await ofSession(id);
    if (!found) throw new ConsoleRefusal('notSignedIn');
    if (found.ended_at || found.closed_at || found.ends_at <= now()) throw new ConsoleRefusal('sessionEnded');
    const roles = found.roles.filter(isRole);
    const actor = actorOf({ email: found.email, roles }, browser);
    if (found.active_at.getTime() + idleMs <= now().getTime()) {
      await end(id, 'idle', actor);
      throw new ConsoleRefusal('sessionEnded');
    }
    if (found.browser !== digestOf(browser.userAgent)) {
      // Whoever has the cookie has it from somewhere: it opens nothing any more, for its owner either.
      await end(id, 'otherBrowser', { ...actor, person: null });
      throw new ConsoleRefusal('otherBrowser');
    }
    if (found.active_at.getTime() + noteMs <= now().getTime())
      await db.updateTable('console_sessions').set({ seen_at: now() }).where('id', '=', id).execute();
    return {
      session: id,
      personId: found.person_id,
      name: found.name,
      email: found.email,
      roles,
      provedAt: found.proved_at,
      endsAt: found.ends_at,
      actor,
      may: (permission) => mayDo(roles, permission),
    };
  }

  /** A session of somebody who has just shown who they are; gives the token that opens it. */
  async function startSession(
    transaction: Kysely<Schema>,
    person: { id: string; email: string; roles: readonly string[] },
    browser: Browser,
    { provedAt = now(), before }: { provedAt?: Date; before?: { roles: string[] } | undefined } = {},
  ): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await transaction
      .insertInto('console_sessions')
      .values({
        id: digestOf(token),
        person_id: person.id,
        started_at: now(),
        seen_at: now(),
        ends_at: after(longestMs),
        proved_at: provedAt,
        browser: digestOf(browser.userAgent),
        browser_name: browser.userAgent.slice(0, 200),
        ended_at: null,
        ended_because: null,
      })
      .execute();
    await transaction.updateTable('console_people').set({ seen_at: now() }).where('id', '=', person.id).execute();
    await audit.write(transaction, actorOf(person, browser), {
      act: 'session.started',
      subject: { kind: 'person', id: person.id },
      before,
      after: { roles: person.roles },
    });
    return token;
  }

  const endAll = (transaction: Kysely<Schema>, personId: string, because: string) =>
    transaction
      .updateTable('console_sessions')
      .set({ ended_at: now(), ended_because: because })
      .where('person_id', '=', personId)
      .where('ended_at', 'is', null)
      .execute();

  /** One who can sign in: where passkeys are what one signs in by, with one. */
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

  /** Around whatever may take the last admin away: two who do it to each other do it one after the other. */
  const keepAnAdmin = {
    lock: (transaction: Kysely<Schema>) =>
      sql`select pg_advisory_xact_lock(hashtext('console admins'))`.execute(transaction),
    async check(transaction: Kysely<Schema>): Promise<void> {
      if (!(await hasAdmin(transaction)))
        throw new ConsoleRefusal('notPossible', { detail: 'No admin would be left.' });
    },
  };

  return {
    open,
    end,
    digestOf,
    startSession,
    endAll,
    hasAdmin,
    keepAnAdmin,

    isProved: ({ provedAt }: Signed) => provedAt.getTime() + provedMs > now().getTime(),

    /** Whether who opened something in a session still works in it, and may. */
    async isOpen(session: string, permission: Permission): Promise<boolean> {
      const found = await ofSession(session);
      if (!found || found.ended_at || found.closed_at || found.ends_at <= now()) return false;
      const isIdle = found.active_at.getTime() + idleMs <= now().getTime();
      return !isIdle && mayDo(found.roles.filter(isRole), permission);
    },

    /**
     * A new session for whom the provider names, and the token that opens it; null where they may not work here. Their roles
     * are what the provider says today.
     */
    async signIn({ subject, email, name, ...said }: Identity, browser: Browser): Promise<string | null> {
      const roles = said.roles.filter(isRole);
      return db.transaction().execute(async (transaction) => {
        const earlier = await transaction
          .selectFrom('console_people')
          .select(['id', 'roles', 'closed_at'])
          .where('subject', '=', subject)
          .executeTakeFirst();
        const actor = actorOf({ email, roles }, browser);
        if (earlier?.closed_at || roles.length === 0) {
          await audit.write(transaction, actor, {
            act: 'session.refused',
            subject: { kind: 'person', id: earlier?.id ?? subject },
            reason: earlier?.closed_at ? 'closed' : 'no role',
          });
          return null;
        }
        const person = await transaction
          .insertInto('console_people')
          .values({ id: randomUUID(), subject, email, name, roles, added_at: now(), seen_at: now(), closed_at: null })
          .onConflict((conflict) => conflict.column('subject').doUpdateSet({ email, name, roles, seen_at: now() }))
          .returning('id')
          .executeTakeFirstOrThrow();
        return startSession(transaction, { id: person.id, email, roles }, browser, {
          provedAt: new Date(Math.min(said.provedAt * 1000, now().getTime())),
          before: earlier && { roles: earlier.roles },
        });
      });
    },

    /** The same person again, in the same session: they showed once more who they are. False for anybody else. */
    async proveAgain(signed: Signed, { subject, provedAt }: Identity): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const proved = await transaction
          .updateTable('console_sessions')
          .set({ proved_at: new Date(Math.min(provedAt * 1000, now().getTime())) })
          .where('id', '=', signed.session)
          .where('person_id', 'in', (query) =>
            query.selectFrom('console_people').select('id').where('subject', '=', subject),
          )
          .returning('id')
          .executeTakeFirst();
        await audit.write(transaction, signed.actor, {
          act: proved ? 'session.proved' : 'session.refused',
          subject: { kind: 'person', id: signed.personId },
          ...(proved ? {} : { reason: 'another person' }),
        });
        return proved !== undefined;
      });
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
        .select(({ selectFrom, fn }) =>
          selectFrom('console_passkeys')
            .select(fn.countAll<number>().as('held'))
            .whereRef('person_id', '=', 'console_people.id')
            .as('passkeys'),
        )
        .orderBy('email')
        .execute(),

    sessionsOf: (personId: string) =>
      db
        .selectFrom('console_sessions')
        .select(['id', 'started_at', 'seen_at', 'ends_at', 'browser_name'])
        .where('person_id', '=', personId)
        .where('ended_at', 'is', null)
        .where('ends_at', '>', now())
        .where('seen_at', '>', after(-idleMs))
        .orderBy('started_at', 'desc')
        .execute(),

    /** Keeps somebody out, or lets them in again; whoever is out has no session. */
    async setClosed(
      personId: string,
      isClosed: boolean,
      { by, reason }: { by: Signed; reason: string },
    ): Promise<void> {
      if (personId === by.personId)
        throw new ConsoleRefusal('notPossible', { detail: 'Nobody closes their own account.' });
      await db.transaction().execute(async (transaction) => {
        await keepAnAdmin.lock(transaction);
        const changed = await transaction
          .updateTable('console_people')
          .set({ closed_at: isClosed ? now() : null })
          .where('id', '=', personId)
          .where('closed_at', isClosed ? 'is' : 'is not', null)
          .returning('id')
          .executeTakeFirst();
        if (!changed) throw new ConsoleRefusal('notFound');
        await keepAnAdmin.check(transaction);
        if (isClosed) await endAll(transaction, personId, 'closed');
        const act = isClosed ? 'person.closed' : 'person.opened';
        await audit.write(transaction, by.actor, { act, subject: { kind: 'person', id: personId }, reason });
      });
    },

    /** Where an OpenID provider says who somebody is, it says their roles too. */
    async setRoles(personId: string, roles: readonly Role[], { by, reason }: { by: Signed; reason: string }) {
      await db.transaction().execute(async (transaction) => {
        await keepAnAdmin.lock(transaction);
        const before = await transaction
          .selectFrom('console_people')
          .select('roles')
          .where('id', '=', personId)
          .forUpdate()
          .executeTakeFirst();
        if (!before) throw new ConsoleRefusal('notFound');
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

    async forgetOld(): Promise<void> {
      await db.deleteFrom('console_challenges').where('ends_at', '<', now()).execute();
      await db
        .deleteFrom('console_sessions')
        .where('ends_at', '<', endedBefore(periods.console_sessions, now()))
        .execute();
    },
  };
}
