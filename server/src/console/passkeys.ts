import { randomBytes, randomUUID } from 'node:crypto';
import { joinPage } from '@portal/contract/console/calls.ts';
import type { Role } from '@portal/contract/console/permissions.ts';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Kysely, Selectable } from 'kysely';
import type { Actor, Audit } from '../audit/audit.service.ts';
import type { Schema } from '../db/schema.ts';
import type { SealedTokens } from '../http/sealed-token.ts';
import type { Browser, Console, Signed } from './console.service.ts';
import { ConsoleRefusal } from './refusal.ts';

type Executor = Kysely<Schema>;
type Ceremony = Record<string, unknown>;

/** What the browser is asked to do, and the sealed note that comes back with its answer. */
export interface Asked {
  options: Ceremony;
  sealed: string;
}

interface Parts {
  db: Executor;
  console: Pick<Console, 'digestOf' | 'keepAnAdmin' | 'hasAdmin' | 'startSession' | 'endAll'>;
  audit: Audit;
  tokens: SealedTokens;
  /** Where the console answers: a passkey is good there and nowhere else. */
  origin: string;
  brand: string;
  now: () => Date;
}

const answerSeconds = 600;
const invitationHours = 24;
const firstAdminHours = 1;
const hourMs = 3_600_000;

/** EdDSA, ES256 and RS256: what phones, computers and keys make. */
const algorithms = [-8, -7, -257];

export type Passkeys = ReturnType<typeof createPasskeys>;

/**
 * Signing in by passkeys (WebAuthn), and the links that let somebody make their first one. The browser's answer is good
 * once, within ten minutes, and only with the person verified by fingerprint, face or PIN.
 */
