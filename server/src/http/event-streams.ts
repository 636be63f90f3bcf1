import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limitFactors, networksOf } from './address-networks.ts';
import type { Metrics } from './metrics.ts';
import { PortalError } from './portal-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response stays open for minutes, so its duration says nothing about latency. */
    isStream?: true;
  }
}

/** Server-sent events that say only "look again". A page that gets no stream polls, at a lower rate. */
export interface EventStreams {
  /** Throws at the limits, so that one visit, one network or a crowd cannot take every stream. */
  open(request: FastifyRequest, reply: FastifyReply, visit: string | null): EventStream;
  /** Notifies every stream, spread over a few seconds because each client answers with a request. */
  notifyAll(): void;
  /** Ends every stream and accepts no more. */
  stop(): void;
}

export interface EventStream {
  notify(): void;
  onEnd(ended: () => void): void;
}

/** Limits on concurrent streams in this process. The wider networks of an address have higher ones. */
const maxPerVisit = 6;
const maxPerNetwork = 250;

const heartbeatMs = 20_000;
/** Bounds how long a dead connection stays open. A client that is still there reconnects. */
const maxAgeMs = 5 * 60_000;
const tickMs = 1_000;
const retryMs = { min: 1_000, spread: 4_000 };
const notifyAllWithinMs = 5_000;
const maxUnsentBytes = 4_096;

interface OpenStream {
  response: ServerResponse;
  counted: readonly string[];
  heartbeatAt: number;
  endAt: number;
  notifyAt: number;
  ended: () => void;
}

const changedEvent = 'data: look\n\n';
const retryLine = () => `retry: ${Math.round(retryMs.min + Math.random() * retryMs.spread)}\n`;

export function createEventStreams({
  most,
  scale,
  metrics,
}: {
  most: number;
  scale: number;
  metrics: Metrics;
}): EventStreams {
  const streams = new Set<OpenStream>();
  const counts = new Map<string, number>();
  const events = streamEvents(metrics, () => streams.size);
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;

  function limitsFor(address: string, visit: string | null): { key: string; limit: number }[] {
    const networks = networksOf(address);
    const factors = limitFactors(networks.length);
    return [
      ...(visit ? [{ key: `visit ${visit}`, limit: maxPerVisit * scale }] : []),
      ...networks.map((key, level) => ({ key, limit: maxPerNetwork * (factors[level] ?? 1) * scale })),
    ];
  }

  function refusal(wanted: { key: string; limit: number }[]): 'stopping' | 'process' | 'client' | null {
    if (isStopped) return 'stopping';
    if (streams.size >= most) return 'process';
    return wanted.some(({ key, limit }) => (counts.get(key) ?? 0) >= limit) ? 'client' : null;
  }

  function release(stream: OpenStream): void {
    if (!streams.delete(stream)) return;
    for (const key of stream.counted) {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    }
    stream.ended();
  }

  const end = (stream: OpenStream) => stream.response.end(retryLine());

  /** Drops a client that does not read, before unsent data piles up; it reconnects or polls. */
  function write({ response }: OpenStream, text: string): void {
    if (response.writableLength > maxUnsentBytes) response.destroy();
    else response.write(text);
  }

  /** One timer for all streams: thousands of timers cost more than checking each stream once a second. */
  function tick(): void {
    const now = performance.now();
    for (const stream of streams) {
      if (now >= stream.endAt) end(stream);
      else if (now >= stream.notifyAt) notify(stream);
      else if (now >= stream.heartbeatAt) {
        stream.heartbeatAt = now + heartbeatMs;
        write(stream, ':\n\n');
      }
    }
  }

  function notify(stream: OpenStream): void {
    stream.notifyAt = Number.POSITIVE_INFINITY;
    write(stream, changedEvent);
  }

  return {
    open(request, reply, visit) {
      const wanted = limitsFor(request.ip, visit);
      const refused = refusal(wanted);
      if (refused) {
        events.refused(refused);
        throw new PortalError(refused === 'client' ? 'tooManyThisMinute' : 'unavailable');
      }
      timer ??= setInterval(tick, tickMs).unref();
      const now = performance.now();
      const stream: OpenStream = {
        response: reply.raw,
        counted: wanted.map(({ key }) => key),
        heartbeatAt: now + heartbeatMs,
        endAt: now + maxAgeMs,
        notifyAt: Number.POSITIVE_INFINITY,
        ended: () => {},
      };
      streams.add(stream);
      for (const { key } of wanted) counts.set(key, (counts.get(key) ?? 0) + 1);
      events.opened();
      reply.hijack();
      reply.raw.on('close', () => release(stream)).on('error', () => {});
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        // Closes the connection with the stream, so that shutdown does not wait for keep-alive.
        connection: 'close',
      });
      // Sent at once, so that the page knows that no proxy buffers the stream.
      reply.raw.write(`${retryLine()}data: open\n\n`);
      return {
        notify: () => notify(stream),
        onEnd(ended) {
          stream.ended = ended;
          if (!streams.has(stream)) ended();
        },
      };
    },

    notifyAll() {
      const now = performance.now();
      for (const stream of streams) stream.notifyAt = now + Math.random() * notifyAllWithinMs;
    },

    stop() {
      isStopped = true;
      if (timer) clearInterval(timer);
      for (const stream of [...streams]) end(stream);
    },
  };
}

function streamEvents(metrics: Metrics, countOpen: () => number) {
  const open = metrics.gauge('portal_streams_open', 'Waiting pages that are told of changes', [], async () => {
    open.set(countOpen());
  });
  const opened = metrics.counter('portal_streams_opened_total', 'Streams opened by waiting pages', []);
  const refused = metrics.counter('portal_streams_refused_total', 'Waiting pages that have to ask by themselves', [
    'reason',
  ]);
  for (const reason of ['stopping', 'process', 'client']) refused.inc({ reason }, 0);
  return {
    opened: () => opened.inc(),
    refused: (reason: 'stopping' | 'process' | 'client') => refused.inc({ reason }),
  };
}
