import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
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
import type { Schema } from '../db/schema.ts';
import { endedBefore, periods } from '../retention/retention-periods.ts';
import type { TicketEvents } from './tickets.events.ts';
import type { Executor, Message, Position, Ticket, WaitingTickets } from './tickets.store.ts';
import * as store from './tickets.store.ts';

export type { Message, Ticket, WaitingTickets } from './tickets.store.ts';

interface Dependencies {
  db: Kysely<Schema>;
  /** From the pack: the hours within which customer care answers. */
  answerHours: number;
  secret: string;
  /** Queues the message to the customer that customer care wrote, in the same transaction. */
  notify: (transaction: Executor, told: { paymentId: string; message: string }) => Promise<void>;
  /** Gateways without a refund time: nothing was promised, so no refund is late. */
  untimedRefunds: readonly string[];
  now: () => Date;
  events: TicketEvents;
}

/** A customer who reads a ticket: the browser that paid, or anybody with the key from our message. */
export interface Reader {
  isOwn: boolean;
  key: string | undefined;
  /** This browser's thread in a ticket of strangers; it gives access without a key. */
  thread?: string | undefined;
}

/** A ticket as one reader may see it. */
export interface Conversation {
  ticket: Ticket;
  messages: Message[];
  /** The thread in a stranger's ticket; null if the ticket has only one. */
  thread: string | null;
}

/** An act of customer care, based on this version of the ticket. */
export interface CareAct {
  id: string;
  version: number;
  person: string;
  /** Writes the audit row in the same transaction. */
  record: (transaction: Executor, before: Ticket, after: Ticket) => Promise<void>;
}

/** Somebody else changed the ticket concurrently. */
export class TicketChanged extends Error {}
/** A solved ticket cannot be answered, and an open one cannot be reopened. */
export class TicketStateRefused extends Error {}

/** Opened with no more than the reference, in a browser that did not pay. */
export const isStrangers = ({ opened_by, is_own }: Pick<Ticket, 'opened_by' | 'is_own'>): boolean =>
  opened_by === 'customer' && !is_own;

const hourMs = 3_600_000;
const watchedAtOnce = 100;

export type Tickets = ReturnType<typeof createTickets>;

