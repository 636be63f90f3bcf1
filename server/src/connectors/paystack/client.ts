import type { HttpAnswer, HttpClient } from '../http-client.ts';
import type { Terms } from '../provider-terms.ts';

export interface PaystackSettings extends Terms {
  url: string;
  /** Newest first: requests use the newest; webhooks may still be signed with another. */
  secretKeys: readonly string[];
  publicKey: string;
  scriptUrl: string;
  /** A payment of the other mode is not real money for this portal. */
  mode: 'test' | 'live';
  /** The portal's time; the clock of this machine may be wrong. */
  now: () => Date;
  /** Minor digits of the operator's currency; the gateway always counts in hundredths. */
  digits: number;
}

export class PaystackClient {
  readonly #http: HttpClient;
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(http: HttpClient, settings: PaystackSettings) {
    this.#http = http;
    this.#url = settings.url;
    this.#headers = { authorization: `Bearer ${settings.secretKeys[0] ?? ''}` };
  }

  get(path: string): Promise<HttpAnswer> {
    return this.#http.call({ method: 'GET', url: this.#url + path, headers: this.#headers });
  }

  post(path: string, body: unknown): Promise<HttpAnswer> {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    return this.#http.call({ method: 'POST', url: this.#url + path, headers, body: JSON.stringify(body) });
  }
}
