import { isOurTurn, type LateCause, type TicketAuthor } from '@portal/domain/ticket.ts';
import type { Logger } from '../http/logging.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Ticket, WaitingTickets } from './tickets.store.ts';

export type TicketEvents = ReturnType<typeof ticketEvents>;

const seconds = (from: Date, to: Date | null) => Math.round(((to ?? from).getTime() - from.getTime()) / 1000);

/** Log and metrics have a ticket's number and a payment's id, never what anybody wrote. */
export function ticketEvents(log: Logger, metrics: Metrics) {
  const opened = metrics.counter('portal_tickets_opened_total', 'Tickets by who opened them', ['by']);
  const ended = metrics.counter('portal_tickets_ended_total', 'Tickets that got their first answer, or were solved', [
    'as',
  ]);
  return {
    opened(id: string, by: TicketAuthor) {
      opened.inc({ by });
      log.info({ ticket: id, by }, 'ticket opened');
    },
    late(payment: string, cause: LateCause) {
      log.warn({ payment, cause }, 'a promise about money is late');
    },
    answered({ id, opened_at, answered_at }: Ticket) {
      ended.inc({ as: 'answered' });
      log.info({ ticket: id, seconds: seconds(opened_at, answered_at) }, 'ticket answered');
    },
    solved({ id, opened_at, solved_at }: Ticket) {
      ended.inc({ as: 'solved' });
      log.info({ ticket: id, seconds: seconds(opened_at, solved_at) }, 'ticket solved');
    },
  };
}

/** Open tickets, counted on each scrape. */
export function gaugeTickets(
  metrics: Metrics,
  tickets: { waiting: () => Promise<WaitingTickets[]> },
  now: () => Date,
): void {
  // If the database is down, the other metrics matter most, so the scrape must not fail.
  const waiting = () => tickets.waiting().catch(() => []);
  const open = metrics.gauge(
    'portal_open_tickets',
    'Tickets that are not solved, by whose turn it is',
    ['state'],
    async () => {
      const found = await waiting();
      open.reset();
      for (const { state, count } of found) open.set({ state }, count);
    },
  );
  const late = metrics.gauge(
    'portal_tickets_late_seconds',
    'How long customer care is behind its oldest promise of an answer',
    [],
    async () => {
      const ours = (await waiting()).filter(({ state }) => isOurTurn(state));
      late.set(
        Math.max(0, ...ours.map(({ promisedAt }) => Math.round((now().getTime() - promisedAt.getTime()) / 1000))),
      );
    },
  );
}
