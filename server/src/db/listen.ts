import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';

export interface Listener {
  received(payload: string): void;
  /** Notifications arrive from now on. Those sent before are not delivered. */
  opened(): void;
  /** No notifications arrive until `opened` is called again. */
  lost(error: unknown): void;
}

/**
 * Receives the notifications that committed transactions of any process sent on a channel. Uses one connection and
 * reconnects whenever it is lost.
 */
export type Listen = (channel: string, listener: Listener) => Promise<{ close(): Promise<void> }>;

const reopenMs = { first: 200, max: 5_000 };
const heartbeatMs = 10_000;

export const listenOn =
  (connect: () => pg.Client, everyMs = heartbeatMs): Listen =>
  async (channel, listener) => {
    const closing = new AbortController();
    const { signal } = closing;
    let current: Connection | null = null;

    async function open(): Promise<Connection> {
      const opened = await openConnection(connect(), { channel, received: listener.received, everyMs });
      if (signal.aborted) await opened.close();
      else listener.opened();
      return opened;
    }

    /** Reconnects with backoff. Only the first failure is reported. */
    async function keepOpen(first: Connection | null): Promise<void> {
      current = first;
      for (let wait = reopenMs.first; !signal.aborted; wait = Math.min(wait * 2, reopenMs.max)) {
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
    const reconnecting = keepOpen(first);
    return {
      async close() {
        closing.abort();
        await current?.close();
        await reconnecting;
      },
    };
  };

interface Connection {
  /** Resolves with the reason once no more notifications will arrive. */
  ended: Promise<unknown>;
  close(): Promise<void>;
}

/**
 * A dead connection looks the same as an idle one, so the connection notifies itself as a heartbeat. This also detects
 * a pooler in transaction mode, through which LISTEN does not work.
 */
async function openConnection(
  client: pg.Client,
  { channel, received: heard, everyMs }: { channel: string; received: (payload: string) => void; everyMs: number },
): Promise<Connection> {
  const heartbeat = `${channel}_beat`;
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
    await client.query(`listen ${heartbeat}`);
  };
  await listen().catch(async (error: unknown) => {
    await client.end().catch(() => {});
    throw error;
  });
  const timer = setInterval(() => {
    if (!isAnswered) return end(new Error('the connection says nothing'));
    isAnswered = false;
    client.query(`notify ${heartbeat}`).catch(end);
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
