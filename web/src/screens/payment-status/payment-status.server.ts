import type { Loaded, ServerContext } from '../../lib/screen.ts';
import { addressOf, orderOf, type StatusLoaded } from './status-words.ts';

const refreshSeconds = 3;

export async function load({ api, path, query, seal }: ServerContext): Promise<Loaded<StatusLoaded>> {
  const address = addressOf(path, query);
  if (address.txnId === '') return { loaded: { known: { state: 'unasked' } } };
  // Who comes back from a gateway may have paid, or not: the gateway is asked at once.
  const from = query.from === 'gateway' ? ({ from: 'gateway' } as const) : {};
  const answer = await api('transactionFetch', { query: { ...address, ...from } });
  if (answer.ok) {
    const { final, order } = answer.result;
    return {
      loaded: {
        known: { state: 'known', transaction: answer.result },
        ...(order ? { token: seal('order', orderOf(order)) } : {}),
      },
      ...(final ? {} : { refreshSeconds }),
    };
  }
  const missing = answer.code === 'NOT_FOUND' || answer.code === 'MALFORMED';
  return { loaded: { known: { state: missing ? 'missing' : 'failed' } }, status: missing ? 404 : 503 };
}
