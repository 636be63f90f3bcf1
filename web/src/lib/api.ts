import { type CallName, callPath, calls } from '@portal/contract/calls.ts';
import type { Challenge } from '@portal/contract/challenge.ts';
import { challengeHeader } from '@portal/contract/challenge-header.ts';
import type { BodyOf, QueryOf, ResultOf } from '@portal/contract/contract.ts';
import type { ErrorBody, FailureEnvelope } from '@portal/contract/envelope.ts';
import type { Transport } from '@portal/contract/render-page.ts';
import type { PublicPack } from '@portal/domain/operator.ts';

/** `keptAt`: offline, and this response comes from the cache of that time. */
export type Answer<T> = { ok: true; result: T; keptAt?: string | undefined } | Failure;

/** The business code of the envelope; OFFLINE and TIMEOUT without a response, UNKNOWN when the response had no code. */
export type FailureCode =
  | FailureEnvelope['statusCode']
  | 'OFFLINE'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'UNKNOWN'
  /** Found by the payment page itself. */
  | 'NO_TRANSACTION_ID'
  | 'NEEDS_SCRIPT'
  | 'NOT_OFFERED_HERE'
  | 'INSUFFICIENT'
  | 'PIN_AGAIN';

/** Details besides the message: the invalid field, attempts left, an earlier payment. */
export interface Failure extends Partial<ErrorBody> {
  ok: false;
  keptAt?: string | undefined;
  code: FailureCode;
  /** The response's message in the visitor's language, else our own. */
  message: string;
  /** Whether the message is from the response. */
  isSaid?: true;
}

/** The server's message is shown as it is; a screen's own text only where there was none. */
export const messageOr = (failure: Failure, own: string): string => (failure.isSaid ? failure.message : own);

/** The same for a flow that stores it: null where the server gave no message. */
export const saidBy = ({ isSaid, message }: Failure): { said?: string } => (isSaid ? { said: message } : {});

export interface CallOptions<N extends CallName> {
  body?: BodyOf<N>;
  query?: QueryOf<N>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export type Api = <N extends CallName>(name: N, options?: CallOptions<N>) => Promise<Answer<ResultOf<N>>>;

/** For a response without a message, and for no response. */
export interface FallbackWords {
  wentWrong: string;
  noAnswer: string;
}

/** English fallback for when the texts themselves could not be loaded. */
export const fallbackWords = (texts: Readonly<Record<string, string>>): FallbackWords => ({
  wentWrong: texts['common.wentWrong'] ?? 'Something Went Wrong!',
  noAnswer: texts['common.noAnswer'] ?? 'We got no answer. Please try again.',
});

export interface ApiContext {
  operator: Pick<PublicPack, 'brand' | 'opco' | 'productCode' | 'channel' | 'runMode'>;
  language: string;
  words: FallbackWords;
  /** Solves a challenge when the server asks for one; null when it was cancelled. */
  solve?: (challenge: Challenge, signal?: AbortSignal) => Promise<string | null>;
}

/** They identify the client; they are not secret and grant nothing. */
function serviceHeaders({ operator, language }: ApiContext): Record<string, string> {
  return {
    'x-product-code': operator.productCode,
    'x-app-version': '1.0.0',
    'x-api-key': 'web',
    'x-service-id': 'portal-web',
    'x-operator': operator.opco,
    'x-run-mode': operator.runMode,
    'x-unmask-request': 'true',
    'x-channel': operator.channel,
    lang: language.toLowerCase(),
  };
}

/** A solution may be worth too little by the time it arrives, if the price has risen. */
const mostChallenges = 3;

/** The one client, in the browser and on the server. A failure is a value with a message; it never throws. */
export function createApi(transport: Transport, context: ApiContext): Api {
  const { solve } = context;

  return async (name, options = {}) => {
    let answer = await once(name, options);
    for (let asked = 0; solve && !answer.ok && answer.challenge && asked < mostChallenges; asked += 1) {
      const solved = await solve(answer.challenge, options.signal).catch(() => null);
      if (!solved) break;
      answer = await once(name, { ...options, headers: { ...options.headers, [challengeHeader]: solved } });
    }
    return answer;
  };

  async function once<N extends CallName>(name: N, options: CallOptions<N>): Promise<Answer<ResultOf<N>>> {
    const { method, service } = calls[name];
    try {
      const { status, body, keptAt } = await transport({
        method,
        path: callPath(name, operatorSlug(context)),
        ...(options.query ? { query: options.query as Record<string, string> } : {}),
        ...(options.body === undefined ? {} : { body: options.body }),
        headers: { ...serviceHeaders(context), ...options.headers },
        ...(options.signal ? { signal: options.signal } : {}),
      });
      if (service === 'cms' && status === 200 && body !== null)
        return { ok: true, result: body as ResultOf<N>, keptAt };
      return { ...readEnvelope<ResultOf<N>>(body, context.words.wentWrong), keptAt };
    } catch (error) {
      return noAnswer(error, context.words);
    }
  }
}

const operatorSlug = ({ operator }: ApiContext) => ({ slug: operator.brand.slug });

interface Envelope {
  statusCode?: 200 | FailureEnvelope['statusCode'];
  status?: string;
  message?: string;
  result?: unknown;
  error?: Partial<ErrorBody> & { error?: { message?: string } };
}

/** Success is statusCode 200, or status "success" in any case; the message is the most specific one present. */
export function readEnvelope<T>(body: unknown, fallback: string): Answer<T> {
  const envelope = (typeof body === 'object' && body !== null ? body : {}) as Envelope;
  if (envelope.statusCode === 200 || String(envelope.status).toLowerCase() === 'success')
    return { ok: true, result: envelope.result as T };
  const { error: inner, message: outer, ...details } = envelope.error ?? {};
  const said = envelope.message || inner?.message || outer;
  const words = said ? { message: said, isSaid: true as const } : { message: fallback };
  return { ...details, ok: false, code: envelope.statusCode ?? 'UNKNOWN', ...words };
}

function noAnswer(error: unknown, words: FallbackWords): Failure {
  const name = error instanceof Error ? error.name : '';
  if (name === 'AbortError') return { ok: false, code: 'ABORTED', message: words.wentWrong };
  return { ok: false, code: name === 'TimeoutError' ? 'TIMEOUT' : 'OFFLINE', message: words.noAnswer };
}

const answerWithinMs = 25_000;

/** Hand-written, because the phones we care about lack AbortSignal.timeout and AbortSignal.any. */
function withinLimit<T>(signal: AbortSignal | undefined, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const control = new AbortController();
  const stop = () => control.abort(signal?.reason);
  const timer = setTimeout(() => control.abort(new DOMException('no answer in time', 'TimeoutError')), answerWithinMs);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  return run(control.signal).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  });
}

export const browserTransport: Transport = ({ method, path, query, body, headers, signal }) =>
  withinLimit(signal, async (limited) => {
    const response = await fetch(query ? `${path}?${new URLSearchParams(query)}` : path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: limited,
      credentials: 'same-origin',
    });
    // biome-ignore lint/suspicious/noConsole: the failed call is logged, never thrown at the customer
    if (!response.ok) console.warn(`${method} ${path} answered ${response.status}`);
    const keptAt = response.headers.get('x-kept-at') ?? undefined;
    return { status: response.status, body: await response.json().catch(unreadable), keptAt };
  });

/** A proxy may answer in HTML: a failure with a status. A response cut off on its way counts as offline. */
function unreadable(error: unknown): null {
  if (error instanceof SyntaxError) return null;
  throw error;
}
