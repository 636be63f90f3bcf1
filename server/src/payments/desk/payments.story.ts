import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { type PaymentReason, paymentReasons } from '@portal/domain/payment/reasons.ts';
import { writeTicketNumber } from '@portal/domain/ticket.ts';
import type { Kysely } from 'kysely';
import type { Approval, Approvals } from '../../approvals/approvals.service.ts';
import type { Audit } from '../../audit/audit.service.ts';
import type { Schema } from '../../db/schema.ts';
import type { Notices } from '../../notices/notices.service.ts';
import type { Risk } from '../../risk/risk.service.ts';
import { isStrangers, type Tickets } from '../../tickets/tickets.service.ts';
import type { StoredEvidence } from '../core/payments.store.ts';
import * as desk from './payments.desk.store.ts';

type StoryEvent = ConsoleResult<'payment'>['events'][number];

interface Sources {
  db: Kysely<Schema>;
  risk: Pick<Risk, 'decisionsOf'>;
  audit: Pick<Audit, 'list'>;
  tickets: Pick<Tickets, 'ofPayment' | 'messagesOf'>;
  notices: Pick<Notices, 'sentAbout'>;
  approvals: Pick<Approvals, 'listOf'>;
  evidence: StoredEvidence[];
}

const shownActs = 50;

/** The order of events with equal times: a decision or response comes before its effect. */
const order: Record<StoryEvent['kind'], number> = {
  ...{ audit: 0, risk: 1, evidence: 2, state: 3 },
  ...{ posting: 4, goodwill: 5, message: 6, ticket: 7 },
};

/** One event; fields that its source lacks are null. */
const eventOf = (
  kind: StoryEvent['kind'],
  at: Date,
  what: string,
  more: Partial<Pick<StoryEvent, 'codes' | 'by' | 'proposed' | 'detail' | 'quote' | 'amount' | 'currency'>> = {},
): StoryEvent => ({
  kind,
  at: at.toISOString(),
  what,
  codes: [],
  by: null,
  proposed: null,
  detail: null,
  quote: null,
  amount: null,
  currency: null,
  ...more,
});

const isReason = (text: string | null): text is PaymentReason => paymentReasons.includes(text as PaymentReason);
const reasonCodes = (reason: string | null) => (isReason(reason) ? [`reason.${reason}`] : []);

/** For an open card payment, the receipt column holds the end of its page, which is not a receipt. */
export const receiptIn = (receipt: string | null): string | null => (receipt?.startsWith('until-') ? null : receipt);

/** Everything that happened to one payment, merged from all sources in order of time. */
export async function storyOf(id: string, sources: Sources): Promise<StoryEvent[]> {
  const { db, risk, audit, approvals, tickets, notices, evidence } = sources;
  const [moves, postings, credits, verdicts, messages, acts, proposals, asked] = await Promise.all([
    desk.movesOf(db, id),
    desk.postingsOf(db, id),
    desk.creditsOf(db, id),
    risk.decisionsOf(id),
    notices.sentAbout(id),
    audit.list(shownActs, { about: id }),
    approvals.listOf({ kind: 'payment', id }),
    ticketEvents(id, tickets),
  ]);
  const events = [
    ...moves.map(({ at, to, reason, by, note }) =>
      eventOf('state', at, to, { codes: reasonCodes(reason), by, ...whyOf(by, note, proposals) }),
    ),
    // A provider's refusal is shown as one of our reasons; other details are quoted.
    ...evidence.map(({ at, call, answer, amount, currency, receipt, detail }) =>
      eventOf('evidence', at, `${call}.${answer}`, {
        codes: reasonCodes(detail),
        detail: receiptIn(receipt),
        quote: isReason(detail) ? null : detail,
        amount,
        currency,
      }),
    ),
    ...postings.map(({ at, kind, amount, currency }) => eventOf('posting', at, kind, { amount, currency })),
    ...credits.flatMap(creditEvents),
    ...verdicts.map(({ at, decision, rule }) => eventOf('risk', at, decision, { codes: rule ? [`rule.${rule}`] : [] })),
    ...messages.map(({ at, kind, way, outcome }) =>
      eventOf('message', at, kind, { codes: [`way.${way}`, `outcome.${outcome}`] }),
    ),
    ...asked,
    ...acts.map(({ at, act, person, reason, after }) =>
      eventOf('audit', at, act, { by: person, detail: whyOf(person, reason, proposals).detail, ...sumIn(after) }),
    ),
  ];
  return events.sort((one, other) => one.at.localeCompare(other.at) || order[one.kind] - order[other.kind]);
}

/** The reason for an act. For an approval it is the proposer's, since approvers give none. */
function whyOf(by: string | null, note: string | null, proposals: readonly Approval[]) {
  const approved = proposals.find(
    ({ decider, proposer, reason }) => by !== null && decider === by && proposer !== by && reason === note,
  );
  return approved
    ? { detail: null, proposed: { by: approved.proposer, reason: approved.reason } }
    : { detail: note, proposed: null };
}

/** Proposals and approvals are shown with their amount. */
function sumIn(after: unknown): { amount: number; currency: string } | object {
  const { amount, currency } = (after ?? {}) as Record<string, unknown>;
  return typeof amount === 'number' && typeof currency === 'string' ? { amount, currency } : {};
}

/** The decision and the current state. The repeated lookups in between are not events. */
function creditEvents(credit: Awaited<ReturnType<typeof desk.creditsOf>>[number]): StoryEvent[] {
  const { state, amount, currency, created_at, sent_at, changed_at } = credit;
  const event = (at: Date, what: string) => eventOf('goodwill', at, what, { amount, currency });
  const isBegun = state === 'due' || state === 'sending';
  return [
    event(created_at, 'due'),
    ...(sent_at ? [event(sent_at, 'sending')] : []),
    ...(isBegun ? [] : [event(changed_at, state)]),
  ];
}

/** Events of tickets that are not in the audit log. Message texts are left out. */
async function ticketEvents(id: string, tickets: Sources['tickets']): Promise<StoryEvent[]> {
  const all = await tickets.ofPayment(id);
  const events = all.map(async (one) => {
    const { id: ticket, opened_by, opened_at } = one;
    const isOfStrangers = isStrangers(one);
    const detail = writeTicketNumber(ticket);
    const messages = await tickets.messagesOf(ticket);
    const written = messages.flatMap(({ at, author, said }) => {
      if (said) return [eventOf('ticket', at, `said.${said}`, { detail })];
      return author === 'customer'
        ? [eventOf('ticket', at, isOfStrangers ? 'wroteStranger' : 'wrote', { detail })]
        : [];
    });
    const opener = isOfStrangers ? 'stranger' : opened_by;
    const opened = opener === 'care' ? [] : [eventOf('ticket', opened_at, `opened.${opener}`, { detail })];
    return [...opened, ...written];
  });
  return (await Promise.all(events)).flat();
}
