import { useEffect, useEffectEvent, useRef } from 'react';

/**
 * Polls while the key stays; null stops it. `poll` returns the milliseconds until the next poll, or null when it is
 * done; polls are counted from 0. The returned function polls at once, in addition (`isExtra`), and so does a connection
 * that is back.
 */
export function usePolling(
  key: string | null,
  poll: (signal: AbortSignal, count: number, isExtra: boolean) => Promise<number | null>,
  firstMs: number,
): () => void {
  const request = useEffectEvent(poll);
  const look = useRef<() => void>(null);
  useEffect(() => {
    if (key === null) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let count = 0;
    let isBusy = false;
    let isAsked = false;
    const start = async (isExtra: boolean) => {
      isBusy = true;
      isAsked = false;
      const delay = await request(abort.signal, count, isExtra);
      if (abort.signal.aborted) return;
      isBusy = false;
      if (!isExtra) count += 1;
      if (delay === null) look.current = null;
      else timer = setTimeout(start, isAsked ? 0 : delay, isAsked);
    };
    // The pending response may be older than the reason to poll.
    look.current = () => {
      isAsked = true;
      if (isBusy) return;
      clearTimeout(timer);
      start(true);
    };
    timer = setTimeout(start, firstMs, false);
    const online = () => look.current?.();
    window.addEventListener('online', online);
    return () => {
      window.removeEventListener('online', online);
      look.current = null;
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, firstMs]);
  return () => look.current?.();
}
