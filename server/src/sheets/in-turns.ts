import { setImmediate } from 'node:timers/promises';

const atOnce = 250;

/** One after the other, and others are answered in between: a large file keeps nobody from paying. */
export async function* inTurns<T>(list: Iterable<T>): AsyncGenerator<T> {
  let count = 0;
  for (const one of list) {
    count += 1;
    if (count % atOnce === 0) await setImmediate();
    yield one;
  }
}
