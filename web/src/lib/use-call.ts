import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Answer, Failure } from './api.ts';

export type Call<T> =
  /** Nothing is asked for: there is no key. */
  | { state: 'idle' }
  | { state: 'loading' }
  | { state: 'failed'; failure: Failure }
  | { state: 'loaded'; result: T; keptAt?: string | undefined };

/** An answer, and the key it answers. */
export interface Keyed<T> {
  key: string;
  answer: Answer<T>;
}

/** What a screen's `load` gives: it is there, or on its way. */
export type Loadable<T> = Keyed<T> | Promise<Keyed<T> | undefined>;

export interface CallOptions<T> {
  /** What `load` gave of it: that is not requested again. */
  initial?: Loadable<T> | null | undefined;
  /** How long to wait for a newer key first. */
  debounceMs?: number;
  onFailed?: (failure: Failure) => void;
}

/**
 * A request that a component makes by itself, once for each key; null makes none. A newer key, and leaving, abort it. What
 * failed or hangs is requested again when the connection is back, and by `retry`; what was loaded stays.
 */
export function useCall<T>(
  key: string | null,
  call: (signal: AbortSignal) => Promise<Answer<T>>,
  { initial, debounceMs, onFailed }: CallOptions<T> = {},
): Call<T> & { retry: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [coming] = useState(initial instanceof Promise ? initial : null);
  const [settled, setSettled] = useState(initial && !(initial instanceof Promise) ? { ...initial, attempt } : null);
  const answer = settled?.key === key && settled.attempt === attempt ? settled.answer : null;
  const isSettled = answer !== null;
  const retry = () => setAttempt(attempt + 1);
  const request = useEffectEvent(call);
  const failed = useEffectEvent((failure: Failure) => onFailed?.(failure));
  const online = useEffectEvent(() => {
    if (!answer?.ok) retry();
  });

  useEffect(() => {
    if (key === null || isSettled) return;
    const abort = new AbortController();
    const start = async () => {
      const loaded = coming && attempt === 0 ? await coming : null;
      if (abort.signal.aborted) return;
      const next = loaded?.key === key ? loaded.answer : await request(abort.signal);
      if (abort.signal.aborted) return;
      setSettled({ key, attempt, answer: next });
      if (!next.ok) failed(next);
    };
    const timer = debounceMs === undefined ? undefined : setTimeout(start, debounceMs);
    if (timer === undefined) start();
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, attempt, isSettled, debounceMs, coming]);

  useEffect(() => {
    const listener = () => online();
    window.addEventListener('online', listener);
    return () => window.removeEventListener('online', listener);
  }, []);

  if (key === null) return { state: 'idle', retry };
  if (!answer) return { state: 'loading', retry };
  return answer.ok
    ? { state: 'loaded', result: answer.result, keptAt: answer.keptAt, retry }
    : { state: 'failed', failure: answer, retry };
}

/** For requests that people make: each aborts the one before, and leaving aborts the last. */
export function useLatestSignal(): { next: () => AbortSignal; abort: () => void } {
  const latest = useRef<AbortController>(null);
  const abort = () => latest.current?.abort();
  useEffect(() => () => latest.current?.abort(), []);
  return {
    abort,
    next: () => {
      abort();
      latest.current = new AbortController();
      return latest.current.signal;
    },
  };
}

/**
 * Requests again and again while the key stands; null stops it. `poll` gives the milliseconds until the next time, or null
 * when it is over; it is counted from 0. The function that is given back polls at once, out of turn (`isExtra`).
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
    // What is under way may have been answered before there was a reason to look.
    look.current = () => {
      isAsked = true;
      if (isBusy) return;
      clearTimeout(timer);
      start(true);
    };
    timer = setTimeout(start, firstMs, false);
    return () => {
      look.current = null;
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, firstMs]);
  return () => look.current?.();
}
