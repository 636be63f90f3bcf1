import { randomUUID } from 'node:crypto';
import type { ConsoleCallName } from '@portal/contract/console/calls.ts';
import type { ConsoleParsed, ConsoleResult } from '@portal/contract/console/contract.ts';
import { isRole } from '@portal/contract/console/permissions.ts';
import type { Kysely } from 'kysely';
import type { Audit } from '../audit/audit.service.ts';
import type { Identity } from '../connectors/openid/index.ts';
import type { Schema } from '../db/schema.ts';
import { createPeople } from './people.ts';
import { createSessions } from './sessions.ts';
import { actorOf, type Browser, type Signed } from './signed-in.ts';

export { nextPage, type Position, positionOf } from './paging.ts';
export { ConsoleRefusal } from './refusal.ts';
export type { Browser, Signed } from './signed-in.ts';

/** The handlers of one area. */
export type ConsoleHandlers = {
  [N in ConsoleCallName]?: (input: ConsoleParsed<N>, signed: Signed) => Promise<ConsoleResult<N>>;
};

export type Console = ReturnType<typeof createConsole>;

interface Parts {
  db: Kysely<Schema>;
  audit: Audit;
  signIn?: 'openid' | 'passkeys';
  now: () => Date;
}

/** The console's people and their sessions. */
export function createConsole({ db, audit, signIn = 'openid', now }: Parts) {
  const sessions = createSessions({ db, audit, now });

  return {
    ...sessions,
    ...createPeople({ db, audit, signIn, sessions, now }),

    /**
     * Creates a session for the identity that the provider returned, with its current roles, and returns the token;
     * null if the person has no access.
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
            reason: earlier?.closed_at ? 'closed' : 'noRole',
          });
          return null;
        }
        const person = await transaction
          .insertInto('console_people')
          .values({ id: randomUUID(), subject, email, name, roles, added_at: now(), seen_at: now(), closed_at: null })
          .onConflict((conflict) => conflict.column('subject').doUpdateSet({ email, name, roles, seen_at: now() }))
          .returning('id')
          .executeTakeFirstOrThrow();
        return sessions.startSession(transaction, { id: person.id, email, roles }, browser, {
          provedAt: new Date(Math.min(said.provedAt * 1000, now().getTime())),
          before: earlier && { roles: earlier.roles },
        });
      });
    },
  };
}
