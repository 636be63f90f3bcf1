import { createHash, randomBytes } from 'node:crypto';
import type { ParsedBodyOf, ResultOf } from '@portal/contract/contract.ts';
import { leadTags } from '@portal/domain/constants.ts';
import { isInside } from '@portal/domain/geo.ts';
import { fieldProblem, isFilled, problemText } from '@portal/domain/lead/form-rules.ts';
import { formValuesOf, holdsMarkup, leadFieldPaths } from '@portal/domain/lead/lead-form-values.ts';
import type { LeadStatus } from '@portal/domain/lead/lead-status.ts';
import { readFormSchema } from '@portal/domain/lead/schema-check.ts';
import { type Town, townNamed } from '@portal/domain/lead/towns.ts';
import { foreignLineType } from '@portal/domain/line-types.ts';
import { fromWire, isMobile } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import type { Kysely } from 'kysely';
import type { Bundles } from '../bundles/bundles.service.ts';
import type { Asker } from '../challenges/challenges.service.ts';
import type { CrmStage, Fulfilment, HandedLead, LeadReceiver, Qualification } from '../connectors/ports.ts';
import type { Content } from '../content/content.service.ts';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Lines } from '../lines/lines.service.ts';
import { type Otp, purposes } from '../otp/otp.service.ts';
import { leadLines, type TableOptions } from './leads.csv.ts';
import type { LeadEvents } from './leads.events.ts';
import { eachLead, type LeadFilter, type ListedLead } from './leads.pipeline.store.ts';
import type { Lead } from './leads.store.ts';
import * as store from './leads.store.ts';

export { isPaidFor, type Lead } from './leads.store.ts';
export type LeadBody = ParsedBodyOf<'submitLead'>;

export interface Leads {
  sendCode(request: { email: string; msisdn: string | null; asker: Asker; language: string }): Promise<string>;
  /** Idempotent: the same lead sent again returns the same id. */
  submit(
    body: LeadBody,
    from: { language: string; visit: string | null },
  ): Promise<{ id: string; isFeasible: boolean }>;
  track(id: string, visit: string | null): Promise<ResultOf<'trackLead'>>;
  /** Only for the visit that sent it, and while it can be paid. */
  payable(id: string, visit: string | null): Promise<Lead | null>;
  /** Delivers a paid lead: sends the order to the CRM and records it in the lead. */
  orders: Fulfilment;
  /** Sends due leads to the CRM; returns how many it tried. */
  sweep(most: number): Promise<number>;
  list(): Promise<Lead[]>;
  /** Iterates over all leads, newest first, a few in memory at a time. */
  each(filter?: LeadFilter): AsyncIterable<ListedLead>;
  /** The same as a table, line by line. */
  table(filter: LeadFilter, as: Pick<TableOptions, 'isFull' | 'words'>): AsyncIterable<string>;
  find(id: string): Promise<Lead | undefined>;
  /** Lost leads whose money has not gone back, the oldest first; of one payment only, if it is given. */
  owed(most: number, payment?: string): Promise<store.OwedLead[]>;
  /** Finds leads by what a customer knows: the request number, a phone number, an email. */
  search(clues: { id?: string; number?: string; email?: string }, most: number): Promise<Lead[]>;
  /**
   * Deletes a lead with notes and history, unless it is paid and neither installed nor given back. `record` writes the audit row in
   * the same transaction.
   */
  remove(id: string, record: (transaction: Kysely<Schema>) => Promise<void>): Promise<store.Removal>;
  deleteExpired(): Promise<void>;
}

interface Dependencies {
  db: Kysely<Schema>;
  pack: OperatorPack;
  otp: Pick<Otp, 'send' | 'spendProof'>;
  lines: Pick<Lines, 'find'>;
  bundles: Pick<Bundles, 'findPlan'>;
  content: Pick<Content, 'activePackage'>;
  towns: () => Promise<readonly Town[]>;
  /** Null if the list of towns decides who can be served. */
  qualification: Qualification | null;
  /** Null if the operator exports leads instead. */
  receiver: LeadReceiver | null;
  keepDays: number;
  /** Enqueues the message with the request's number, in the transaction that stores the lead. */
  notify: (transaction: Kysely<Schema>, lead: Lead) => Promise<void>;
  now: () => Date;
  events: LeadEvents;
}

