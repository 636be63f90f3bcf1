import { type ComponentType, lazy } from 'react';

const againMs = 5_000;

/** Asked for until it comes. */
export const patiently = <T>(load: () => Promise<T>): Promise<T> =>
  load().catch(() => new Promise((resolve) => setTimeout(resolve, againMs)).then(() => patiently(load)));

/** A script that comes once the page can be used: at leisure, or when it is wanted. */
export function atLeisure<T>(load: () => Promise<T>): () => Promise<T> {
  let coming: Promise<T> | null = null;
  const start = () => {
    coming ??= patiently(load);
    return coming;
  };
  if (!import.meta.env.SSR) (window.requestIdleCallback ?? setTimeout)(start);
  return start;
}

/** A part of a screen with such a script. It stands inside a Suspense; else the whole screen would wait for it. */
export const deferred = <P>(load: () => Promise<ComponentType<P>>) =>
  lazy(atLeisure(() => load().then((part) => ({ default: part }))));
