import type { ResultOf } from '@portal/contract/contract.ts';
import { isOurTurn, writeTicketNumber } from '@portal/domain/ticket.ts';
import { type Budgets, type Draw, networkDraws } from '../budgets/budgets.service.ts';
import type { Texts } from '../content/content.service.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Visits } from '../http/visits.ts';
import type { Payment, Payments } from '../payments/payments.service.ts';
import type { Message, Reader, Tickets } from './tickets.service.ts';

interface TicketRoutes {
  tickets: Tickets;
  payments: Pick<Payments, 'find' | 'idOf'>;
  budgets: Budgets;
  visits: Visits;
  texts: Texts;
  now: () => Date;
}

/** An order that nobody paid costs nothing to make, so nobody can ask about it. */
const mayBeAskedAbout = ({ state, submitted_at }: Payment) => submitted_at !== null || state === 'REVIEW';

export function ticketHandlers({ tickets, payments, budgets, visits, texts, now }: TicketRoutes): Handlers {
  async function paymentOf(tid: string): Promise<Payment> {
    const found = await payments.find((await payments.idOf(tid)) ?? tid);
    if (!found) throw new PortalError('paymentUnknown');
    return found.payment;
  }

  const readerOf = (payment: Payment, headers: Record<string, unknown>, key: string | undefined): Reader => {
    const visit = visits.ofBrowser(headers);
    return { isOwn: visit !== null && visit === payment.visit, key };
  };

  const wordsOf = ({ said, text }: Message, language: string) =>
    said ? texts.text(language, `status.ticket.said.${said}`) : (text ?? '');

  async function viewOf(payment: Payment, reader: Reader, language: string): Promise<ResultOf<'ticket'>> {
    const all = await tickets.ofPayment(payment.id);
    const last = all.find((ticket) => tickets.mayRead(ticket, reader)) ?? (reader.isOwn ? undefined : all[0]);
    const mayBegin = mayBeAskedAbout(payment);
    if (!last) return { mayWrite: mayBegin, ticket: null };
    const isReader = tickets.mayRead(last, reader);
    const messages = isReader ? await tickets.messagesOf(last.id) : [];
    return {
      mayWrite: isReader || (last.state === 'solved' && mayBegin),
      ticket: {
        number: writeTicketNumber(last.id),
        state: last.state,
        openedAt: last.opened_at.toISOString(),
        promisedAt: last.promised_at.toISOString(),
        isLate: isOurTurn(last.state) && last.promised_at < now(),
        ...(last.solved_at ? { solvedAt: last.solved_at.toISOString() } : {}),
        ...(isReader ? { key: tickets.keyOf(last.id) } : {}),
        messages: messages
          .map((message) => ({
            at: message.at.toISOString(),
            author: message.author,
            text: wordsOf(message, language),
          }))
          .filter(({ text }) => text !== ''),
      },
    };
  }

  return {
    async ticket({ query: { tid, key }, headers, language }) {
      const payment = await paymentOf(tid);
      return viewOf(payment, readerOf(payment, headers, key), language);
    },

    async writeTicket({ body: { tid, key, text }, headers, ip, language }) {
      const payment = await paymentOf(tid);
      if (!mayBeAskedAbout(payment)) throw new PortalError('ticketTooSoon');
      const reader = readerOf(payment, headers, key);
      const visit = visits.ofBrowser(headers);
      const draws: Draw[] = [
        // What strangers write about a payment takes nothing from who paid it.
        { budget: 'ticketPayment', subject: reader.isOwn ? `own ${payment.id}` : payment.id },
        ...(visit === null ? [] : [{ budget: 'ticketVisit', subject: visit } as const]),
        ...(reader.isOwn ? [] : networkDraws('ticketNetwork', ip)),
        { budget: reader.isOwn ? 'ticketOwnAll' : 'ticketAll', subject: '' },
      ];
      const written = await tickets.write(payment.id, {
        text,
        reader,
        async spend(transaction) {
          if (await budgets.take(draws, transaction)) throw new PortalError('tooManyThisHour');
        },
      });
      if (!written) throw new PortalError('ticketElsewhere');
      return viewOf(payment, { ...reader, key: tickets.keyOf(written.id) }, language);
    },
  };
}
