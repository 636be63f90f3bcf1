import type { z } from 'zod';
import type { HttpAnswer, HttpClient } from './http-client.ts';
import type { Unclear } from './ports.ts';
import type { Terms } from './provider-terms.ts';
import { isUnsent } from './unsent.ts';

export interface TmfSettings extends Terms {
  url: string;
  key: string;
}

/** Transport for systems that speak TMF Open APIs with a bearer key. */
export class TmfClient {
  readonly #http: Pick<HttpClient, 'call'>;
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(http: Pick<HttpClient, 'call'>, settings: TmfSettings) {
    this.#http = http;
    this.#url = settings.url;
    this.#headers = { authorization: `Bearer ${settings.key}`, 'content-type': 'application/json' };
  }

  get(path: string, query: Record<string, string>): Promise<HttpAnswer> {
    const url = `${this.#url}${path}?${new URLSearchParams(query)}`;
    return this.#http.call({ method: 'GET', url, headers: this.#headers });
  }

  post(path: string, body: unknown, limits: { withinMs?: number } = {}): Promise<HttpAnswer> {
    const url = this.#url + path;
    return this.#http.call({ method: 'POST', url, headers: this.#headers, body: JSON.stringify(body), ...limits });
  }
}

/** The request itself was invalid and had no effect. 401 and 403 are about our key; 409 may mean that it was done before. */
export const refusingStatuses: readonly number[] = [400, 404, 422];

/** The parsed body, or null if the response is not exactly that. */
export function parseAnswer<T>(schema: z.ZodType<T>, answer: HttpAnswer): T | null {
  if (answer.kind !== 'answer' || answer.status !== 200) return null;
  const parsed = schema.safeParse(answer.json);
  return parsed.success ? parsed.data : null;
}

export function unclear(answer: HttpAnswer): Unclear {
  const detail = answer.kind === 'silence' ? answer.detail : `HTTP ${answer.status}`;
  return { kind: 'unclear', detail, ...(isUnsent(answer) ? { isUnsent: true } : {}) };
}
