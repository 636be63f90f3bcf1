import type { ConsoleParsed, ConsoleResult } from '@portal/contract/console/contract.ts';
import { maskEmail } from '@portal/domain/email.ts';
import { maskName } from '@portal/domain/lead/lead-stage.ts';
import { fromWire, groupNational, maskNational } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import type { Kysely } from 'kysely';
import type { Act, Actor, Audit, AuditRow } from '../audit/audit.service.ts';
import {
  type Console,
  type ConsoleHandlers,
  ConsoleRefusal,
  nextPage,
  positionOf,
  type Signed,
} from '../console/console.service.ts';
import type { Schema } from '../db/schema.ts';
import type { Payments } from '../payments/payments.service.ts';
import * as desk from './leads.pipeline.store.ts';
import type { Leads } from './leads.service.ts';
import { historyOf, type Lead, type Removal } from './leads.store.ts';

interface LeadErasure {
  leads: Pick<Leads, 'remove'>;
  payments: Pick<Payments, 'isOrderUnderWay'>;
  audit: Pick<Audit, 'write'>;
}

interface LeadsDesk extends LeadErasure {
  db: Kysely<Schema>;
  leads: Pick<Leads, 'find' | 'remove' | 'table'>;
  payments: Pick<Payments, 'isOrderUnderWay' | 'find'>;
  audit: Audit;
  console: Pick<Console, 'whoMay'>;
  pack: Pick<OperatorPack, 'numbering'>;
  now: () => Date;
}

type Lines = AsyncIterable<string>;
type Export = ConsoleParsed<'exportLeads'>;
type Happened = ConsoleResult<'lead'>['history'][number];

const pageRows = 50;
const historyRows = 200;
const leadId = /^HB[0-9A-F]{20}$/;
const masked = '•••';

const subjectOf = (id: string) => ({ kind: 'lead', id });

/**
 * Refused while a payment for it is open or it is paid and neither installed nor given back: without the lead, nobody could tell what was
 * paid for and whether it was delivered.
 */
export async function eraseLead(
  { leads, payments, audit }: LeadErasure,
  id: string,
  { actor, reason }: { actor: Actor; reason: string },
): Promise<Removal | 'underWay'> {
  if (await payments.isOrderUnderWay(id)) return 'underWay';
  return leads.remove(id, (transaction) =>
    audit.write(transaction, actor, { act: 'lead.erased', subject: subjectOf(id), reason }),
  );
}

/**
 * Customer care's handling of requests for home broadband. The text of a note is only in the lead; the audit records
 * that there is one.
 */
