import { leadStages, noteText } from '@portal/domain/lead/lead-stage.ts';
import { leadStatuses } from '@portal/domain/lead/lead-status.ts';
import { z } from 'zod';
import { message } from '../fields.ts';
import { defineConsoleCall } from './define-console-call.ts';
import { lines, reason, time } from './fields.ts';

const id = z.string().min(1).max(64);
/** The version the caller saw: an act on an older one is refused. */
const version = z.number().int().nonnegative();
const stage = z.enum(leadStages);
const person = z.object({ id: z.string(), name: z.string() });

/** Fields that are masked until somebody reveals them for a reason. */
export const hiddenLeadFields = ['name', 'number', 'email', 'address'] as const;

const listed = z.object({
  id: z.string(),
  stage,
  /** The CRM's last status, which the customer sees. */
  status: z.enum(leadStatuses),
  plan: z.string(),
  amount: z.number(),
  currency: z.string(),
  name: z.string(),
  number: z.string(),
  town: z.string(),
  isFeasible: z.boolean(),
  assignedTo: person.nullable(),
  createdAt: time,
});

/** `nobody`, or a person's id; all assignees by default. */
const assigned = z.string().max(100).optional();

/** The reader's words for the columns and codes of a table; the codes themselves by default. */
const words = z
  .record(z.string().max(40), z.string().max(100))
  .refine((given) => Object.keys(given).length <= 100, 'too many')
  .optional();

export const leadConsoleCalls = {
  leads: defineConsoleCall({
    summary: 'Requests for home broadband in one stage, the newest first, and how many there are in each',
    permission: 'leads.read',
    query: z.object({ stage, assigned, before: z.string().max(200).optional() }),
    result: z.object({
      leads: z.array(listed),
      next: z.string().nullable(),
      /** Counted up to a thousand. */
      counts: z.array(z.object({ stage, count: z.number(), isMore: z.boolean() })),
      people: z.array(person),
    }),
  }),
  lead: defineConsoleCall({
    summary: 'One request for home broadband: what is known of it, notes, and all that happened to it',
    permission: 'leads.read',
    query: z.object({ id }),
    result: listed.extend({
      version,
      email: z.string(),
      address: z.string(),
      language: z.string(),
      paymentId: z.string().nullable(),
      /** A payment for it is under way, taken, or given back. */
      money: z.enum(['none', 'underWay', 'paid', 'givenBack']),
      notes: z.array(z.object({ at: time, person: z.string(), text: z.string() })),
      history: z.array(
        z.object({
          at: time,
          /** A code; the console has a text for each. */
          what: z.string(),
          /** Details, as codes. */
          codes: z.array(z.string()),
          by: z.string().nullable(),
          detail: z.string().nullable(),
        }),
      ),
      people: z.array(person),
    }),
  }),
  moveLead: defineConsoleCall({
    summary: 'Moves a request to another stage',
    permission: 'leads.work',
    body: z.object({ id, version, stage }),
    result: z.null(),
  }),
  leadMoneyBack: defineConsoleCall({
    summary: 'Records that the money of a lost request went back to its payer, and how',
    permission: 'leads.settle',
    stepUp: true,
    body: z.object({ id, version, reason }),
    result: z.null(),
  }),
  noteLead: defineConsoleCall({
    summary: 'Adds a note to a request, for colleagues',
    permission: 'leads.work',
    body: z.object({
      id,
      version,
      text: message(noteText.most).refine((line) => line.length >= noteText.least, 'too short'),
    }),
    result: z.null(),
  }),
  assignLead: defineConsoleCall({
    summary: 'Gives a request to one of customer care, or to nobody',
    permission: 'leads.work',
    body: z.object({ id, version, person: z.string().max(100).nullable() }),
    result: z.null(),
  }),
  revealLead: defineConsoleCall({
    summary: 'A name, number, email or address of a request in full',
    permission: 'leads.reveal',
    body: z.object({ id, field: z.enum(hiddenLeadFields), reason }),
    result: z.object({ value: z.string() }),
  }),
  eraseLead: defineConsoleCall({
    summary:
      'Erases one request with all that is in it; not while money for it is under way, or it is paid and neither installed nor given back',
    permission: 'leads.erase',
    stepUp: true,
    body: z.object({ id, reason }),
    result: z.null(),
  }),
  exportLeads: defineConsoleCall({
    summary: 'The requests of a stage as a table, names and numbers masked',
    permission: 'leads.export',
    body: z.object({ stage: stage.optional(), assigned, reason, words }),
    isFile: true,
    result: lines,
  }),
  exportLeadsInFull: defineConsoleCall({
    summary: 'The same with names, numbers, emails and addresses',
    permission: 'leads.exportInFull',
    stepUp: true,
    body: z.object({ stage: stage.optional(), assigned, reason, words }),
    isFile: true,
    result: lines,
  }),
};
