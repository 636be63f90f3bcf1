import { paths, withQuery } from '@portal/domain/paths.ts';
import { ticketText } from '@portal/domain/ticket.ts';
import type { Acted, ActionContext, Loaded, ServerContext } from '../../lib/screen.ts';
import { addressOf, orderOf, type StatusLoaded } from './status-words.ts';

const refreshSeconds = 3;

export async function load({ api, path, query, seal }: ServerContext): Promise<Loaded<StatusLoaded>> {
  const address = addressOf(path, query);
  if (address.txnId === '') return { loaded: { known: { state: 'unasked' } } };
  // After a return from a gateway the payment may be paid or not: the gateway is asked at once.
  const from = query.from === 'gateway' ? ({ from: 'gateway' } as const) : {};
  const answer = await api('transactionFetch', { query: { ...address, ...from } });
  if (answer.ok) {
    const { final, order, transactionId: tid } = answer.result;
    const ticket = await api('ticket', { query: { tid, ...keyIn(query) } });
    return {
      loaded: {
        known: { state: 'known', transaction: answer.result },
        ticket: ticket.ok ? ticket.result : undefined,
        ...(order ? { token: seal('order', orderOf(order)) } : {}),
      },
      // A reload would discard what is being written on the page.
      ...(final || query.ask ? {} : { refreshSeconds }),
    };
  }
  const missing = answer.code === 'NOT_FOUND' || answer.code === 'MALFORMED';
  return { loaded: { known: { state: missing ? 'missing' : 'failed' } }, status: missing ? 404 : 503 };
}

const keyIn = ({ ticket }: Record<string, string>) => (ticket ? { key: ticket.slice(0, 32) } : {});

/** Posts the question about a payment from its status page. */
export async function action({ api, path, query, form }: ActionContext): Promise<Acted> {
  const { txnId } = addressOf(path, query);
  const { text = '' } = form;
  const refused = (error: { key: string } | { text: string }) => ({
    form: { values: { text }, errors: { text: error } },
  });
  if (text.trim().length < ticketText.least) return refused({ key: 'status.ticket.short' });
  const answer = await api('writeTicket', {
    body: { tid: txnId, text: text.slice(0, ticketText.most), ...keyIn(query) },
  });
  if (!answer.ok) return refused({ text: answer.message });
  const ticket = answer.result.ticket?.key;
  return { redirect: `${withQuery(paths.paymentStatus, { id: txnId, ticket, sent: '1' })}#question` };
}
