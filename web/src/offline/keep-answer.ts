import { type CallName, callPath } from '@portal/contract/calls.ts';
import type { QueryOf } from '@portal/contract/contract.ts';
import { isDataDear } from './connection.ts';
import type { WorkerMessage } from './worker-scope.ts';

/** Asks the worker, if there is one, to cache a response for offline use. */
export function keepAnswer<N extends CallName>(name: N, query: QueryOf<N>, languageCode: string, slug = ''): void {
  if (isDataDear()) return;
  const address = `${callPath(name, { slug })}?${new URLSearchParams(query as Record<string, string>)}`;
  const content = [{ address, language: languageCode.toLowerCase() }];
  navigator.serviceWorker?.ready.then(({ active }) =>
    active?.postMessage({ kind: 'keep', pages: [], assets: [], content } satisfies WorkerMessage),
  );
}
