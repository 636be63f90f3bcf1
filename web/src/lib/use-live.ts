import { transactionStreamPath } from '@portal/contract/calls.ts';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

/**
 * Calls back when the server reports a change of a payment; null listens to nothing. The caller polls as well,
 * perhaps more rarely while this returns true: a proxy may hold the stream back, and a busy server refuses it. A
 * hidden page closes its stream and polls when it is visible again.
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
