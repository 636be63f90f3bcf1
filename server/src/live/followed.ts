import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../http/logging.ts';

/** What one process changes and all of them know. */
export interface Followed<T> {
  current(): Promise<T>;
  /** For whoever has just changed it: their own process knows it before they are answered. */
  readAnew(): Promise<void>;
}

interface Reading<T> {
  answer: Promise<T>;
  isDone: boolean;
}

/** How long somebody who pays waits for a database that says nothing. */
const patienceMs = 1_000;

/**
 * Kept in memory, and read again when a change is heard of, and whenever one may have been missed. While the process hears of
 * nothing it asks the database each time. Without an answer what was known last stands, and before the first answer `first`.
 */
export function createFollowed<T>({
  topic,
  read: readFrom,
  first,
  live,
  log,
}: {
  topic: string;
  read: () => Promise<T>;
  first: T;
  live: { follow(topic: string, changed: () => void): void; isHearing(): boolean };
  log: Logger;
}): Followed<T> {
  let last = first;
  let newest: Reading<T> | null = null;

  /** Begun after a change it sees the change, whatever an earlier one still answers. */
  function read(): Reading<T> {
    const reading: Reading<T> = { answer: readFrom(), isDone: false };
    newest = reading;
    reading.answer = reading.answer.then(
      (found) => {
        reading.isDone = true;
        if (newest === reading) last = found;
        return found;
      },
      (error: unknown) => {
        log.warn({ topic, err: error }, 'what is shared by all processes could not be read');
        if (newest === reading) newest = null;
        return last;
      },
    );
    return reading;
  }
  live.follow(topic, read);

  return {
    current() {
      const { answer } = newest && (live.isHearing() || !newest.isDone) ? newest : read();
      return Promise.race([answer, setTimeout(patienceMs, undefined, { ref: false }).then(() => last)]);
    },
    readAnew: async () => void (await read().answer),
  };
}
