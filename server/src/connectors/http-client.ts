import { Agent, DecoratorHandler, type Dispatcher, request } from 'undici';
import { traceCall } from '../http/tracing.ts';
import { leaseGuard } from './call-lease.ts';
import { guardedLookup, mayCall, type OutboundRules } from './outbound-guard.ts';

export type HttpAnswer =
  | { kind: 'answer'; status: number; json: unknown }
  /** No certain response: a timeout, a cut connection, or a body that is not JSON. */
  | {
      kind: 'silence';
      detail: string;
      /** The request was not sent at all. */
      isUnsent?: true;
    };

export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** A shorter timeout, for requests that a user waits for. */
  withinMs?: number;
}

const limits = { connectMs: 3_000, totalMs: 20_000, bodyBytes: 256 * 1024 };

const neverConnected = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'LEASE_OVER',
];

/** Checks the lease when the request is written: connecting takes time, and a paused process may resume in between. */
class LeasedHandler extends DecoratorHandler {
  readonly #isOver = leaseGuard();

  onRequestStart(...started: Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestStart']>>) {
    if (this.#isOver()) throw Object.assign(new Error('the lease is over'), { name: 'LeaseOver', code: 'LEASE_OVER' });
    return (DecoratorHandler.prototype as Dispatcher.DispatchHandler).onRequestStart?.apply(this, started);
  }
}

const wireTo = (rules: OutboundRules): Dispatcher =>
  new Agent({
    connect: { timeout: limits.connectMs, lookup: guardedLookup(rules) as never },
    headersTimeout: limits.totalMs,
    bodyTimeout: limits.totalMs,
    maxResponseSize: limits.bodyBytes,
    connections: 64,
  });

/** The outbound client for every provider: timeouts, no redirects, and silence distinguished from a response. */
export class HttpClient {
  readonly #agent: Dispatcher;
  readonly #rules: OutboundRules;

  constructor(rules: OutboundRules = { hosts: null, privateHosts: null }, wire: Dispatcher = wireTo(rules)) {
    this.#rules = rules;
    this.#agent = wire.compose((dispatch) => (options, handler) => dispatch(options, new LeasedHandler(handler)));
  }

  async call(call: HttpCall): Promise<HttpAnswer> {
    if (!mayCall(call.url, this.#rules))
      return { kind: 'silence', detail: 'a host that is not on the list', isUnsent: true };
    return traceCall(call, () => this.#send(call));
  }

  async #send(call: HttpCall): Promise<HttpAnswer> {
    try {
      const answer = await request(call.url, {
        dispatcher: this.#agent,
        method: call.method,
        headers: { accept: 'application/json', ...call.headers },
        body: call.body ?? null,
        signal: AbortSignal.timeout(call.withinMs ?? limits.totalMs),
      });
      const text = await answer.body.text();
      try {
        return { kind: 'answer', status: answer.statusCode, json: text === '' ? null : JSON.parse(text) };
      } catch {
        return { kind: 'silence', detail: `HTTP ${answer.statusCode} with a body that is not JSON` };
      }
    } catch (error) {
      const { name = 'connection failed', code = '' } = error as { name?: string; code?: string };
      return { kind: 'silence', detail: name, ...(neverConnected.includes(code) ? { isUnsent: true } : {}) };
    }
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}
