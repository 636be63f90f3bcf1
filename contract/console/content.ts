import { z } from 'zod';
import { defineConsoleCall } from './define-console-call.ts';
import { reason, time } from './fields.ts';

const name = z
  .string()
  .max(80)
  .regex(/^[a-z0-9-]+$/);
const page = z
  .string()
  .max(90)
  .regex(/^(\/[a-z]{2})?\/[a-z0-9-]+$/);
const version = z.coerce.number().int().positive();
const said = z.object({ version, at: time, by: z.string().nullable() });
const plan = z.object({
  id: z.string(),
  version,
  at: time,
  by: z.string(),
  state: z.enum(['planned', 'published', 'takenBack', 'overtaken']),
});

const languagePage = z.object({
  page: z.string(),
  /** Null for content that is the same in every language. */
  locale: z.string().nullable(),
  /** The published version and its time; by nobody where the pack brought it. */
  shown: said,
  /** A later draft that is not published. */
  draft: said.nullable(),
  /** A version that a release brought after people had published their own, which stays until they decide. */
  release: said.nullable(),
  /** The last scheduled publication. */
  plan: plan.nullable(),
  /** Paths of texts that another language has and this one lacks. */
  missing: z.array(z.string()),
  /** Another language was changed after this one. */
  isOlder: z.boolean(),
});

/** An unvalidated package: the server checks it against the package's own schema. */
const body = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]);

const items = z
  .array(z.object({ page, version, shown: z.number().int().nonnegative() }))
  .min(1)
  .max(20);

export const contentConsoleCalls = {
  contents: defineConsoleCall({
    summary: 'Every package in each language: what is shown, what is drafted, planned, missing or older',
    permission: 'content.read',
    result: z.object({
      packages: z.array(z.object({ name: z.string(), pages: z.array(languagePage) })),
    }),
  }),
  content: defineConsoleCall({
    summary: 'One package, its languages side by side, with all its versions',
    permission: 'content.read',
    query: z.object({ name }),
    result: z.object({
      name: z.string(),
      pages: z.array(
        languagePage.extend({
          /** The version that a new draft names as its base. */
          newest: version,
          /** The base for editing: the draft, or the published version without one, as its authors wrote it. */
          working: version,
          body,
          /** Paths of required texts that are empty: it cannot be published with one. */
          gaps: z.array(z.string()),
          shownBody: body,
          versions: z.array(said.extend({ wasShown: z.boolean() })),
        }),
      ),
      /** The shape of the pack's own package: the fields that a new list item needs. */
      shape: z.unknown(),
      /** How often each help answer was found helpful, by its name. */
      votes: z.record(z.string(), z.object({ likes: z.number(), votes: z.number() })),
      /** Pages of the portal that show it: the path without language, and the page's title in each language. */
      seenAt: z.array(z.object({ path: z.string(), titles: z.record(z.string(), z.string()) })),
      takesTwo: z.boolean(),
    }),
  }),
  contentVersion: defineConsoleCall({
    summary: 'One version of a page, as its writers wrote it',
    permission: 'content.read',
    query: z.object({ page, version }),
    result: z.object({ page: z.string(), version, body }),
  }),
  contentPreview: defineConsoleCall({
    summary: 'An address of the real page with drafts in it, for the person who asks and for five minutes',
    permission: 'content.read',
    query: z.object({
      /** As `/footer 3,/sw/footer 4`. */
      drafts: z.string().max(2_000),
      /** A page of the portal, with its language. */
      at: z.string().max(200).startsWith('/'),
    }),
    result: z.object({ address: z.string() }),
  }),
  saveContent: defineConsoleCall({
    summary: 'Keeps drafts, all of them or none, for who saw the newest version of each',
    permission: 'content.edit',
    // Three languages of the longest package, twice over.
    bodyBytes: 2 * 1024 * 1024,
    body: z.object({
      drafts: z
        .array(z.object({ page, seen: z.number().int().nonnegative(), body }))
        .min(1)
        .max(20),
    }),
    result: z.object({
      kept: z.array(
        z.object({
          page: z.string(),
          version,
          /** Paths from which forbidden content, such as a script, was removed. */
          cleaned: z.array(z.string()),
        }),
      ),
    }),
  }),
  publishContent: defineConsoleCall({
    summary: 'Proposes to show versions, now or from a time on; done at once where one person suffices',
    permission: 'content.propose',
    body: z.object({ name, items, at: time.nullable(), reason }),
    result: z.object({ proposal: z.string(), isDone: z.boolean() }),
  }),
  rollBackContent: defineConsoleCall({
    summary: 'Shows a version again that customers saw before',
    permission: 'content.publish',
    stepUp: true,
    body: z.object({ items, reason }),
    result: z.null(),
  }),
  takeBackContent: defineConsoleCall({
    summary: 'Takes back what was to be shown from a time on',
    permission: 'content.publish',
    body: z.object({ id: z.string().max(100), reason }),
    result: z.null(),
  }),
};