export function createTickets({ db, secret, now, events, notify, ...deps }: Dependencies) {
  const promise = (at = now()) => new Date(at.getTime() + deps.answerHours * hourMs);
  const keyOf = (id: string, thread: string | null = null) =>
    createHmac('sha256', secret)
      .update(thread === null ? `ticket ${id}` : `ticket ${id} ${thread}`)
      .digest('base64url')
      .slice(0, 16);

  const isKeyOf = (given: string, ticket: Ticket, thread: string | null): boolean => {
    const [right, tried] = [Buffer.from(keyOf(ticket.id, thread)), Buffer.from(given)];
    return tried.length === right.length && timingSafeEqual(tried, right);
  };

  /**
   * Null if the reader may read none of it. The browser that paid does not join a stranger's ticket, since the stranger
   * would read what it writes. Several strangers share one ticket, and each sees only their own thread.
   */
  function partOf(
    ticket: Ticket,
    messages: Message[],
    { isOwn, key = '', thread: ownThread }: Reader,
  ): Conversation | null {
    if (isOwn && !isStrangers(ticket)) return { ticket, messages, thread: null };
    const threads = new Set([null, ...messages.map(({ thread }) => thread)]);
    const thread = [...threads].find((one) => isKeyOf(key, ticket, one) || (one !== null && one === ownThread));
    if (thread === undefined) return null;
    if (!isStrangers(ticket)) return { ticket, messages, thread };
    const isTheirs = (message: Message) => message.author === 'customer' && message.thread === thread;
    const own = messages.slice(Math.max(messages.findIndex(isTheirs), 0));
    return { ticket, messages: own.filter((one) => one.author !== 'customer' || isTheirs(one)), thread };
  }

  /** The newest that the reader may see. */
  async function conversationOf(
    executor: Executor,
    tickets: readonly Ticket[],
    reader: Reader,
  ): Promise<Conversation | null> {
    const messages = await store.messagesOf(
      executor,
      tickets.map(({ id }) => id),
    );
    for (const ticket of tickets) {
      const part = partOf(
        ticket,
        messages.filter(({ ticket_id }) => ticket_id === ticket.id),
        reader,
      );
      if (part) return part;
    }
    return null;
  }

  /** The caller must hold the lock of the payment. */
  async function open(
    transaction: Executor,
    paymentId: string,
    opened: { by: TicketAuthor; isOwn: boolean; state?: TicketState },
  ): Promise<Ticket> {
    const at = now();
    for (;;) {
      const ticket: Ticket = {
        id: Array.from({ length: ticketLength }, () => ticketAlphabet[randomInt(ticketAlphabet.length)]).join(''),
        payment_id: paymentId,
        opened_by: opened.by,
        is_own: opened.isOwn,
        state: opened.state ?? 'new',
        version: 0,
        opened_at: at,
        promised_at: promise(at),
        answered_at: null,
        solved_at: null,
        changed_at: now(),
      };
      if (!(await store.insertTicket(transaction, ticket))) continue;
      events.opened(ticket.id, opened.by);
      return ticket;
    }
  }

  /** Adds a message and updates the ticket: its state, and the time promised for an answer. */
  async function append(
    transaction: Executor,
    ticket: Ticket,
    message: store.Written,
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

  /** The payer's open ticket; strangers have separate ones. */
  const openOf = async (executor: Executor, paymentId: string): Promise<Ticket | undefined> =>
    (await store.ticketsOf(executor, paymentId)).find((ticket) => ticket.state !== 'solved' && !isStrangers(ticket));

  /** An act of customer care with optimistic locking. */
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

  /** Notes a late promise about money in the payment's open ticket, or in a new one; once, until it is kept. */
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

  /** The money has arrived: solves tickets that the portal opened, unless a customer wrote in them. */
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
    threadOf: (paymentId: string, visit: string): string =>
      createHmac('sha256', secret).update(`ticket thread ${paymentId} ${visit}`).digest('base64url').slice(0, 16),
    read: (tickets: readonly Ticket[], reader: Reader) => conversationOf(db, tickets, reader),
    find: (id: string) => store.findTicket(db, id),
    /** Newest first. */
    ofPayment: (paymentId: string) => store.ticketsOf(db, paymentId),
    messagesOf: (id: string): Promise<Message[]> => store.messagesOf(db, [id]),
    /** The first message of each of these tickets. */
    async firstOf(ids: readonly string[]): Promise<Map<string, Message>> {
      const messages = await store.messagesOf(db, ids);
      return new Map(messages.toReversed().map((message) => [message.ticket_id, message]));
    },
    list: (options: { state?: TicketState | undefined; after?: Position | undefined; most: number }) =>
      store.listTickets(db, options),
    waiting: (): Promise<WaitingTickets[]> => store.countOpen(db),

    /**
     * Adds a customer's message to the last ticket that they may read, or to a new one. A browser that did not pay may
     * still be the payer's, so the tickets of others do not prevent it; customer care has one ticket for all of them. A
     * repeated text is a retry and is not added again. Returns the key of the conversation.
     */
    async write(
      paymentId: string,
      { text, reader, spend }: { text: string; reader: Reader; spend: (transaction: Executor) => Promise<void> },
    ): Promise<string> {
      return db.transaction().execute(async (transaction) => {
        await store.lockPayment(transaction, paymentId);
        const all = await store.ticketsOf(transaction, paymentId);
        const known = await conversationOf(transaction, all, reader);
        const earlier = known?.messages.at(-1);
        if (known && earlier?.author === 'customer' && earlier.text === text)
          return keyOf(known.ticket.id, known.thread);
        await spend(transaction);
        const thread = known
          ? known.thread
          : reader.isOwn
            ? null
            : (reader.thread ?? randomBytes(6).toString('base64url'));
        const joined = reader.isOwn ? undefined : all.find((one) => one.state !== 'solved' && isStrangers(one));
        const opened = { by: 'customer', isOwn: reader.isOwn } as const;
        const ticket = known?.ticket ?? joined ?? (await open(transaction, paymentId, opened));
        await append(transaction, ticket, { author: 'customer', text, thread });
        return keyOf(ticket.id, thread);
      });
    },

    /** Customer care opens a ticket, for example after a call; null if one is open. */
    openByCare(
      paymentId: string,
      { text, person, record }: Pick<CareAct, 'person'> & { text: string; record: CareAct['record'] },
    ): Promise<Ticket | null> {
      return db.transaction().execute(async (transaction) => {
        await store.lockPayment(transaction, paymentId);
        if (await openOf(transaction, paymentId)) return null;
        const before = await open(transaction, paymentId, { by: 'care', isOwn: false });
        // The customer was told that somebody looks into it, so it is our turn.
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
        // The answer to a stranger is not sent to the payer; the stranger reads it by the link.
        if (!isStrangers(before)) await notify(transaction, { paymentId: before.payment_id, message });
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
        const isSecond = !isStrangers(before) && (await openOf(transaction, before.payment_id)) !== undefined;
        if (before.state !== 'solved' || isSecond) throw new TicketStateRefused();
        return change(transaction, before, { state: 'waitingForUs', solved_at: null, promised_at: promise() });
      }),

    /** Customer care's text, for the message to the customer; null if it was deleted. */
    async written(message: string): Promise<{ ticket: Ticket; text: string } | null> {
      const found = await store.findMessage(db, message);
      const ticket = found && (await store.findTicket(db, found.ticket_id));
      return found?.text && ticket ? { ticket, text: found.text } : null;
    },

    /** Runs in every process; the lock of each payment serialises them. */
    async watchMoney(): Promise<void> {
      const late = { now: now(), untimed: deps.untimedRefunds, most: watchedAtOnce };
      for (const id of await store.unnoticed(db, late)) await noticeLate(id);
      for (const { id } of await store.settledPromises(db, watchedAtOnce)) await settleLate(id);
    },

    deleteExpired: () => store.forgetMessages(db, endedBefore(periods.ticket_messages, now())),
  };
}
