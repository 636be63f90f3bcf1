import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networksOf, roomsOf } from './client-networks.ts';
import type { Metrics } from './metrics.ts';
import { PortalError } from './portal-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It stays open for minutes, which says nothing about how quickly the portal answers. */
    isStream?: true;
  }
}

/** Server-sent events that say 'look again' and nothing else. Whoever gets none asks by itself, only later. */
export interface EventStreams {
  /** Throws when there are enough of them, so that one visit, network or crowd cannot take them all. */
  open(request: FastifyRequest, reply: FastifyReply, visit: string | null): EventStream;
  /** Tells all of them, one after the other: they come back with a request each. */
  lookAll(): void;
  /** Ends all of them, and takes no more. */
  stop(): void;
}

export interface EventStream {
  look(): void;
  onEnd(ended: () => void): void;
}

/** How many may be open at once, in this process. The wider networks of an address have more room. */
const ofVisit = 6;
const ofNetwork = 250;

const beatMs = 20_000;
/** A phone that went away without a word is noticed by this at the latest. Who is still there comes again. */
const lifeMs = 5 * 60_000;
const tickMs = 1_000;
const retryMs = { least: 1_000, spread: 4_000 };
const lookAllWithinMs = 5_000;
const mostUnsentBytes = 4_096;

interface Held {
  answer: ServerResponse;
  counted: readonly string[];
  beatAt: number;
  endAt: number;
  lookAt: number;
  ended: () => void;
}

const lookEvent = 'data: look\n\n';
const retryLine = () => `retry: ${Math.round(retryMs.least + Math.random() * retryMs.spread)}\n`;

export function createEventStreams({
  most,
  scale,
  metrics,
}: {
  most: number;
  scale: number;
  metrics: Metrics;
}): EventStreams {
  const held = new Set<Held>();
  const counts = new Map<string, number>();
  const events = streamEvents(metrics, () => held.size);
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;

  function places(address: string, visit: string | null): { key: string; room: number }[] {
    const networks = networksOf(address);
    const rooms = roomsOf(networks.length);
    return [
      ...(visit ? [{ key: `visit ${visit}`, room: ofVisit * scale }] : []),
      ...networks.map((key, level) => ({ key, room: ofNetwork * (rooms[level] ?? 1) * scale })),
    ];
  }

  function refusal(wanted: { key: string; room: number }[]): 'stopping' | 'process' | 'client' | null {
    if (isStopped) return 'stopping';
    if (held.size >= most) return 'process';
    return wanted.some(({ key, room }) => (counts.get(key) ?? 0) >= room) ? 'client' : null;
  }

  function forget(stream: Held): void {
    if (!held.delete(stream)) return;
    for (const key of stream.counted) {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    }
    stream.ended();
  }

  const end = (stream: Held) => stream.answer.end(retryLine());

  /** What is not read piles up here: such a reader comes again, or asks by itself. */
  function write({ answer }: Held, text: string): void {
    if (answer.writableLength > mostUnsentBytes) answer.destroy();
    else answer.write(text);
  }

  /** One timer for all: thousands of their own cost more than looking at each once a second. */
  function tick(): void {
    const now = performance.now();
    for (const stream of held) {
      if (now >= stream.endAt) end(stream);
      else if (now >= stream.lookAt) look(stream);
      else if (now >= stream.beatAt) {
        stream.beatAt = now + beatMs;
        write(stream, ':\n\n');
      }
    }
  }

  function look(stream: Held): void {
    stream.lookAt = Number.POSITIVE_INFINITY;
    write(stream, lookEvent);
  }

  return {
    open(request, reply, visit) {
      const wanted = places(request.ip, visit);
      const refused = refusal(wanted);
      if (refused) {
        events.refused(refused);
        throw new PortalError(refused === 'client' ? 'tooManyThisMinute' : 'unavailable');
      }
      timer ??= setInterval(tick, tickMs).unref();
      const now = performance.now();
      const stream: Held = {
        answer: reply.raw,
        counted: wanted.map(({ key }) => key),
        beatAt: now + beatMs,
        endAt: now + lifeMs,
        lookAt: Number.POSITIVE_INFINITY,
        ended: () => {},
      };
      held.add(stream);
      for (const { key } of wanted) counts.set(key, (counts.get(key) ?? 0) + 1);
      events.opened();
      reply.hijack();
      reply.raw.on('close', () => forget(stream)).on('error', () => {});
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        // It ends with its connection, so that stopping waits for none.
        connection: 'close',
      });
      // Told at once, so that a page knows that nothing on the way holds the stream back.
      reply.raw.write(`${retryLine()}data: open\n\n`);
      return {
        look: () => look(stream),
        onEnd(ended) {
          stream.ended = ended;
          if (!held.has(stream)) ended();
        },
      };
    },

    lookAll() {
      const now = performance.now();
      for (const stream of held) stream.lookAt = now + Math.random() * lookAllWithinMs;
    },

    stop() {
      isStopped = true;
      if (timer) clearInterval(timer);
      for (const stream of [...held]) end(stream);
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
