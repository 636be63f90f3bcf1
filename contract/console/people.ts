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

export const peopleCalls = {
  me: defineConsoleCall({
    summary: 'Who is signed in, what they may do, and what they need to know about the operator',
    permission: null,
    result: z.object({
      name: z.string(),
      email: z.string(),
      roles: z.array(z.enum(roles)),
      endsAt: time,
      operator: z.object({
        brand: z.string(),
        timeZone: z.string(),
        currencies: z.record(z.string(), z.number()),
        languages: z.array(z.string()),
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
        sessions: z.number(),
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
    summary: 'Keeps somebody out of the console, or lets them in again',
    permission: 'people.sessions',
    stepUp: true,
    body: z.object({ person: z.string().max(100), isClosed: z.boolean(), reason }),
    result: z.null(),
  }),
};
