import type { LoadContext, Loaded } from '../../lib/screen.ts';
import { type StatusLoaded, transactionIdOf } from './payment-status.screen.tsx';

const refreshSeconds = 3;

export async function load({ api, path, query }: LoadContext): Promise<Loaded<StatusLoaded>> {
  const id = transactionIdOf(path, query);
  const extra = Object.fromEntries(['channel', 'pg'].flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
  const answer = id ? await api('transactionFetch', { query: { txnId: id, ...extra } }) : null;
  if (answer?.ok) {
    const isFinal = answer.result.final;
    return {
      loaded: { known: { state: 'known', transaction: answer.result } },
      noindex: true,
      ...(isFinal ? {} : { refreshSeconds }),
    };
  }
  const missing = !answer || answer.code === 'NOT_FOUND' || answer.code === 'MALFORMED';
  return { loaded: { known: { state: missing ? 'missing' : 'failed' } }, status: missing ? 404 : 503, noindex: true };
}
