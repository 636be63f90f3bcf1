import { z } from 'zod';
import { type AuditAct, auditActs } from './acts.ts';
import { defineConsoleCall } from './define-console-call.ts';
import { lines, reason, time } from './fields.ts';

const filter = {
  person: z.string().max(200).optional(),
  act: z.enum(auditActs as [AuditAct, ...AuditAct[]]).optional(),
  /** The act's object: by its id, or a payment's reference or a ticket's number as printed. */
  about: z.string().trim().max(100).optional(),
  /** First day, in the operator's time zone. */
  from: z.iso.date().optional(),
  /** Last day, in the operator's time zone. */
  day: z.iso.date().optional(),
};

export const auditCalls = {
  audit: defineConsoleCall({
    summary: 'What was done in the console, newest first, a hundred rows at a time',
    permission: 'audit.read',
    query: z.object({ before: z.coerce.number().int().positive().optional(), ...filter }),
    result: z.object({
      rows: z.array(
        z.object({
          number: z.number(),
          at: time,
          person: z.string().nullable(),
          roles: z.array(z.string()),
          act: z.string(),
          subject: z.object({ kind: z.string(), id: z.string() }),
          before: z.unknown(),
          after: z.unknown(),
          reason: z.string().nullable(),
          address: z.string().nullable(),
        }),
      ),
      /** Null on the last page. */
      next: z.number().nullable(),
    }),
  }),
  exportAudit: defineConsoleCall({
    summary: 'The same rows as a table, with the hashes that chain them',
    permission: 'audit.read',
    body: z.object({ ...filter, reason }),
    isFile: true,
    result: lines,
  }),
  verifyAudit: defineConsoleCall({
    summary: 'Whether every row of the audit still is what was written',
    permission: 'audit.read',
    result: z.object({
      rows: z.number(),
      head: z.string(),
      problem: z.object({ number: z.number(), what: z.enum(['changed', 'missing', 'inserted']) }).nullable(),
    }),
  }),
};
