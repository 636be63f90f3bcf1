import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../http/logging.ts';

/** A value in the database that any process may change, cached in every process. */
export interface Followed<T> {
  current(): Promise<T>;
  /** For the process that has just changed it: it sees the change before it responds. */
  readAnew(): Promise<void>;
}

interface Reading<T> {
  value: Promise<T>;
  isDone: boolean;
}

/** How long a request waits for a database that does not answer. */
const readTimeoutMs = 1_000;

/**
 * Cached in memory, and read again on each notification and whenever one may have been missed. While notifications do
 * not arrive, each call reads the database. If a read fails, the last value is used, and before the first read `first`.
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

  /** A read that begins after a change sees it, whatever an earlier read still returns. */
  function read(): Reading<T> {
    const reading: Reading<T> = { value: readFrom(), isDone: false };
    newest = reading;
    reading.value = reading.value.then(
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
      const { value } = newest && (live.isHearing() || !newest.isDone) ? newest : read();
      return Promise.race([value, setTimeout(readTimeoutMs, undefined, { ref: false }).then(() => last)]);
    },
    readAnew: async () => void (await read().value),
  };
}