export function leadConsoleHandlers(deps: LeadsDesk) {
  const { db, leads, payments, audit, console, pack, now } = deps;
  const { groups } = pack.numbering;

  async function existing(id: string): Promise<Lead> {
    const lead = await leads.find(id);
    if (!lead) throw new ConsoleRefusal('notFound');
    return lead;
  }

  const facts = (lead: Lead, assignee: string | null): ConsoleResult<'leads'>['leads'][number] => ({
    id: lead.id,
    stage: lead.stage,
    status: lead.status,
    plan: lead.plan_description,
    amount: lead.plan_amount,
    currency: lead.plan_currency,
    name: maskName(lead.full_name),
    number: maskNational(fromWire(lead.contact_number), groups),
    town: lead.address.city,
    isFeasible: lead.is_feasible,
    assignedTo: lead.assigned_to ? { id: lead.assigned_to, name: assignee ?? '' } : null,
    createdAt: lead.created_at.toISOString(),
  });

  async function moneyOf({ id, paid_by, money_back_at }: Lead): Promise<ConsoleResult<'lead'>['money']> {
    if (money_back_at !== null) return 'givenBack';
    const state = paid_by === null ? undefined : (await payments.find(paid_by))?.payment.state;
    if (state === 'REFUNDED' || state === 'FAILED') return 'givenBack';
    if (paid_by !== null && (state === undefined || state === 'SUCCEEDED')) return 'paid';
    return paid_by !== null || (await payments.isOrderUnderWay(id)) ? 'underWay' : 'none';
  }

  const workers = async () => (await console.whoMay('leads.work')).map(({ id, name }) => ({ id, name }));

  const hidden = ({ full_name, contact_number, email, address }: Lead) => ({
    name: full_name,
    number: groupNational(fromWire(contact_number), groups),
    email,
    address: [
      address.street1,
      address.landmark,
      address.city,
      address.lat === null || address.lng === null ? '' : `${address.lat}, ${address.lng}`,
    ]
      .filter(Boolean)
      .join(', '),
  });

  /** One change with optimistic locking, in a transaction with its audit row. An outdated version is refused. */
  async function change(
    { id, version }: { id: string; version: number },
    signed: Signed,
    {
      patch = {},
      act,
      also,
    }: {
      patch?: Omit<Parameters<typeof desk.changeLead>[2], 'changed_at'>;
      act: Omit<Act, 'subject'>;
      also?: (transaction: Kysely<Schema>, version: number) => Promise<void>;
    },
  ): Promise<null> {
    await db.transaction().execute(async (transaction) => {
      const next = await desk.changeLead(transaction, { id, version }, { ...patch, changed_at: now() });
      if (next === undefined) throw new ConsoleRefusal('changed');
      await also?.(transaction, next);
      await audit.write(transaction, signed.actor, { ...act, subject: subjectOf(id) });
    });
    return null;
  }

  /**
   * The audit row is written before the export is streamed, because an export that was not received counts as shown.
   */
  async function exported({ reason, words, ...filter }: Export, signed: Signed, isFull: boolean): Promise<Lines> {
    await audit.writeSeen(signed.actor, {
      act: 'leads.exported',
      subject: { kind: 'leads', id: filter.stage ?? 'all' },
      after: { ...filter, inFull: isFull },
      reason,
    });
    return leads.table(filter, { isFull, words });
  }

  return {
    async leads({ stage, assigned, before }) {
      const [rows, counts, people] = await Promise.all([
        desk.listStage(db, { stage, assigned }, { before: positionOf(before, leadId), most: pageRows + 1 }),
        desk.countStages(db, assigned),
        workers(),
      ]);
      const page = rows.slice(0, pageRows);
      const last = page.at(-1);
      return {
        leads: page.map((lead) => facts(lead, lead.assignee)),
        next: rows.length > pageRows && last ? nextPage({ at: last.created_at, id: last.id }) : null,
        counts,
        people,
      };
    },

    async lead({ id }) {
      const lead = await existing(id);
      const [notes, statuses, acts, people, assignee, money] = await Promise.all([
        desk.notesOf(db, id),
        historyOf(db, id),
        audit.list(historyRows, { about: id }),
        workers(),
        desk.personName(db, lead.assigned_to),
        moneyOf(lead),
      ]);
      const history = [
        ...statuses.map(({ status, at }) => happened(at, `lead.${status}`)),
        ...acts.map((row) => actOf(row)),
      ];
      return {
        ...facts(lead, assignee),
        version: lead.version,
        email: maskEmail(lead.email),
        address: masked,
        language: lead.language,
        paymentId: lead.paid_by,
        money,
        notes: notes.map(({ at, person, text }) => ({ at: at.toISOString(), person, text })),
        history: history.sort((one, other) => one.at.localeCompare(other.at)),
        people,
      };
    },

    async moveLead({ id, version, stage }, signed) {
      const lead = await existing(id);
      const before = lead.stage;
      // What is owed is not ended by a stage, and what was given back is not taken up again.
      const isOwed = before === 'lost' && stage === 'installed' && (await moneyOf(lead)) === 'paid';
      if (isOwed || lead.money_back_at !== null) throw new ConsoleRefusal('notPossible');
      return change({ id, version }, signed, {
        patch: { stage },
        act: { act: 'lead.moved', before: { stage: before }, after: { stage } },
      });
    },

    async leadMoneyBack({ id, version, reason }, signed) {
      const lead = await existing(id);
      if (lead.stage !== 'lost' || (await moneyOf(lead)) !== 'paid') throw new ConsoleRefusal('notPossible');
      return change({ id, version }, signed, {
        patch: { money_back_at: now() },
        act: { act: 'lead.moneyBack', reason },
      });
    },

    async noteLead({ id, version, text }, signed) {
      await existing(id);
      return change({ id, version }, signed, {
        act: { act: 'lead.noted' },
        also: (transaction, next) =>
          desk.insertNote(transaction, { lead_id: id, version: next, at: now(), person: signed.email, text }),
      });
    },

    async assignLead({ id, version, person }, signed) {
      await existing(id);
      const to = person === null ? null : (await console.whoMay('leads.work')).find((one) => one.id === person);
      if (to === undefined) throw new ConsoleRefusal('invalid', { field: 'person' });
      return change({ id, version }, signed, {
        patch: { assigned_to: person },
        act: { act: 'lead.assigned', after: { to: to?.email ?? null } },
      });
    },

    async revealLead({ id, field, reason }, signed) {
      const value = hidden(await existing(id))[field];
      const act = { act: 'lead.revealed' as const, subject: subjectOf(id), after: { field }, reason };
      await audit.writeSeen(signed.actor, act);
      return { value };
    },

    async eraseLead({ id, reason }, { actor }) {
      const outcome = await eraseLead(deps, id, { actor, reason });
      if (outcome === 'unknown') throw new ConsoleRefusal('notFound');
      if (outcome === 'underWay') throw new ConsoleRefusal('paymentUnderWay');
      if (outcome === 'paid') throw new ConsoleRefusal('requestPaid');
      return null;
    },

    exportLeads: (filter, signed) => exported(filter, signed, false),
    exportLeadsInFull: (filter, signed) => exported(filter, signed, true),
  } satisfies ConsoleHandlers;
}

const happened = (at: Date, what: string, more: Partial<Happened> = {}): Happened => ({
  at: at.toISOString(),
  what,
  codes: [],
  by: null,
  detail: null,
  ...more,
});

/** An audit row as the page shows it: the new stage, the assignee, or what was revealed. */
function actOf({ at, act, person, after, reason }: AuditRow): Happened {
  const { stage, to, field } = (after ?? {}) as { stage?: string; to?: string | null; field?: string };
  const codes = [...(stage ? [`leadStage.${stage}`] : []), ...(field ? [`leadField.${field}`] : [])];
  return happened(at, `act.${act}`, {
    codes: to === null ? ['leads.nobody'] : codes,
    by: person,
    detail: to ? `→ ${to}` : reason,
  });
}
