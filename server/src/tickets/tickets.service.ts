import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import {
  afterWriting,
  isOurTurn,
  lateCause,
  moneyEnds,
  type PortalWord,
  type TicketAuthor,
  type TicketState,
  ticketAlphabet,
  ticketLength,
} from '@portal/domain/ticket.ts';
import type { Kysely } from 'kysely';
import { endedBefore, periods } from '../db/periods.ts';
import type { Schema } from '../db/schema.ts';
import type { TicketEvents } from './tickets.events.ts';
import type { Executor, Message, Position, Ticket, WaitingTickets } from './tickets.store.ts';
import * as store from './tickets.store.ts';

export type { ListedTicket, Message, Ticket, WaitingTickets } from './tickets.store.ts';

interface Dependencies {
  db: Kysely<Schema>;
  /** Of the pack: within so many hours customer care answers. */
  answerHours: number;
  secret: string;
  /** Tells the customer that customer care wrote; queued with what it is about. */
  notify: (transaction: Executor, told: { paymentId: string; message: string }) => Promise<void>;
  /** Gateways that have not told us by when money is back: nothing was promised then. */
  untimedRefunds: readonly string[];
  now: () => Date;
  events: TicketEvents;
}

/** Who looks at a ticket from outside: the browser that paid, or somebody with the key from our message. */
export interface Reader {
  isOwn: boolean;
  key: string | undefined;
}

/** Somebody of customer care, who saw the ticket at this version. */
export interface CareAct {
  id: string;
  version: number;
  person: string;
  /** Written down with the act, or not at all. */
  record: (transaction: Executor, before: Ticket, after: Ticket) => Promise<void>;
}

/** Somebody else changed the ticket meanwhile. */
export class TicketChanged extends Error {}
/** A ticket that is solved takes no answer, one that is open is not opened again. */
export class TicketStateRefused extends Error {}

/** Opened by somebody who did not pay in that browser, and knew no more than the reference. */
export const isStrangers = ({ opened_by, is_own }: Pick<Ticket, 'opened_by' | 'is_own'>): boolean =>
  opened_by === 'customer' && !is_own;

const hourMs = 3_600_000;
const watchedAtOnce = 100;

export type Tickets = ReturnType<typeof createTickets>;