const formPage = 'lead-form-schema';
const leaseSeconds = 60;
const lookAgainSeconds = 30;
/** Backoff until the CRM accepts it. The last delay repeats, so a long outage loses nothing. */
const retrySeconds = [5, 30, 120, 600, 3_600];
const newLeadId = () => `HB${randomBytes(10).toString('hex').toUpperCase()}`;
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

const stageStatus: Record<CrmStage, LeadStatus | null> = {
  received: null,
  scheduled: 'SCHEDULED',
  installed: 'INSTALLED',
  closed: 'CLOSED',
};

export function createLeads(deps: Dependencies): Leads {
  const { db, pack, receiver, events } = deps;
  const inSeconds = (seconds: number) => new Date(deps.now().getTime() + seconds * 1000);
  const malformed = (message: string, field: string) => new PortalError('formRefused', { field }, { why: message });

  /** Validates the form again, because the browser's validation cannot be trusted. */
  async function checkForm(body: LeadBody, language: string): Promise<void> {
    const prefix = pack.languages.find(({ locale }) => locale === language)?.prefix ?? '';
    const schema = readFormSchema(await deps.content.activePackage(`${prefix}/${formPage}`));
    if (!schema) throw new PortalError('formUnusable');
    const values = formValuesOf({ ...body, address: { ...body.address, landmark: body.address.landmark || '' } });
    for (const field of schema.fields) {
      const path = leadFieldPaths[field.name];
      if (!path) continue;
      const problem = fieldProblem(field, values[field.name]);
      if (problem) throw malformed(problemText(problem), path);
      if (!isFilled(field, values[field.name])) throw malformed(`${field.name} is required`, path);
    }
  }

  async function checkPlaces({ address }: LeadBody): Promise<Town> {
    if (address.country.toLowerCase() !== pack.country.name.toLowerCase())
      throw malformed('This country is not served here.', 'address.country');
    const town = townNamed(address.city, await deps.towns());
    if (!town) throw malformed('Please choose a town from the list.', 'address.city');
    const { lat, lng } = address;
    if ((lat === undefined) !== (lng === undefined)) throw malformed('A point has two coordinates.', 'address.lat');
    if (lat !== undefined && lng !== undefined && !isInside({ lat, lng }, pack.map.bounds))
      throw malformed('This point is not in the country.', 'address.lat');
    return town;
  }

  async function checkPlan({ plan }: LeadBody, language: string) {
    const sold = await deps.bundles.findPlan(plan.code, language);
    if (!sold) throw new PortalError('planWithdrawn', { field: 'plan.code' });
    if (sold.amount !== plan.amount || sold.currency !== plan.currency)
      throw new PortalError('planPriceChanged', { field: 'plan.amount' });
    return sold;
  }

  async function checked(body: LeadBody, language: string) {
    if (!body.consent) throw malformed('Please agree that your details are used for this request.', 'consent');
    const texts = {
      fullName: body.fullName,
      'address.street1': body.address.street1,
      'address.landmark': body.address.landmark ?? '',
    };
    for (const [field, text] of Object.entries(texts))
      if (holdsMarkup(text)) throw malformed('Please write this without < and >.', field);
    if (!isMobile(fromWire(body.contactNumber), pack.numbering)) throw malformed('Invalid Mobile No', 'contactNumber');
    const town = await checkPlaces(body);
    await checkForm(body, language);
    return { town, plan: await checkPlan(body, language) };
  }

  /** The operator's qualification if it gives a clear response, else the list of towns. */
  async function isServed(id: string, { address }: LeadBody, town: Town, productCode: string): Promise<boolean> {
    if (!deps.qualification) return town.hbbLeadFeasibility;
    const { lat, lng } = address;
    const outcome = await deps.qualification.check({
      reference: id,
      productCode,
      town: town.cityName,
      country: pack.country.name,
      point: lat === undefined || lng === undefined ? null : { lat, lng },
    });
    if (outcome.kind !== 'unclear') return outcome.kind === 'served';
    events.notQualified(id, outcome);
    return town.hbbLeadFeasibility;
  }

  async function handOver(lead: Lead): Promise<void> {
    if (!receiver) return;
    const outcome = await receiver.hand(handed(lead));
    if (outcome.kind === 'accepted') {
      await store.noteAccepted(db, lead.id, outcome.reference, deps.now());
      events.accepted(lead.id);
      return;
    }
    events.notAccepted(lead.id, outcome);
    const wait = retrySeconds[Math.min(lead.attempts, retrySeconds.length - 1)] ?? leaseSeconds;
    await store.noteAttempt(db, lead.id, inSeconds(wait));
  }

  /** Polls the CRM for the status, at most twice a minute. Without a response the stored status is kept. */
  async function refresh(lead: Lead): Promise<void> {
    if (!receiver || lead.handover !== 'accepted') return;
    if (!(await store.claimLook(db, lead.id, inSeconds(-lookAgainSeconds), deps.now()))) return;
    const found = await receiver.stageOf(lead.id);
    const status = found.kind === 'stage' ? stageStatus[found.stage] : null;
    if (status) await store.moveLead(db, lead.id, status, deps.now());
  }

  return {
    sendCode: ({ email, msisdn, asker, language }) =>
      deps.otp.send({ msisdn: msisdn ?? email.toLowerCase(), purpose: purposes.lead, asker, language }),

    async submit(body, { language, visit }) {
      const { uniqueCode, ...rest } = body;
      const digests = { proof_digest: digestOf(uniqueCode), body_digest: digestOf(JSON.stringify(rest)) };
      const earlier = await store.findByProof(db, digests.proof_digest);
      if (earlier?.body_digest === digests.body_digest) return submitted(earlier);
      const { town, plan } = await checked(body, language);
      const line = await deps.lines.find(body.contactNumber);
      // We cannot send an SMS to a number of another operator, so its owner proved the email address instead.
      const subject = line ? body.contactNumber : body.email.toLowerCase();
      const proved = { purpose: purposes.lead, subject, visit, payment: null };
      await deps.otp.spendProof(db, uniqueCode, proved, `lead ${digests.body_digest}`);
      const id = newLeadId();
      const isFeasible = await isServed(id, body, town, plan.productCode);
      const now = deps.now();
      const { address } = body;
      const written: store.NewLead = {
        id,
        ...digests,
        full_name: body.fullName.trim(),
        contact_number: body.contactNumber,
        line_type: line?.lineType ?? foreignLineType,
        email: body.email,
        is_feasible: isFeasible,
        address: JSON.stringify({
          type: address.type,
          city: town.cityName,
          street1: address.street1.trim(),
          landmark: (address.landmark ?? '').trim(),
          country: pack.country.name,
          lat: address.lat ?? null,
          lng: address.lng ?? null,
        }),
        plan_code: plan.productCode,
        plan_amount: plan.amount,
        plan_currency: plan.currency,
        plan_description: plan.description,
        source: body.source,
        reference: body.reference ?? leadTags.reference,
        works_id: body.worksId ?? null,
        language,
        visit,
        status: isFeasible ? 'SUBMITTED' : 'NOT_FEASIBLE',
        handover: 'waiting',
        crm_reference: null,
        paid_by: null,
        due_at: receiver ? now : null,
        looked_at: null,
        created_at: now,
        changed_at: now,
      };
      const stored = await store.insertLead(db, written, deps.notify);
      if (stored) {
        events.stored(stored.id, stored.is_feasible);
        return submitted(stored);
      }
      // A concurrent request with the same proof stored it.
      const other = await store.findByProof(db, digests.proof_digest);
      if (!other) throw new PortalError('tryAgain');
      return submitted(other);
    },

    async track(id, visit) {
      const known = await store.findLead(db, id);
      if (!known) throw new PortalError('leadUnknown', { field: 'refLeadId' });
      await refresh(known);
      const lead = (await store.findLead(db, id)) ?? known;
      const timeline = await store.historyOf(db, id);
      return {
        refLeadId: lead.id,
        leadStatus: lead.status,
        submittedAt: lead.created_at.toISOString(),
        planDescription: lead.plan_description,
        city: lead.address.city,
        timeline: timeline.map(({ status, at }) => ({ status, at: at.toISOString() })),
        isPayable: isPayable(lead),
        ...(isPayable(lead) && lead.visit === visit ? { toPay: toPay(lead) } : {}),
      };
    },

    async payable(id, visit) {
      const lead = await store.findLead(db, id);
      return lead && isPayable(lead) && lead.visit === visit ? lead : null;
    },

    orders: {
      async deliver(delivery) {
        if (!receiver) return { kind: 'unclear', detail: 'no CRM is configured' };
        const { item, reference } = delivery;
        if (item.kind !== 'order' || !(await store.claimPayment(db, item.leadId, reference)))
          return { kind: 'refused', detail: 'this lead is gone or was paid for before' };
        const outcome = await receiver.deliver(delivery);
        if (outcome.kind === 'delivered') await paid(item);
        if (outcome.kind === 'refused') await store.releasePayment(db, item.leadId, reference);
        return outcome;
      },
      async findDelivery(delivery) {
        if (!receiver) return { kind: 'unclear', detail: 'no CRM is configured' };
        const found = await receiver.findDelivery(delivery);
        if (found.kind === 'delivered') await paid(delivery.item);
        return found;
      },
      async isSettled({ item, reference }) {
        const lead = item.kind === 'order' ? await store.findLead(db, item.leadId) : undefined;
        return Boolean(lead?.paid_by && lead.paid_by !== reference);
      },
    },

    async sweep(most) {
      if (!receiver) return 0;
      const due = await store.takeDue(db, { now: deps.now(), until: inSeconds(leaseSeconds), most });
      await Promise.all(due.map(handOver));
      return due.length;
    },

    list: () => store.listLeads(db),
    each: (filter) => eachLead(db, filter),
    table: (filter, as) =>
      leadLines(eachLead(db, filter), { groups: pack.numbering.groups, timeZone: pack.timeZone, ...as }),
    find: (id) => store.findLead(db, id),
    owed: (most, payment) => store.listOwed(db, most, payment),
    search: (clues, most) => store.searchLeads(db, clues, most),
    remove: (id, record) =>
      db.transaction().execute(async (transaction) => {
        const removal = await store.deleteLead(transaction, id);
        if (removal === 'erased') await record(transaction);
        return removal;
      }),
    deleteExpired: () => store.deleteBefore(db, inSeconds(-deps.keepDays * 24 * 3600)),
  };

  function isPayable({ is_feasible, status, paid_by }: Lead): boolean {
    return receiver !== null && is_feasible && status === 'SUBMITTED' && paid_by === null;
  }

  async function paid(item: Parameters<Fulfilment['deliver']>[0]['item']): Promise<void> {
    if (item.kind === 'order') await store.moveLead(db, item.leadId, 'PAID', deps.now());
  }
}

const toPay = (lead: Lead): ResultOf<'trackLead'>['toPay'] => ({
  msisdn: lead.contact_number,
  emailId: lead.email,
  lineType: lead.line_type,
  productCode: lead.plan_code,
  amount: lead.plan_amount,
  currency: lead.plan_currency,
});

const submitted = ({ id, is_feasible }: Lead) => ({ id, isFeasible: is_feasible });

function handed(lead: Lead): HandedLead {
  const { city, street1, landmark, country, lat, lng } = lead.address;
  return {
    id: lead.id,
    fullName: lead.full_name,
    contactNumber: lead.contact_number,
    email: lead.email,
    isFeasible: lead.is_feasible,
    address: { city, street: street1, landmark, country, lat, lng },
    plan: {
      code: lead.plan_code,
      description: lead.plan_description,
      amount: lead.plan_amount,
      currency: lead.plan_currency,
    },
    source: lead.source,
    reference: lead.reference,
    worksId: lead.works_id,
    createdAt: lead.created_at,
  };
}
