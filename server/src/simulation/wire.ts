import { Dispatcher } from 'undici';
import { HttpClient } from '../connectors/http-client.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Random } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface WireRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  json: unknown;
}

export interface WireAnswer {
  status: number;
  json: unknown;
}

/** A simulated provider, in its own protocol. */
export interface WireProvider {
  /** Null: it sends no answer. */
  answer(request: WireRequest): WireAnswer;
  /** `overhead` only fetches a token or a key, `look` only reads. */
  kindOf(request: WireRequest): 'charge' | 'delivery' | 'refund' | 'look' | 'overhead';
  /** An answer with a code that its documentation does not list. */
  unlisted: WireAnswer;
}

export const answered = (json: unknown, status = 200): WireAnswer => ({ status, json });

interface Parts {
  providers: ReadonlyMap<string, WireProvider>;
  time: VirtualTime;
  faults: FaultPlan;
  random: Random;
  /** Throws when the calling process has died. */
  edge: () => void;
  /** Whether this provider has an outage now. */
  hasOutage: (host: string) => boolean;
  /** Called right after a provider has acted, before any other task runs. */
  acted: () => Promise<void>;
}

type Controller = Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestStart']>>[0];

const limitSeconds = 20;

/**
 * The network between the portal's real connectors, with their real HTTP client, and the simulated providers.
 * Requests and answers take time, are lost, late, doubled or garbled here, and a paused process is paused right
 * before it sends.
 */
class SimulatedWire extends Dispatcher {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super();
    this.#parts = parts;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#parts.time.stir();
    void this.#carry(options, handler).finally(() => this.#parts.time.stir());
    return true;
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }

  async #carry(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): Promise<void> {
    const { time, faults, random, edge } = this.#parts;
    const controller = {
      paused: false,
      aborted: false,
      reason: null,
      rawHeaders: null,
      rawTrailers: null,
    } as unknown as Controller;
    Object.assign(controller, { pause() {}, resume() {}, abort() {} });
    const fail = (name: string, code = '') =>
      handler.onResponseError?.(controller, Object.assign(new Error(name), { name, code }));
    try {
      edge();
      const host = new URL(String(options.origin)).hostname.replace('.example', '');
      const provider = this.#parts.providers.get(host);
      if (!provider) throw new Error(`nobody is at ${host}`);
      const request = requestOf(options);
      const kind = provider.kindOf(request);
      if (kind !== 'overhead' && faults.strikes('pause')) await time.sleep(random.whole(20, 900));
      // Here the real client checks the lease, and refuses to send if it expired.
      handler.onRequestStart?.(controller, {});
      if (kind === 'overhead') {
        // Advance time, so that no two responses are handled in the same turn.
        await time.sleep(0.001);
        return reply(handler, controller, provider.answer(request));
      }
      const trouble = this.#parts.hasOutage(host) ? random.pick(['lost', 'lost', 'silent', 'broken', null]) : null;
      if (trouble === 'lost' || faults.strikes('requestLost')) {
        if (random.chance(0.3)) return fail('no connection', 'ECONNREFUSED');
        await time.sleep(limitSeconds);
        return fail('TimeoutError');
      }
      // Once faults have stopped, calls have no latency either.
      if (!faults.isOver) await time.sleep(random.next() * (faults.strikes('replySlow') ? 15 : 0.4));
      if (faults.strikes('tokenExpired')) return reply(handler, controller, answered({ error: 'token expired' }, 401));
      edge();
      const answer = provider.answer(request);
      await this.#parts.acted();
      edge();
      if (!faults.isOver) await time.sleep(random.next() * 0.4);
      const lost = kind === 'delivery' ? 'deliveryReplyLost' : kind === 'refund' ? 'refundReplyLost' : 'replyLost';
      const isStruck = trouble !== 'silent' && faults.strikes(lost);
      if (trouble === 'silent' || isStruck || faults.strikes('replyLost')) {
        // Count it whichever fault lost the response.
        if (kind === 'refund' && !isStruck) faults.count('refundReplyLost');
        await time.sleep(limitSeconds);
        return fail('TimeoutError');
      }
      edge();
      if (trouble === 'broken' || faults.strikes('brokenAnswer')) return garble(handler, controller, random, fail);
      if (kind !== 'look' && faults.strikes('unlistedCode')) return reply(handler, controller, provider.unlisted);
      reply(handler, controller, answer);
    } catch (error) {
      handler.onResponseError?.(controller, error as Error);
    }
  }
}

function requestOf(options: Dispatcher.DispatchOptions): WireRequest {
  const url = new URL(options.path, 'http://x');
  const body = typeof options.body === 'string' ? options.body : '';
  return {
    method: options.method,
    path: url.pathname,
    query: url.searchParams,
    headers: options.headers as Record<string, string>,
    json: body.startsWith('{') ? JSON.parse(body) : {},
  };
}

function reply(handler: Dispatcher.DispatchHandler, controller: Controller, { status, json }: WireAnswer): void {
  send(handler, controller, status, JSON.stringify(json));
}

function send(handler: Dispatcher.DispatchHandler, controller: Controller, status: number, text: string): void {
  handler.onResponseStart?.(controller, status, { 'content-type': 'application/json' }, '');
  handler.onResponseData?.(controller, Buffer.from(text));
  handler.onResponseEnd?.(controller, {});
}

/** A proxy in front of the provider responds in its place: an error, an HTML page or a truncated response. */
function garble(
  handler: Dispatcher.DispatchHandler,
  controller: Controller,
  random: Random,
  fail: (name: string, code?: string) => void,
): void {
  const bodies = ['{"error":"internal"}', '<html>', '', '{"data":{"transaction":{}}}', 'null', '{"sta'] as const;
  const status = random.pick([500, 502, 503, 429, 200]);
  if (random.chance(0.2)) fail('SocketError', 'UND_ERR_SOCKET');
  else send(handler, controller, status, random.pick(bodies));
}

export function simulatedClient(parts: Parts): HttpClient {
  return new HttpClient({ hosts: null, privateHosts: null }, new SimulatedWire(parts));
}
