import { type ComponentType, createElement, lazy, useState } from 'react';

const againMs = 5_000;

/** Asked for until it comes. */
export const retrying = <T>(load: () => Promise<T>): Promise<T> =>
  load().catch(() => new Promise((resolve) => setTimeout(resolve, againMs)).then(() => retrying(load)));

/** In a task of its own, when nothing that was touched waits for an answer. */
export const whenIdle = (start: () => void) => (window.requestIdleCallback ?? setTimeout)(start);
let hasLeisure = false;
const waiting: (() => void)[] = [];

/** The page can be used: what was put off may come. */
export function startDeferred(): void {
  hasLeisure = true;
  for (const start of waiting.splice(0)) whenIdle(start);
}

/** A script that comes once the page can be used: at leisure, or when it is wanted. */
export function whenUsable<T>(load: () => Promise<T>): () => Promise<T> {
  let coming: Promise<T> | null = null;
  const start = () => {
    coming ??= retrying(load);
    return coming;
  };
  if (hasLeisure) whenIdle(start);
  else waiting.push(start);
  return start;
}

/**
 * A part of a screen with such a script. It stands inside a Suspense; else the whole screen would wait for it. One that
 * has come already is drawn at once: React shows nothing for a third of a second before a part it had to wait for.
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
