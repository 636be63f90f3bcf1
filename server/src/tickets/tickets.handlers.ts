import type { AuditAct } from '@portal/contract/console/acts.ts';
import { fromWire, maskNational } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { takenOtherwise } from '@portal/domain/payment/ledger.ts';
import { readTicketNumber, writeTicketNumber } from '@portal/domain/ticket.ts';
import type { Audit } from '../audit/audit.service.ts';
import { type ConsoleHandlers, ConsoleRefusal, type Signed } from '../console/console.service.ts';
import { beginningOf } from '../db/personal-data.ts';
import type { Notices } from '../notices/notices.service.ts';
import type { Payments } from '../payments/payments.service.ts';
import type { PaymentRecord } from '../receipts/receipts.service.ts';
import {
  type CareAct,
  isStrangers,
  type Ticket,
  TicketChanged,
  TicketStateRefused,
  type Tickets,
} from './tickets.service.ts';

interface TicketsDesk {
  tickets: Tickets;
  payments: Pick<Payments, 'find'>;
  notices: Pick<Notices, 'waysOf'>;
  audit: Audit;
  pack: Pick<OperatorPack, 'numbering'>;
}

const pageRows = 50;

/** Customer care's handling of tickets. Texts are only in the ticket; the audit records that one was written. */
export function ticketConsoleHandlers({ tickets, payments, notices, audit, pack }: TicketsDesk) {
  async function paymentOf(id: string): Promise<PaymentRecord> {
    const found = await payments.find(id);
    if (!found) throw new ConsoleRefusal('notFound');
    return found;
  }

  async function existing(id: string): Promise<Ticket> {
    const ticket = await tickets.find(readTicketNumber(id) ?? '');
    if (!ticket) throw new ConsoleRefusal('notFound');
    return ticket;
  }

  const listed = (ticket: Ticket & { reference: string }) => ({
    id: ticket.id,
    number: writeTicketNumber(ticket.id),
    state: ticket.state,
    openedBy: ticket.opened_by,
    isOwn: ticket.is_own,
    paymentId: ticket.payment_id,
    reference: ticket.reference,
    openedAt: ticket.opened_at.toISOString(),
    promisedAt: ticket.promised_at.toISOString(),
    answeredAt: ticket.answered_at?.toISOString() ?? null,
    solvedAt: ticket.solved_at?.toISOString() ?? null,
  });

  const recorded =
    ({ actor }: Signed, act: AuditAct, reason?: string): CareAct['record'] =>
    (transaction, before, after) =>
      audit.write(transaction, actor, {
        act,
        subject: { kind: 'payment', id: after.payment_id },
        before: { ticket: before.id, state: before.state },
        after: { ticket: after.id, state: after.state },
        reason,
      });

  async function orRefused(act: () => Promise<unknown>): Promise<null> {
    try {
      await act();
      return null;
    } catch (error) {
      if (error instanceof TicketChanged) throw new ConsoleRefusal('changed');
      if (error instanceof TicketStateRefused) throw new ConsoleRefusal('notPossible');
      throw error;
    }
  }

  return {
    async tickets({ state, after }) {
      const rows = await tickets.list({ state, after: positionOf(after), most: pageRows + 1 });
      const page = rows.slice(0, pageRows);
      const last = page.at(-1);
      const first = await tickets.firstOf(page.map(({ id }) => id));
      return {
        tickets: page.map((ticket) => {
          const { text = null, said = null } = first.get(ticket.id) ?? {};
          const payment = { amount: ticket.amount, currency: ticket.currency, taken: takenOtherwise(ticket) };
          return { ...listed(ticket), beginning: text && beginningOf(text), said, payment };
        }),
        next: rows.length > pageRows && last ? `${last.promised_at.toISOString()} ${last.id}` : null,
      };
    },

    async ticket({ id }, { actor }) {
      const ticket = await existing(id);
      // A ticket has personal data: the audit row is written before it is shown.
      await audit.writeLooked(actor, { act: 'ticket.read', subject: { kind: 'ticket', id: ticket.id } });
      const record = await paymentOf(ticket.payment_id);
      const { payment } = record;
      const messages = await tickets.messagesOf(ticket.id);
      const writers = [...new Set(messages.flatMap(({ thread }) => thread ?? []))];
      const { state, amount, currency, msisdn } = payment;
      return {
        ...listed({ ...ticket, reference: payment.short_reference }),
        version: ticket.version,
        payment: {
          state,
          amount,
          currency,
          taken: takenOtherwise(payment),
          number: msisdn && maskNational(fromWire(msisdn), pack.numbering.groups),
        },
        toldBy: isStrangers(ticket) ? [] : notices.waysOf(record, 'careWrote'),
        messages: messages.map(({ at, author, person, thread, said, text }) => ({
          at: at.toISOString(),
          author,
          person,
          writer: thread === null ? null : writers.indexOf(thread) + 1,
          said,
          text,
        })),
      };
    },

    async openTicket({ payment, text }, signed) {
      const found = await paymentOf(payment);
      const record = recorded(signed, 'ticket.opened');
      const opened = await tickets.openByCare(found.payment.id, { text, person: signed.email, record });
      if (!opened) throw new ConsoleRefusal('ticketOpen');
      return { id: opened.id, toldBy: notices.waysOf(found, 'careWrote') };
    },

    async answerTicket({ id, version, text }, signed) {
      const care = { id: (await existing(id)).id, version, person: signed.email };
      return orRefused(() => tickets.answer({ ...care, record: recorded(signed, 'ticket.answered') }, text));
    },

    async solveTicket({ id, version }, signed) {
      const care = { id: (await existing(id)).id, version, person: signed.email };
      return orRefused(() => tickets.solve({ ...care, record: recorded(signed, 'ticket.solved') }));
    },

    async reopenTicket({ id, version, reason }, signed) {
      const care = { id: (await existing(id)).id, version, person: signed.email };
      return orRefused(() => tickets.reopen({ ...care, record: recorded(signed, 'ticket.reopened', reason) }));
    },
  } satisfies ConsoleHandlers;
}

/** Parses the cursor of the next page. */
function positionOf(after: string | undefined): { at: Date; id: string } | undefined {
  if (after === undefined) return undefined;
  const [time = '', id = ''] = after.split(' ');
  const at = new Date(time);
  if (Number.isNaN(at.getTime()) || !readTicketNumber(id)) throw new ConsoleRefusal('invalid', { field: 'after' });
  return { at, id };
}
