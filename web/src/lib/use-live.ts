import { transactionStreamPath } from '@portal/contract/calls.ts';
import { useEffect, useEffectEvent } from 'react';

/**
 * Looks as soon as the server says that a payment changed; null listens to nothing. Whoever uses it polls as well: a proxy
 * may hold the stream back, and a server that has enough of them refuses it. A page that nobody sees holds none, and looks
 * when it is seen again.
 */
export function useLive(transactionId: string | null, look: () => void): void {
  const changed = useEffectEvent(look);
  useEffect(() => {
    if (transactionId === null || typeof EventSource === 'undefined') return;
    let source: EventSource | undefined;
    const listen = () => {
      source?.close();
      if (document.hidden) return;
      source = new EventSource(`${transactionStreamPath}?tid=${transactionId}`);
      source.onmessage = () => changed();
    };
    const shown = () => {
      listen();
      if (!document.hidden) changed();
    };
    listen();
    document.addEventListener('visibilitychange', shown);
    return () => {
      document.removeEventListener('visibilitychange', shown);
      source?.close();
    };
  }, [transactionId]);
}
