import { createHash, randomBytes } from 'node:crypto';
import { isRole, mayDo, type Permission } from '@portal/contract/console/permissions.ts';
import type { Kysely } from 'kysely';
import type { Actor, Audit } from '../audit/audit.service.ts';
import type { Identity } from '../connectors/openid/index.ts';
import type { Schema } from '../db/schema.ts';
import { endedBefore, periods } from '../retention/retention-periods.ts';
import { ConsoleRefusal } from './refusal.ts';
import { actorOf, type Browser, type Signed } from './signed-in.ts';

const minuteMs = 60_000;
const longestMs = 12 * 60 * minuteMs;
export const idleMs = 30 * minuteMs;
/** How long a step-up is fresh. */
const provedMs = 5 * minuteMs;
/** The last use is written at most this often. */
const noteMs = minuteMs;

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Sessions, each bound to its browser, with the time of the last proof of identity. */
export function createSessions({ db, audit, now }: { db: Kysely<Schema>; audit: Audit; now: () => Date }) {
  const after = (ms: number) => new Date(now().getTime() + ms);

  const ofSession = (id: string) =>
    db
      .selectFrom('console_sessions')
      .innerJoin('console_people', 'console_people.id', 'person_id')
      .select(['person_id', 'email', 'name', 'roles', 'browser', 'closed_at', 'ended_at'])
      .select(['ends_at', 'proved_at', 'console_sessions.seen_at as active_at'])
      .where('console_sessions.id', '=', id)
      .executeTakeFirst();

  /** Of concurrent requests that end it, only one writes the audit row. */
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
      // Another browser: the cookie may be stolen, so the session ends for its owner too.
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

  /** Creates a session for a person who has just signed in; returns its token. */
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

  return {
    open,
    end,
    digestOf,
    startSession,
    endAll,

    /** Whether the session is still open and its person has the permission. */
    async isOpen(session: string, permission: Permission): Promise<boolean> {
      const found = await ofSession(session);
      if (!found || found.ended_at || found.closed_at || found.ends_at <= now()) return false;
      const isIdle = found.active_at.getTime() + idleMs <= now().getTime();
      return !isIdle && mayDo(found.roles.filter(isRole), permission);
    },

    isProved: ({ provedAt }: Signed) => provedAt.getTime() + provedMs > now().getTime(),

    /** Step-up by the same person in the same session; false for another person. */
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
          ...(proved ? {} : { reason: 'otherPerson' }),
        });
        return proved !== undefined;
      });
    },

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

    async deleteExpired(): Promise<void> {
      await db.deleteFrom('console_challenges').where('ends_at', '<', now()).execute();
      await db
        .deleteFrom('console_sessions')
        .where('ends_at', '<', endedBefore(periods.console_sessions, now()))
        .execute();
    },
  };
}
