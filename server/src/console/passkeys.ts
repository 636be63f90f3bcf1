import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Audit } from '../audit/audit.service.ts';
import type { Schema } from '../db/schema.ts';
import type { SealedTokens } from '../http/sealed-token.ts';
import type { Browser, Console, Signed } from './console.service.ts';
import { createInvitations, ofEmail } from './invitations.ts';
import { ConsoleRefusal } from './refusal.ts';
import { type Asked, answerSeconds, type Credential, createWebAuthn, type WebAuthnOptions } from './webauthn.ts';

type Executor = Kysely<Schema>;

interface Parts {
  db: Executor;
  console: Pick<Console, 'digestOf' | 'keepAnAdmin' | 'hasAdmin' | 'startSession' | 'endAll'>;
  audit: Audit;
  tokens: SealedTokens;
  /** The origin of the console: a passkey is valid only there. */
  origin: string;
  brand: string;
  now: () => Date;
}

export type Passkeys = ReturnType<typeof createPasskeys>;

/** Sign-in with passkeys, and the links for creating the first one. */
export function createPasskeys(parts: Parts) {
  const invitations = createInvitations(parts);
  const { list, invite, withdraw, inviteFirstAdmin, refuseKnown, idOf, proposalsWithLink } = invitations;
  const webauthn = createWebAuthn(parts);
  const kept = keptPasskeys(parts);
  return {
    ...signingIn(parts, { webauthn, kept }),
    ...joining(parts, { webauthn, kept, invitations }),
    ...ownPasskeys(parts, { webauthn, kept }),
    ...{ invitations: list, invite, withdraw, inviteFirstAdmin, refuseKnown, idOf, proposalsWithLink },
  };
}

interface Means {
  webauthn: ReturnType<typeof createWebAuthn>;
  kept: ReturnType<typeof keptPasskeys>;
  invitations: ReturnType<typeof createInvitations>;
}

