import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Answer, Failure } from './api.ts';

export type Call<T> =
  /** No request: there is no key. */
  | { state: 'idle' }
  | { state: 'loading' }
  | { state: 'failed'; failure: Failure }
  | { state: 'loaded'; result: T; keptAt?: string | undefined };

/** A response with its key. */
export interface Keyed<T> {
  key: string;
  answer: Answer<T>;
}

/** The result of a screen's `load`: present or pending. */
export type Loadable<T> = Keyed<T> | Promise<Keyed<T> | undefined>;

export interface CallOptions<T> {
  /** The part that `load` returned already; it is not requested again. */
  initial?: Loadable<T> | null | undefined;
  /** Debounce for a new key, in milliseconds. */
  debounceMs?: number;
  onFailed?: (failure: Failure) => void;
}

/**
 * A request that a component makes by itself, once per key; null makes none. A new key aborts it, and so does
 * unmounting. A failed or hanging request is retried when the connection is back, and by `retry`; loaded data stays.
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

/** For requests that people trigger: each one aborts the previous one, and unmounting aborts the last. */
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
