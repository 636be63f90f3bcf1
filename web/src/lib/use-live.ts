import { transactionStreamPath } from '@portal/contract/calls.ts';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

/**
 * Looks as soon as the server says that a payment changed; null listens to nothing. Whoever uses it polls as well, perhaps
 * more rarely while this says true: a proxy may hold the stream back, and a server that has enough of them refuses it. A page
 * that nobody sees holds none, and looks when it is seen again.
 */
export function useLive(transactionId: string | null, look: () => void): RefObject<boolean> {
  const isLive = useRef(false);
  const changed = useEffectEvent(look);
  useEffect(() => {
    if (transactionId === null || typeof EventSource === 'undefined') return;
    let source: EventSource | undefined;
    const end = () => {
      source?.close();
      isLive.current = false;
    };
    const listen = () => {
      end();
      if (document.hidden) return;
      source = new EventSource(`${transactionStreamPath}?tid=${transactionId}`);
      source.onmessage = ({ data }) => {
        isLive.current = true;
        if (data === 'look') changed();
      };
      source.onerror = () => {
        isLive.current = false;
      };
    };
    const shown = () => {
      listen();
      if (!document.hidden) changed();
    };
    listen();
    document.addEventListener('visibilitychange', shown);
    return () => {
      document.removeEventListener('visibilitychange', shown);
      end();
    };
  }, [transactionId]);
  return isLive;
}