function keptPasskeys({ db, console: people, now }: Pick<Parts, 'db' | 'console' | 'now'>) {
  return {
    ofPerson: (personId: string, executor: Executor = db) =>
      executor
        .selectFrom('console_passkeys')
        .selectAll()
        .where('person_id', '=', personId)
        .orderBy('added_at')
        .execute(),

    /** Marks the challenge as used, so that a response cannot be replayed. */
    async spend(transaction: Executor, challenge: string): Promise<boolean> {
      const spent = await transaction
        .insertInto('console_challenges')
        .values({ id: people.digestOf(challenge), ends_at: new Date(now().getTime() + answerSeconds * 1000) })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      return spent !== undefined;
    },

    async store(
      transaction: Executor,
      personId: string,
      { id, publicKey, counter, transports }: Credential,
      name: string,
    ): Promise<void> {
      const added = await transaction
        .insertInto('console_passkeys')
        .values({
          id,
          person_id: personId,
          public_key: Buffer.from(publicKey).toString('base64url'),
          counter,
          transports: transports ?? [],
          name,
          added_at: now(),
          used_at: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!added) throw new ConsoleRefusal('passkeyKnown');
    },
  };
}

function signingIn({ db, console: people, audit, now }: Parts, { webauthn, kept }: Pick<Means, 'webauthn' | 'kept'>) {
  return {
    /** For a step-up only the person's own passkeys are accepted. */
    async signInOptions(signed: Signed | null): Promise<Asked> {
      return webauthn.askToSignIn(signed ? await kept.ofPerson(signed.personId) : []);
    },

    /** A token for a new session; for a step-up, whether it was the person's own passkey. Null if it is refused. */
    async signIn(
      { sealed, response }: { sealed: string; response: WebAuthnOptions },
      browser: Browser,
      signed: Signed | null,
    ): Promise<{ token: string } | 'proved' | 'otherPerson' | null> {
      const asked = webauthn.noteIn('signIn', sealed);
      const passkey =
        asked &&
        (await db
          .selectFrom('console_passkeys')
          .innerJoin('console_people', 'console_people.id', 'person_id')
          .select(['console_passkeys.id', 'person_id', 'public_key', 'counter', 'transports'])
          .select(['email', 'roles', 'closed_at'])
          .where('console_passkeys.id', '=', String(response.id ?? ''))
          .executeTakeFirst());
      if (!asked || !passkey) return null;
      const counter = await webauthn.countAfter(passkey, response, asked.challenge);
      if (counter === null) return null;
      return db.transaction().execute(async (transaction) => {
        if (!(await kept.spend(transaction, asked.challenge))) return null;
        const person = { id: passkey.person_id, email: passkey.email, roles: passkey.roles };
        const actor = { person: person.email, roles: person.roles, address: browser.address };
        const subject = { kind: 'person', id: person.id };
        if (passkey.closed_at) {
          await audit.write(transaction, actor, { act: 'session.refused', subject, reason: 'closed' });
          return null;
        }
        await transaction
          .updateTable('console_passkeys')
          .set({ counter, used_at: now() })
          .where('id', '=', passkey.id)
          .execute();
        if (!signed) return { token: await people.startSession(transaction, person, browser) };
        if (signed.personId !== person.id) {
          await audit.write(transaction, signed.actor, {
            act: 'session.refused',
            subject: { kind: 'person', id: signed.personId },
            reason: 'otherPerson',
          });
          return 'otherPerson';
        }
        await transaction
          .updateTable('console_sessions')
          .set({ proved_at: now() })
          .where('id', '=', signed.session)
          .execute();
        await audit.write(transaction, actor, { act: 'session.proved', subject });
        return 'proved';
      });
    },
  };
}

type Invitation = Selectable<Schema['console_invitations']>;

function joining({ db, console: people, audit, now }: Parts, { webauthn, kept, invitations }: Means) {
  /** The invited person, new or existing and not closed; null otherwise. */
  async function personOf(transaction: Executor, { email, name, roles, person_id }: Invitation) {
    if (person_id)
      return transaction
        .selectFrom('console_people')
        .select(['id', 'email', 'roles'])
        .where('id', '=', person_id)
        .where('closed_at', 'is', null)
        .executeTakeFirst();
    if (await ofEmail(transaction, email)) return null;
    const person = { id: randomUUID(), email, roles };
    const seen = { added_at: now(), seen_at: now(), closed_at: null };
    await transaction
      .insertInto('console_people')
      .values({ ...person, subject: `passkey ${person.id}`, name, ...seen })
      .execute();
    return person;
  }

  return {
    /** Null if the link is invalid, used or expired. */
    async joinOptions(token: string): Promise<(Asked & { name: string; email: string }) | null> {
      const invitation = await invitations.followed(db, token);
      if (!invitation) return null;
      const { id, email, name, person_id } = invitation;
      const who = { id: person_id ?? id, email, name };
      const asked = await webauthn.askToRegister(who, await kept.ofPerson(who.id), { invitation: id });
      return { ...asked, name, email };
    },

    /** Stores the invited person's first or additional passkey, and signs them in. */
    async join(
      given: { invitation: string; sealed: string; response: WebAuthnOptions; name: string },
      browser: Browser,
    ): Promise<string | null> {
      const note = webauthn.noteIn('registration', given.sealed);
      if (!note || note.invitation !== people.digestOf(given.invitation)) return null;
      const credential = await webauthn.registered(given.response, note.challenge);
      if (!credential) return null;
      return db.transaction().execute(async (transaction) => {
        await people.keepAnAdmin.lock(transaction);
        const invitation = await invitations.followed(transaction, given.invitation);
        if (!invitation || !(await invitations.use(transaction, invitation.id))) return null;
        const person = await personOf(transaction, invitation);
        if (!person) return null;
        await kept.store(transaction, person.id, credential, given.name);
        await audit.write(
          transaction,
          { person: person.email, roles: person.roles, address: browser.address },
          {
            act: invitation.person_id ? 'passkey.added' : 'person.joined',
            subject: { kind: 'person', id: person.id },
            after: { roles: person.roles, invitedBy: invitation.made_by },
          },
        );
        return people.startSession(transaction, person, browser);
      });
    },
  };
}

function ownPasskeys({ db, console: people, audit }: Parts, { webauthn, kept }: Pick<Means, 'webauthn' | 'kept'>) {
  return {
    async options({ personId, email, name }: Signed): Promise<Asked> {
      const known = await kept.ofPerson(personId);
      return webauthn.askToRegister({ id: personId, email, name }, known, { person: personId });
    },

    async add(
      { sealed, response, name }: { sealed: string; response: WebAuthnOptions; name: string },
      signed: Signed,
    ): Promise<void> {
      const note = webauthn.noteIn('registration', sealed);
      const credential = note?.person === signed.personId ? await webauthn.registered(response, note.challenge) : null;
      if (!note || !credential) throw new ConsoleRefusal('invalid', { field: 'response' });
      await db.transaction().execute(async (transaction) => {
        if (!(await kept.spend(transaction, note.challenge))) throw new ConsoleRefusal('invalid', { field: 'sealed' });
        await kept.store(transaction, signed.personId, credential, name);
        await audit.write(transaction, signed.actor, {
          act: 'passkey.added',
          subject: { kind: 'person', id: signed.personId },
          after: { name },
        });
      });
    },

    ofPerson: (personId: string) => kept.ofPerson(personId),

    /** People cannot remove their own last passkey; an admin can, and the person then needs a new link. */
    async remove(personId: string, id: string, { by, reason }: { by: Signed; reason?: string }): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await people.keepAnAdmin.lock(transaction);
        const removed = await transaction
          .deleteFrom('console_passkeys')
          .where('id', '=', id)
          .where('person_id', '=', personId)
          .returning('name')
          .executeTakeFirst();
        if (!removed) throw new ConsoleRefusal('notFound');
        const isOwn = personId === by.personId;
        if (isOwn && (await kept.ofPerson(personId, transaction)).length === 0) throw new ConsoleRefusal('lastPasskey');
        await people.keepAnAdmin.check(transaction);
        if (!isOwn) await people.endAll(transaction, personId, 'passkeyRemoved');
        await audit.write(transaction, by.actor, {
          act: 'passkey.removed',
          subject: { kind: 'person', id: personId },
          before: { name: removed.name },
          reason,
        });
      });
    },
  };
}
