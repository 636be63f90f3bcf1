import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { type PaymentReason, paymentReasons } from '@portal/domain/payment/reasons.ts';
import { writeTicketNumber } from '@portal/domain/ticket.ts';
import type { Kysely } from 'kysely';
import type { Audit } from '../../audit/audit.service.ts';
import type { Schema } from '../../db/schema.ts';
import type { Notices } from '../../notices/notices.service.ts';
import type { Risk } from '../../risk/risk.service.ts';
import type { Tickets } from '../../tickets/tickets.service.ts';
import type { StoredEvidence } from '../core/payments.store.ts';
import * as desk from './payments.desk.store.ts';

type StoryEvent = ConsoleResult<'payment'>['events'][number];

interface Sources {
  db: Kysely<Schema>;
  risk: Pick<Risk, 'decisionsOf'>;
  audit: Pick<Audit, 'list'>;
  tickets: Pick<Tickets, 'ofPayment' | 'messagesOf'>;
  notices: Pick<Notices, 'sentAbout'>;
  evidence: StoredEvidence[];
}

const shownActs = 50;

/** One event; what a source has not is left out. */
const eventOf = (
  kind: StoryEvent['kind'],
  at: Date,
  what: string,
  more: Partial<Pick<StoryEvent, 'codes' | 'by' | 'detail' | 'amount' | 'currency'>> = {},
): StoryEvent => ({
  kind,
  at: at.toISOString(),
  what,
  codes: [],
  by: null,
  detail: null,
  amount: null,
  currency: null,
  ...more,
});

const isReason = (text: string | null): text is PaymentReason => paymentReasons.includes(text as PaymentReason);
const reasonCodes = (reason: string | null) => (isReason(reason) ? [`reason.${reason}`] : []);

/** All that happened to one payment, from every place that knows of it, in one order. */
export async function storyOf(id: string, sources: Sources): Promise<StoryEvent[]> {
  const { db, risk, audit, tickets, notices, evidence } = sources;
  const [moves, postings, verdicts, messages, acts, asked] = await Promise.all([
    desk.movesOf(db, id),
    desk.postingsOf(db, id),
    risk.decisionsOf(id),
    notices.sentAbout(id),
    audit.list(shownActs, { about: id }),
    ticketEvents(id, tickets),
  ]);
  const events = [
    ...moves.map(({ at, to, reason, by, note }) =>
      eventOf('state', at, to, { codes: reasonCodes(reason), by, detail: note }),
    ),
    // What a provider's refusal means is one of our reasons; its own words stand beside it.
    ...evidence.map(({ at, call, answer, amount, currency, receipt, detail }) =>
      eventOf('evidence', at, `${call}.${answer}`, {
        codes: reasonCodes(detail),
        detail: [receipt, isReason(detail) ? null : detail].filter(Boolean).join(' · ') || null,
        amount,
        currency,
      }),
    ),
    ...postings.map(({ at, kind, amount, currency }) => eventOf('posting', at, kind, { amount, currency })),
    ...verdicts.map(({ at, decision, rule }) => eventOf('risk', at, decision, { codes: rule ? [`rule.${rule}`] : [] })),
    ...messages.map(({ at, kind, way, outcome }) =>
      eventOf('message', at, kind, { codes: [`way.${way}`, `outcome.${outcome}`] }),
    ),
    ...asked,
    ...acts.map(({ at, act, person, reason }) => eventOf('audit', at, act, { by: person, detail: reason })),
  ];
  return events.sort((one, other) => one.at.localeCompare(other.at));
}

/** What customer care did stands in the audit; here is the rest. Nothing that anybody wrote is part of it. */
async function ticketEvents(id: string, tickets: Sources['tickets']): Promise<StoryEvent[]> {
  const all = await tickets.ofPayment(id);
  const events = all.map(async ({ id: ticket, opened_by, opened_at }) => {
    const detail = writeTicketNumber(ticket);
    const messages = await tickets.messagesOf(ticket);
    const written = messages.flatMap(({ at, author, said }) => {
      if (said) return [eventOf('ticket', at, `said.${said}`, { detail })];
      return author === 'customer' ? [eventOf('ticket', at, 'wrote', { detail })] : [];
    });
    const opened = opened_by === 'care' ? [] : [eventOf('ticket', opened_at, `opened.${opened_by}`, { detail })];
    return [...opened, ...written];
  });
  return (await Promise.all(events)).flat();
}
