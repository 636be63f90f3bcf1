import type { ResultOf } from '@portal/contract/contract.ts';
import type { PaymentState } from '@portal/domain/payment/transitions.ts';
import { isOurTurn, writeTicketNumber } from '@portal/domain/ticket.ts';
import { type Budgets, type Draw, networkDraws } from '../budgets/budgets.service.ts';
import type { Texts } from '../content/content.service.ts';
import { networksOf } from '../http/address-networks.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Visits } from '../http/visits.ts';
import type { Payment, Payments } from '../payments/payments.service.ts';
import { isStrangers, type Message, type Reader, type Tickets } from './tickets.service.ts';

interface TicketRoutes {
  tickets: Tickets;
  payments: Pick<Payments, 'find' | 'idOf'>;
  budgets: Budgets;
  visits: Visits;
  texts: Texts;
  now: () => Date;
}

/** Anybody can create unpaid orders, so there are no tickets about them. */
const unpaid: ReadonlySet<PaymentState> = new Set(['CREATED', 'SUBMITTING', 'AWAITING_PAYER', 'FAILED']);
const mayBeAskedAbout = ({ state, submitted_at }: Payment) => submitted_at !== null || state === 'REVIEW';

export function ticketHandlers({ tickets, payments, budgets, visits, texts, now }: TicketRoutes): Handlers {
  async function paymentOf(tid: string): Promise<Payment> {
    const found = await payments.find((await payments.idOf(tid)) ?? tid);
    if (!found) throw new PortalError('paymentUnknown');
    return found.payment;
  }

  const readerOf = (payment: Payment, headers: Record<string, unknown>, key: string | undefined): Reader => {
    const visit = visits.ofBrowser(headers);
    const thread = visit === null ? undefined : tickets.threadOf(payment.id, visit);
    return { isOwn: visit !== null && visit === payment.visit, key, thread };
  };

  function wordsOf({ said, text }: Message, { details }: Payment, language: string): string {
    const word = said === 'delivered' && details.item.kind === 'bill' ? 'billPaid' : said;
    return word ? texts.text(language, `status.ticket.said.${word}`) : (text ?? '');
  }

  async function viewOf(payment: Payment, reader: Reader, language: string): Promise<ResultOf<'ticket'>> {
    const all = await tickets.ofPayment(payment.id);
    const part = await tickets.read(all, reader);
    // Without a key only tickets of the payer or of ours are visible, never those of strangers.
    const last = part?.ticket ?? all.find((ticket) => !isStrangers(ticket));
    const mayBegin = mayBeAskedAbout(payment);
    if (!last) return { mayWrite: mayBegin, ticket: null };
    // A stranger's conversation starts with their own first message.
    const openedAt = (isStrangers(last) && part?.messages[0]?.at) || last.opened_at;
    return {
      mayWrite: part !== null || mayBegin,
      ticket: {
        number: writeTicketNumber(last.id),
        state: last.state,
        openedAt: openedAt.toISOString(),
        promisedAt: last.promised_at.toISOString(),
        isLate: isOurTurn(last.state) && last.promised_at < now(),
        ...(last.solved_at ? { solvedAt: last.solved_at.toISOString() } : {}),
        ...(part ? { key: tickets.keyOf(last.id, part.thread) } : {}),
        messages: (part?.messages ?? [])
          .map((message) => ({
            at: message.at.toISOString(),
            author: message.author,
            text: wordsOf(message, payment, language),
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
      // Orders can be created for free, so before a payment the client's network is counted.
      const hasPaid = reader.isOwn && !unpaid.has(payment.state);
      const part = await tickets.read(await tickets.ofPayment(payment.id), reader);
      // The key of the payer's own ticket went only to the payer: in our message, or to the browser that paid.
      const isPayers = reader.isOwn || (part !== null && !isStrangers(part.ticket));
      const draws: Draw[] = [
        // Strangers do not use up the payer's budget, and one network gets only a part of the strangers' budget.
        ...(isPayers
          ? [{ budget: 'ticketPayment', subject: `own ${payment.id}` } as const]
          : ([
              { budget: 'ticketPayment', subject: `${payment.id} from ${networksOf(ip).at(-1)}` },
              { budget: 'ticketUnproved', subject: payment.id },
            ] as const)),
        ...(visit === null ? [] : [{ budget: 'ticketVisit', subject: visit } as const]),
        ...(hasPaid ? [] : networkDraws('ticketNetwork', ip)),
        { budget: hasPaid ? 'ticketOwnAll' : 'ticketAll', subject: '' },
      ];
      const writtenBy = await tickets.write(payment.id, {
        text,
        reader,
        async spend(transaction) {
          if (await budgets.take(draws, transaction)) throw new PortalError('tooManyThisHour');
        },
      });
      return viewOf(payment, { ...reader, key: writtenBy }, language);
    },
  };
}
