import { type ComponentType, createElement, lazy, useState } from 'react';

const againMs = 5_000;

/** Loads again every few seconds until it succeeds. */
export const retrying = <T>(load: () => Promise<T>): Promise<T> =>
  load().catch(() => new Promise((resolve) => setTimeout(resolve, againMs)).then(() => retrying(load)));

/** In a task of its own, when no input is pending. */
export const whenIdle = (start: () => void) => (window.requestIdleCallback ?? setTimeout)(start);
let isUsable = false;
const waiting: (() => void)[] = [];

/** Called after hydration: starts everything that was deferred. */
export function startDeferred(): void {
  isUsable = true;
  for (const start of waiting.splice(0)) whenIdle(start);
}

/** Defers a script until after hydration; a caller may load it earlier. */
export function whenUsable<T>(load: () => Promise<T>): () => Promise<T> {
  let coming: Promise<T> | null = null;
  const start = () => {
    coming ??= retrying(load);
    return coming;
  };
  if (isUsable) whenIdle(start);
  else waiting.push(start);
  return start;
}

/**
 * A lazy part of a screen. It needs a Suspense boundary of its own; otherwise the whole screen would wait for it. A
 * part that is loaded already renders at once, because React delays a suspended part by a third of a second.
 */
export function deferred<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let part: ComponentType<P> | null = null;
  const Coming = lazy(
    whenUsable(async () => {
      part = await load();
      return { default: part };
    }),
  );
  return function Deferred(props: P) {
    // Chosen once per mount: switching from one to the other would lose what was typed.
    const [Part] = useState<ComponentType<P>>(() => part ?? (Coming as ComponentType<P>));
    return createElement(Part, props);
  };
}