export function createTickets({ db, secret, now, events, notify, ...deps }: Dependencies) {
  const promise = () => new Date(now().getTime() + deps.answerHours * hourMs);
  const keyOf = (id: string) => createHmac('sha256', secret).update(`ticket ${id}`).digest('base64url').slice(0, 16);

  /** The browser that paid is not led into a stranger's: it would write there, and the stranger would read it. */
  function mayRead(ticket: Ticket, { isOwn, key }: Reader): boolean {
    const right = Buffer.from(keyOf(ticket.id));
    const given = Buffer.from(key ?? '');
    return (isOwn && !isStrangers(ticket)) || (given.length === right.length && timingSafeEqual(given, right));
  }

  /** The caller holds the lock of the payment. */
  async function open(
    transaction: Executor,
    paymentId: string,
    opened: { by: TicketAuthor; isOwn: boolean; state?: TicketState },
  ): Promise<Ticket> {
    for (;;) {
      const ticket: Ticket = {
        id: Array.from({ length: ticketLength }, () => ticketAlphabet[randomInt(ticketAlphabet.length)]).join(''),
        payment_id: paymentId,
        opened_by: opened.by,
        is_own: opened.isOwn,
        state: opened.state ?? 'new',
        version: 0,
        opened_at: now(),
        promised_at: promise(),
        answered_at: null,
        solved_at: null,
        changed_at: now(),
      };
      if (!(await store.insertTicket(transaction, ticket))) continue;
      events.opened(ticket.id, opened.by);
      return ticket;
    }
  }

  /** What the ticket becomes by it: whose turn it is, since when, and by when it is promised. */
  async function append(
    transaction: Executor,
    ticket: Ticket,
    message: { author: TicketAuthor; person?: string; said?: PortalWord; text?: string },
    patch: Partial<Ticket> = {},
  ): Promise<{ ticket: Ticket; message: string }> {
    const state = afterWriting(ticket.state, message.author);
    const comesToUs = isOurTurn(state) && !isOurTurn(ticket.state);
    const changed = await store.changeTicket(transaction, ticket, {
      state,
      changed_at: now(),
      ...(comesToUs ? { promised_at: promise(), solved_at: null } : {}),
      ...(message.author === 'care' && !ticket.answered_at ? { answered_at: now() } : {}),
      ...patch,
    });
    if (!changed) throw new TicketChanged();
    return { ticket: changed, message: await store.insertMessage(transaction, changed, { at: now(), ...message }) };
  }

  /** Of the payer's own; a stranger's stands beside it. */
  const openOf = async (executor: Executor, paymentId: string, ofStranger = false): Promise<Ticket | undefined> =>
    (await store.ticketsOf(executor, paymentId)).find(
      (ticket) => ticket.state !== 'solved' && isStrangers(ticket) === ofStranger,
    );

  /** One act of customer care on a ticket that nobody changed since they saw it. */
  function act(
    { id, version, record }: CareAct,
    change: (transaction: Executor, ticket: Ticket) => Promise<Ticket>,
  ): Promise<Ticket> {
    return db.transaction().execute(async (transaction) => {
      const seen = await store.findTicket(transaction, id);
      if (seen) await store.lockPayment(transaction, seen.payment_id);
      const before = await store.findTicket(transaction, id);
      if (!before || before.version !== version) throw new TicketChanged();
      const after = await change(transaction, before);
      await record(transaction, before, after);
      return after;
    });
  }

  async function change(transaction: Executor, ticket: Ticket, patch: Partial<Ticket>): Promise<Ticket> {
    const changed = await store.changeTicket(transaction, ticket, { changed_at: now(), ...patch });
    if (!changed) throw new TicketChanged();
    return changed;
  }

  /** A promise about money is late: said in the open ticket of the payment, or in a new one. Once until it is kept. */
  function noticeLate(paymentId: string): Promise<void> {
    return db.transaction().execute(async (transaction) => {
      await store.lockPayment(transaction, paymentId);
      const payment = await store.promisesOf(transaction, paymentId);
      const isRefundTimed = !deps.untimedRefunds.includes(payment.gateway);
      const cause = lateCause(payment, { now: now(), isRefundTimed });
      const noticed = await store.openCauses(transaction, paymentId);
      if (!cause || noticed.some((one) => one.cause === cause)) return;
      const ticket =
        (await openOf(transaction, paymentId)) ?? (await open(transaction, paymentId, { by: 'portal', isOwn: false }));
      await append(transaction, ticket, { author: 'portal', said: cause });
      await store.noteCause(transaction, { paymentId, cause, ticketId: ticket.id, at: now() });
      events.late(paymentId, cause);
    });
  }

  /** The money is where it belongs: what the portal opened by itself is solved, unless somebody asked something in it. */
  function settleLate(paymentId: string): Promise<void> {
    return db.transaction().execute(async (transaction) => {
      await store.lockPayment(transaction, paymentId);
      const { state } = await store.promisesOf(transaction, paymentId);
      const end = moneyEnds[state as keyof typeof moneyEnds] as PortalWord | undefined;
      const causes = await store.openCauses(transaction, paymentId);
      if (!end || causes.length === 0) return;
      await store.settleCauses(transaction, paymentId, now());
      for (const id of new Set(causes.map(({ ticket_id }) => ticket_id))) {
        const ticket = await store.findTicket(transaction, id);
        if (!ticket || ticket.state === 'solved') continue;
        const messages = await store.messagesOf(transaction, [id]);
        const isOurs = ticket.opened_by === 'portal' && messages.every(({ author }) => author !== 'customer');
        const solved = isOurs ? ({ state: 'solved', solved_at: now() } as const) : {};
        await append(transaction, ticket, { author: 'portal', said: end }, solved);
      }
    });
  }

  return {
    keyOf,
    mayRead,
    find: (id: string) => store.findTicket(db, id),
    /** The newest first. */
    ofPayment: (paymentId: string) => store.ticketsOf(db, paymentId),
    messagesOf: (id: string): Promise<Message[]> => store.messagesOf(db, [id]),
    list: (options: { state?: TicketState | undefined; after?: Position | undefined; most: number }) =>
      store.listTickets(db, options),
    waiting: (): Promise<WaitingTickets[]> => store.countOpen(db),

    /**
     * What a customer wrote: into the last ticket that they may read, else into a new one. Null for who did not pay here
     * where one is open. The same text twice is one that was sent twice.
     */
    async write(
      paymentId: string,
      { text, reader, spend }: { text: string; reader: Reader; spend: (transaction: Executor) => Promise<void> },
    ): Promise<Ticket | null> {
      return db.transaction().execute(async (transaction) => {
        await store.lockPayment(transaction, paymentId);
        const all = await store.ticketsOf(transaction, paymentId);
        const last = all.find((ticket) => mayRead(ticket, reader));
        if (!last && !reader.isOwn && all.some(({ state }) => state !== 'solved')) return null;
        const earlier = last && (await store.messagesOf(transaction, [last.id])).at(-1);
        if (last && earlier?.author === 'customer' && earlier.text === text) return last;
        await spend(transaction);
        const opened = { by: 'customer', isOwn: reader.isOwn } as const;
        const ticket = last ?? (await open(transaction, paymentId, opened));
        return (await append(transaction, ticket, { author: 'customer', text })).ticket;
      });
    },

    /** Customer care opens one, about what it was told or has to tell; null where one is open. */
    openByCare(
      paymentId: string,
      { text, person, record }: Pick<CareAct, 'person'> & { text: string; record: CareAct['record'] },
    ): Promise<Ticket | null> {
      return db.transaction().execute(async (transaction) => {
        await store.lockPayment(transaction, paymentId);
        if (await openOf(transaction, paymentId)) return null;
        const before = await open(transaction, paymentId, { by: 'care', isOwn: false });
        // Whoever was told that somebody looks waits for us.
        const { ticket, message } = await append(
          transaction,
          before,
          { author: 'care', person, text },
          { state: 'waitingForUs', answered_at: null },
        );
        await notify(transaction, { paymentId, message });
        await record(transaction, before, ticket);
        return ticket;
      });
    },

    answer: (care: CareAct, text: string): Promise<Ticket> =>
      act(care, async (transaction, before) => {
        if (before.state === 'solved') throw new TicketStateRefused();
        const { ticket, message } = await append(transaction, before, { author: 'care', person: care.person, text });
        await notify(transaction, { paymentId: before.payment_id, message });
        if (!before.answered_at) events.answered(ticket);
        return ticket;
      }),

    solve: (care: CareAct): Promise<Ticket> =>
      act(care, async (transaction, before) => {
        if (before.state === 'solved') throw new TicketStateRefused();
        const ticket = await change(transaction, before, { state: 'solved', solved_at: now() });
        events.solved(ticket);
        return ticket;
      }),

    reopen: (care: CareAct): Promise<Ticket> =>
      act(care, async (transaction, before) => {
        if (before.state !== 'solved' || (await openOf(transaction, before.payment_id, isStrangers(before))))
          throw new TicketStateRefused();
        return change(transaction, before, { state: 'waitingForUs', solved_at: null, promised_at: promise() });
      }),

    /** What care wrote, for the message that tells of it; gone where it was erased meanwhile. */
    async written(message: string): Promise<{ ticket: Ticket; text: string } | null> {
      const found = await store.findMessage(db, message);
      const ticket = found && (await store.findTicket(db, found.ticket_id));
      return found?.text && ticket ? { ticket, text: found.text } : null;
    },

    /** Every process does it, and the lock of a payment keeps them apart. */
    async watchMoney(): Promise<void> {
      const late = { now: now(), untimed: deps.untimedRefunds, most: watchedAtOnce };
      for (const id of await store.unnoticed(db, late)) await noticeLate(id);
      for (const { id } of await store.keptPromises(db, watchedAtOnce)) await settleLate(id);
    },

    forgetOld: () => store.forgetMessages(db, endedBefore(periods.ticket_messages, now())),
  };
}
