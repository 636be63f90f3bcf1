import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';

export interface Listener {
  heard(payload: string): void;
  /** From now on all is heard. What was notified before is not told any more. */
  opened(): void;
  /** From now on nothing is, until it is opened again. */
  lost(error: unknown): void;
}

/**
 * Hears what is notified on a channel by transactions of any process once they are committed. It takes one connection,
 * which is opened again whenever it is lost.
 */
export type Listen = (channel: string, listener: Listener) => Promise<{ close(): Promise<void> }>;

const reopenMs = { first: 200, most: 5_000 };
const beatMs = 10_000;

export const listenOn =
  (connect: () => pg.Client, everyMs = beatMs): Listen =>
  async (channel, listener) => {
    const closing = new AbortController();
    const { signal } = closing;
    let current: Connection | null = null;

    async function open(): Promise<Connection> {
      const opened = await openConnection(connect(), { channel, heard: listener.heard, everyMs });
      if (signal.aborted) await opened.close();
      else listener.opened();
      return opened;
    }

    /** What fails again was told when it failed first. */
    async function keepOpen(first: Connection | null): Promise<void> {
      current = first;
      for (let wait = reopenMs.first; !signal.aborted; wait = Math.min(wait * 2, reopenMs.most)) {
        if (current) {
          const reason = await current.ended;
          if (signal.aborted) return;
          listener.lost(reason);
          wait = reopenMs.first;
        }
        await setTimeout(wait, undefined, { signal, ref: false }).catch(() => {});
        current = signal.aborted ? null : await open().catch(() => null);
      }
    }

    const first = await open().catch((error: unknown) => {
      listener.lost(error);
      return null;
    });
    const kept = keepOpen(first);
    return {
      async close() {
        closing.abort();
        await current?.close();
        await kept;
      },
    };
  };

interface Connection {
  /** Settles with the reason when nothing more will be heard. */
  ended: Promise<unknown>;
  close(): Promise<void>;
}

/**
 * A connection whose other end is gone without a word is silent, as one is on which nothing happens. So it is told something
 * by itself now and then; a pooler that lends its connections out by the transaction is found out in the same way.
 */
async function openConnection(
  client: pg.Client,
  { channel, heard, everyMs }: { channel: string; heard: (payload: string) => void; everyMs: number },
): Promise<Connection> {
  const beat = `${channel}_beat`;
  let end: (reason: unknown) => void = () => {};
  const ended = new Promise<unknown>((resolve) => {
    end = resolve;
  });
  let isAnswered = true;
  client.on('error', end);
  client.on('end', () => end(new Error('the connection was closed')));
  client.on('notification', (message) => {
    isAnswered = true;
    if (message.channel === channel) heard(message.payload ?? '');
  });
  const listen = async () => {
    await client.connect();
    await client.query(`listen ${channel}`);
    await client.query(`listen ${beat}`);
  };
  await listen().catch(async (error: unknown) => {
    await client.end().catch(() => {});
    throw error;
  });
  const timer = setInterval(() => {
    if (!isAnswered) return end(new Error('the connection says nothing'));
    isAnswered = false;
    client.query(`notify ${beat}`).catch(end);
  }, everyMs).unref();
  void ended.then(() => {
    clearInterval(timer);
    client.end().catch(() => {});
  });
  return {
    ended,
    async close() {
      end(null);
      await client.end().catch(() => {});
    },
  };
}
