import { wayHealths } from '@portal/domain/payment/way-health.ts';
import { z } from 'zod';
import { defineConsoleCall } from './define-console-call.ts';
import { reason, time } from './fields.ts';

/** Texts for customers, by language. */
const texts = z.record(z.string().max(20), z.string().trim().max(300));

/** Zero where nothing was ever set. Every change names the version it is based on. */
const version = z.number().int().min(0);

/** Who did it, and who proposed it if that needed approval. */
const changed = z.object({ at: time, by: z.string(), proposedBy: z.string().nullable() }).nullable();

const announcement = z.object({
  isOn: z.boolean(),
  texts,
  startsAt: time.nullable(),
  endsAt: time.nullable(),
  /** What customers see now. */
  now: z.enum(['nothing', 'announced', 'shown']),
  version,
  changed,
});

/** Null when it is done; otherwise the proposal that waits for somebody else. */
const proposed = z.object({ proposal: z.string().nullable() });

export const announcementSubjects = ['banner', 'maintenance'] as const;

export const wayCalls = {
  ways: defineConsoleCall({
    summary: 'Every way to pay with how it does and whether it is switched off, the banner, and planned maintenance',
    permission: 'ways.read',
    result: z.object({
      /** Whether closing a method, or all of them for maintenance, needs a second person. */
      takesTwo: z.boolean(),
      ways: z.array(
        z.object({
          gateway: z.string(),
          name: z.string(),
          isOff: z.boolean(),
          /** The text for customers while it is off; without one, the default text. */
          texts,
          usualTexts: texts,
          version,
          changed,
          health: z.enum(wayHealths),
          taken: z.number(),
          failed: z.number(),
          /** Declined, expired or not enough money: counted neither for nor against the method. */
          endedByPayer: z.number(),
          medianSeconds: z.number().nullable(),
          lastFailureAt: time.nullable(),
          /** The proposal to switch it off, waiting for somebody else. */
          proposal: z.string().nullable(),
        }),
      ),
      banner: announcement,
      maintenance: announcement.extend({ proposal: z.string().nullable() }),
    }),
  }),
  switchWay: defineConsoleCall({
    summary:
      'Switches a way to pay on, or proposes to switch it off, which takes effect in every process at once; payments that began go on',
    permission: 'ways.switch',
    body: z.object({ gateway: z.string().max(40), isOff: z.boolean(), texts, version, reason }),
    result: proposed,
  }),
  announce: defineConsoleCall({
    summary:
      'Sets or takes back the banner, takes back planned maintenance or proposes it; during maintenance no new payment begins',
    permission: 'announcements.write',
    body: z.object({
      subject: z.enum(announcementSubjects),
      isOn: z.boolean(),
      texts,
      startsAt: time.nullable(),
      endsAt: time.nullable(),
      version,
      reason,
    }),
    result: proposed,
  }),
};
