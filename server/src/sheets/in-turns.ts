import { setImmediate } from 'node:timers/promises';

const atOnce = 250;

/** Yields to the event loop between items, so that a large file does not delay other requests. */
export async function* inTurns<T>(list: Iterable<T>): AsyncGenerator<T> {
  let count = 0;
  for (const one of list) {
    count += 1;
    if (count % atOnce === 0) await setImmediate();
    yield one;
  }
}
