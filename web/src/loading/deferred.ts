import { type ComponentType, createElement, lazy, useState } from 'react';

const againMs = 5_000;

/** Loads again every few seconds until it succeeds. */
export const retrying = <T>(load: () => Promise<T>): Promise<T> =>
  load().catch(() => new Promise((resolve) => setTimeout(resolve, againMs)).then(() => retrying(load)));

/** In a task of its own, when nothing that was touched waits for an answer. */
export const whenIdle = (start: () => void) => (window.requestIdleCallback ?? setTimeout)(start);
let isUsable = false;
const waiting: (() => void)[] = [];

/** Called after hydration: starts what was deferred. */
export function startDeferred(): void {
  isUsable = true;
  for (const start of waiting.splice(0)) whenIdle(start);
}

/** Defers a script until after hydration, and loads it sooner where it is wanted sooner. */
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
 * A part of a screen with such a script. It stands inside a Suspense; else the whole screen would wait for it. One that
 * is loaded already is rendered at once: React shows nothing for a third of a second before a part it had to wait for.
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
    // One for as long as it stands: changing from one to the other would lose what was typed in it.
    const [Part] = useState<ComponentType<P>>(() => part ?? (Coming as ComponentType<P>));
    return createElement(Part, props);
  };
}
