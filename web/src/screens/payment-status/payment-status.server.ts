import type { LoadContext, Loaded } from '../../lib/screen.ts';
import { addressOf, type StatusLoaded } from './status-words.ts';

const refreshSeconds = 3;

export async function load({ api, path, query }: LoadContext): Promise<Loaded<StatusLoaded>> {
  const address = addressOf(path, query);
  const answer = address.txnId ? await api('transactionFetch', { query: address }) : null;
  if (answer?.ok)
    return {
      loaded: { known: { state: 'known', transaction: answer.result } },
      noindex: true,
      ...(answer.result.final ? {} : { refreshSeconds }),
    };
  const missing = !answer || answer.code === 'NOT_FOUND' || answer.code === 'MALFORMED';
  return { loaded: { known: { state: missing ? 'missing' : 'failed' } }, status: missing ? 404 : 503, noindex: true };
}
