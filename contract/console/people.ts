import { z } from 'zod';
import { defineConsoleCall } from './define-console-call.ts';
import { reason, time } from './fields.ts';
import { roles } from './permissions.ts';

const session = z.object({
  id: z.string(),
  startedAt: time,
  seenAt: time,
  browser: z.string(),
  isOwn: z.boolean(),
});

const passkey = z.object({ id: z.string(), name: z.string(), addedAt: time, usedAt: time.nullable() });
const passkeyId = z.string().min(1).max(1_500);
const passkeyName = z.string().trim().min(1).max(60);

/** Input and output of the browser's WebAuthn calls; the library on both sides validates their shape. */
const ceremony = z.record(z.string(), z.unknown());

export const peopleCalls = {
  me: defineConsoleCall({
    summary: 'Who is signed in, what they may do, and what they need to know about the operator',
    permission: null,
    result: z.object({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      roles: z.array(z.enum(roles)),
      endsAt: time,
      operator: z.object({
        brand: z.string(),
        timeZone: z.string(),
        currencies: z.record(z.string(), z.number()),
        languages: z.array(z.string()),
        /** Payment methods. Airtime is translated in each language, the others have proper names. */
        ways: z.array(z.object({ code: z.string(), name: z.string(), isAirtime: z.boolean() })),
      }),
    }),
  }),
  sessions: defineConsoleCall({
    summary: 'Where the person who asks is signed in',
    permission: null,
    result: z.array(session),
  }),
  signOut: defineConsoleCall({
    summary: 'Ends this session',
    permission: null,
    result: z.null(),
  }),
  endSession: defineConsoleCall({
    summary: 'Ends another session of the person who asks',
    permission: null,
    body: z.object({ session: z.string().max(100) }),
    result: z.null(),
  }),
  people: defineConsoleCall({
    summary: 'Who works in the console',
    permission: 'people.list',
    result: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        email: z.string(),
        roles: z.array(z.string()),
        seenAt: time,
        isClosed: z.boolean(),
        /** Another person later signed in with the same email, through another sign-in provider. */
        isEarlier: z.boolean(),
        sessions: z.number(),
        passkeys: z.number(),
      }),
    ),
  }),
  sessionsOf: defineConsoleCall({
    summary: 'Where somebody is signed in',
    permission: 'people.list',
    query: z.object({ person: z.string().max(100) }),
    result: z.array(session),
  }),
  endSessionOf: defineConsoleCall({
    summary: 'Ends a session of somebody else',
    permission: 'people.sessions',
    stepUp: true,
    body: z.object({ session: z.string().max(100) }),
    result: z.null(),
  }),
  closePerson: defineConsoleCall({
    summary: 'Keeps somebody out of the console at once, or lets them in again',
    permission: 'people.sessions',
    stepUp: true,
    body: z.object({ person: z.string().max(100), isClosed: z.boolean(), reason }),
    /** Set where another admin has to approve the unlock. */
    result: z.object({ proposal: z.string().nullable() }),
  }),
  passkeys: defineConsoleCall({
    summary: 'The passkeys of the person who asks',
    permission: null,
    result: z.array(passkey),
  }),
  passkeyOptions: defineConsoleCall({
    summary: 'What the browser needs to make another passkey',
    permission: null,
    result: z.object({ options: ceremony, sealed: z.string() }),
  }),
  addPasskey: defineConsoleCall({
    summary: 'Adds the passkey that the browser made',
    permission: null,
    stepUp: true,
    body: z.object({ sealed: z.string().max(4_096), response: ceremony, name: passkeyName }),
    result: z.null(),
  }),
  removePasskey: defineConsoleCall({
    summary: 'Removes a passkey of the person who asks, but not the last one',
    permission: null,
    stepUp: true,
    body: z.object({ id: passkeyId }),
    result: z.null(),
  }),
  passkeysOf: defineConsoleCall({
    summary: 'The passkeys of somebody',
    permission: 'people.list',
    query: z.object({ person: z.string().max(100) }),
    result: z.array(passkey),
  }),
  removePasskeyOf: defineConsoleCall({
    summary: 'Removes a passkey of somebody else, as when a phone is lost; their sessions end',
    permission: 'people.write',
    stepUp: true,
    body: z.object({ person: z.string().max(100), id: passkeyId, reason }),
    result: z.null(),
  }),
  invitations: defineConsoleCall({
    summary: 'Links that were given out and not used yet',
    permission: 'people.list',
    result: z.array(
      z.object({
        id: z.string(),
        email: z.string(),
        name: z.string(),
        roles: z.array(z.string()),
        madeBy: z.string().nullable(),
        endsAt: time,
      }),
    ),
  }),
  invite: defineConsoleCall({
    summary: 'A link that lets somebody in once, with these roles; or gives somebody who is here another passkey',
    permission: 'people.write',
    stepUp: true,
    body: z.object({
      email: z.email().max(200),
      name: z.string().trim().min(1).max(100),
      roles: z.array(z.enum(roles)).min(1).max(roles.length),
      person: z.string().max(100).optional(),
      reason,
    }),
    /** Where another admin has to approve it, the result is a proposal instead of a link. */
    result: z.object({ link: z.string().nullable(), endsAt: time.nullable(), proposal: z.string().nullable() }),
  }),
  approvedInvitations: defineConsoleCall({
    summary: 'What the person who asks proposed, another admin approved, and no link was made for yet',
    permission: 'people.list',
    result: z.array(
      z.object({ proposal: z.string(), email: z.string(), name: z.string(), roles: z.array(z.string()) }),
    ),
  }),
  invitationLink: defineConsoleCall({
    summary: 'The link of an invitation that another admin approved; made once',
    permission: 'people.write',
    stepUp: true,
    body: z.object({ proposal: z.string().max(100) }),
    result: z.object({ link: z.string(), endsAt: time }),
  }),
  withdrawInvitation: defineConsoleCall({
    summary: 'Takes a link back that was not used',
    permission: 'people.write',
    stepUp: true,
    body: z.object({ id: z.string().max(100) }),
    result: z.null(),
  }),
  setRoles: defineConsoleCall({
    summary: 'Gives somebody other roles, from this moment on',
    permission: 'people.write',
    stepUp: true,
    body: z.object({
      person: z.string().max(100),
      roles: z.array(z.enum(roles)).min(1).max(roles.length),
      reason,
    }),
    /** Set where another admin has to approve it. */
    result: z.object({ proposal: z.string().nullable() }),
  }),
};