export function createPasskeys({ db, console: people, audit, tokens, origin, brand, now }: Parts) {
  const rpID = new URL(origin).hostname;
  const after = (hours: number) => new Date(now().getTime() + hours * hourMs);
  const linkTo = (token: string) => `${origin}${joinPage}#${token}`;

  const ofPerson = (executor: Executor, personId: string) =>
    executor.selectFrom('console_passkeys').selectAll().where('person_id', '=', personId).orderBy('added_at').execute();

  /** Once: the same answer of a browser is taken by nobody a second time. */
  async function spend(transaction: Executor, challenge: string): Promise<boolean> {
    const spent = await transaction
      .insertInto('console_challenges')
      .values({ id: people.digestOf(challenge), ends_at: new Date(now().getTime() + answerSeconds * 1000) })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    return spent !== undefined;
  }

  async function registrationFor(
    who: { id: string; email: string; name: string },
    note: { invitation: string } | { person: string },
  ): Promise<Asked> {
    const known = await ofPerson(db, who.id);
    const options = await generateRegistrationOptions({
      rpName: brand,
      rpID,
      userName: who.email,
      userDisplayName: who.name,
      userID: new TextEncoder().encode(who.id),
      attestationType: 'none',
      excludeCredentials: known.map(({ id }) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: algorithms,
      timeout: answerSeconds * 1000,
    });
    const sealed = tokens.seal('console registration', { challenge: options.challenge, ...note }, answerSeconds);
    return { options: { ...options }, sealed };
  }

  /** The passkey that the browser made; null where it is not the answer to what was asked. */
  async function made(response: Ceremony, challenge: string) {
    const verified = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      supportedAlgorithmIDs: algorithms,
      requireUserVerification: true,
    }).catch(() => null);
    return verified?.verified ? verified.registrationInfo.credential : null;
  }

  async function store(
    transaction: Executor,
    personId: string,
    { id, publicKey, counter, transports }: NonNullable<Awaited<ReturnType<typeof made>>>,
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
    if (!added) throw new ConsoleRefusal('notPossible', { detail: 'This passkey is known already.' });
  }

  /** One that can still be followed. */
  const invitationOf = (executor: Executor, token: string) =>
    executor
      .selectFrom('console_invitations')
      .selectAll()
      .where('id', '=', people.digestOf(token))
      .where('used_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .where('ends_at', '>', now())
      .executeTakeFirst();

  const ofEmail = (executor: Executor, email: string) =>
    executor.selectFrom('console_people').select('id').where('email', '=', email).executeTakeFirst();

  async function makeInvitation(
    transaction: Executor,
    actor: Actor,
    invited: Pick<Selectable<Schema['console_invitations']>, 'email' | 'name' | 'person_id' | 'is_first_admin'> & {
      roles: readonly Role[];
      hours: number;
      reason?: string;
    },
  ): Promise<{ link: string; endsAt: Date }> {
    const { hours, reason, roles, ...row } = invited;
    const token = randomBytes(32).toString('base64url');
    const endsAt = after(hours);
    await transaction
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
      .execute();
    await audit.write(transaction, actor, {
      act: 'invitation.made',
      subject: { kind: 'invitation', id: people.digestOf(token).slice(0, 8) },
      after: { email: row.email, roles, endsAt },
      reason,
    });
    return { link: linkTo(token), endsAt };
  }

  return {
    /** For whoever is signed in only their own passkeys will do. */
    async signInOptions(signed: Signed | null): Promise<Asked> {
      const own = signed ? await ofPerson(db, signed.personId) : [];
      const options = await generateAuthenticationOptions({
        rpID,
        allowCredentials: own.map(({ id, transports }) => ({ id, transports })),
        userVerification: 'required',
        timeout: answerSeconds * 1000,
      });
      return {
        options: { ...options },
        sealed: tokens.seal('console sign-in', { challenge: options.challenge }, answerSeconds),
      };
    },

    /** A token for a new session, or the word that the same person has shown once more who they are; null for neither. */
    async signIn(
      { sealed, response }: { sealed: string; response: Ceremony },
      browser: Browser,
      signed: Signed | null,
    ): Promise<{ token: string } | 'proved' | null> {
      const asked = tokens.open('console sign-in', sealed) as { challenge: string } | null;
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
      const verified = await verifyAuthenticationResponse({
        response: response as unknown as AuthenticationResponseJSON,
        expectedChallenge: asked.challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
        credential: {
          id: passkey.id,
          publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
          counter: passkey.counter,
          transports: passkey.transports,
        },
      }).catch(() => null);
      if (!verified?.verified) return null;
      return db.transaction().execute(async (transaction) => {
        if (!(await spend(transaction, asked.challenge))) return null;
        const person = { id: passkey.person_id, email: passkey.email, roles: passkey.roles };
        const actor = { person: person.email, roles: person.roles, address: browser.address };
        const subject = { kind: 'person', id: person.id };
        if (passkey.closed_at) {
          await audit.write(transaction, actor, { act: 'session.refused', subject, reason: 'closed' });
          return null;
        }
        await transaction
          .updateTable('console_passkeys')
          .set({ counter: verified.authenticationInfo.newCounter, used_at: now() })
          .where('id', '=', passkey.id)
          .execute();
        if (signed?.personId !== person.id) return { token: await people.startSession(transaction, person, browser) };
        await transaction
          .updateTable('console_sessions')
          .set({ proved_at: now() })
          .where('id', '=', signed.session)
          .execute();
        await audit.write(transaction, actor, { act: 'session.proved', subject });
        return 'proved';
      });
    },

    /** Null where the link leads nowhere, or not any more. */
    async joinOptions(token: string): Promise<(Asked & { name: string; email: string }) | null> {
      const invitation = await invitationOf(db, token);
      if (!invitation || (invitation.is_first_admin && (await people.hasAdmin(db)))) return null;
      const { id, email, name, person_id } = invitation;
      const asked = await registrationFor({ id: person_id ?? id, email, name }, { invitation: id });
      return { ...asked, name, email };
    },

    /** The invited person with their first passkey, or another one, signed in. */
    async join(
      given: { invitation: string; sealed: string; response: Ceremony; name: string },
      browser: Browser,
    ): Promise<string | null> {
      const note = tokens.open('console registration', given.sealed) as {
        challenge: string;
        invitation?: string;
      } | null;
      if (!note || note.invitation !== people.digestOf(given.invitation)) return null;
      const credential = await made(given.response, note.challenge);
      if (!credential) return null;
      return db.transaction().execute(async (transaction) => {
        await people.keepAnAdmin.lock(transaction);
        const invitation = await invitationOf(transaction, given.invitation);
        if (!invitation || (invitation.is_first_admin && (await people.hasAdmin(transaction)))) return null;
        const used = await transaction
          .updateTable('console_invitations')
          .set({ used_at: now() })
          .where('id', '=', invitation.id)
          .where('used_at', 'is', null)
          .returning('id')
          .executeTakeFirst();
        const { email, name, roles, person_id, made_by } = invitation;
        if (!used || (!person_id && (await ofEmail(transaction, email)))) return null;
        const person = person_id
          ? await transaction
              .selectFrom('console_people')
              .select(['id', 'email', 'roles'])
              .where('id', '=', person_id)
              .where('closed_at', 'is', null)
              .executeTakeFirst()
          : { id: randomUUID(), email, roles };
        if (!person) return null;
        if (!person_id)
          await transaction
            .insertInto('console_people')
            .values({
              ...person,
              subject: `passkey ${person.id}`,
              name,
              added_at: now(),
              seen_at: now(),
              closed_at: null,
            })
            .execute();
        await store(transaction, person.id, credential, given.name);
        await audit.write(
          transaction,
          { person: person.email, roles: person.roles, address: browser.address },
          {
            act: person_id ? 'passkey.added' : 'person.joined',
            subject: { kind: 'person', id: person.id },
            after: { roles: person.roles, invitedBy: made_by },
          },
        );
        return people.startSession(transaction, person, browser);
      });
    },

    options: ({ personId, email, name }: Signed): Promise<Asked> =>
      registrationFor({ id: personId, email, name }, { person: personId }),

    async add(
      { sealed, response, name }: { sealed: string; response: Ceremony; name: string },
      signed: Signed,
    ): Promise<void> {
      const note = tokens.open('console registration', sealed) as { challenge: string; person?: string } | null;
      const credential = note?.person === signed.personId ? await made(response, note.challenge) : null;
      if (!note || !credential) throw new ConsoleRefusal('invalid', { field: 'response' });
      await db.transaction().execute(async (transaction) => {
        if (!(await spend(transaction, note.challenge))) throw new ConsoleRefusal('invalid', { field: 'sealed' });
        await store(transaction, signed.personId, credential, name);
        await audit.write(transaction, signed.actor, {
          act: 'passkey.added',
          subject: { kind: 'person', id: signed.personId },
          after: { name },
        });
      });
    },

    ofPerson: (personId: string) => ofPerson(db, personId),

    /** Nobody takes their own last one away; an admin may take somebody's, who is then out until they get a new link. */
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
        if (isOwn && (await ofPerson(transaction, personId)).length === 0)
          throw new ConsoleRefusal('notPossible', { detail: 'It is the last one: add another first.' });
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

    invitations: () =>
      db
        .selectFrom('console_invitations')
        .selectAll()
        .where('used_at', 'is', null)
        .where('withdrawn_at', 'is', null)
        .where('ends_at', '>', now())
        .orderBy('made_at')
        .execute(),

    async invite(
      { person, ...invited }: { email: string; name: string; roles: readonly Role[]; person?: string; reason: string },
      { actor }: Signed,
    ): Promise<{ link: string; endsAt: Date }> {
      return db.transaction().execute(async (transaction) => {
        const known = await ofEmail(transaction, invited.email);
        if (person ? known?.id !== person : known)
          throw new ConsoleRefusal('notPossible', { detail: 'Somebody with this email is here already.' });
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

    /** From the shell, and only while nobody can sign in as an admin; the link before it leads nowhere any more. */
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
