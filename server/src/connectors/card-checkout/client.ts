import type { HttpAnswer, HttpClient } from '../http-client.ts';
import type { DigitsOf } from '../major-amount.ts';
import type { Terms } from '../provider-terms.ts';

export interface CardCheckoutSettings extends Terms {
  url: string;
  secretKey: string;
  /** Fixed secrets that its webhooks carry; two may be valid during a rotation. */
  webhookSecrets: readonly string[];
  /** Origins that customers may be redirected to. */
  checkoutOrigins: readonly string[];
  /** Minor digits of a currency; the gateway counts in major units with decimals. */
  digitsOf: DigitsOf;
  /** The portal's time, which decides when a page has closed; the clock of this machine may be wrong. */
  now: () => Date;
  /** The name of the shop on the checkout page. */
  title: string;
}

export class CardCheckoutClient {
  readonly #http: HttpClient;
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(http: HttpClient, settings: CardCheckoutSettings) {
    this.#http = http;
    this.#url = settings.url;
    this.#headers = { authorization: `Bearer ${settings.secretKey}` };
  }

  get(path: string, query: Record<string, string>): Promise<HttpAnswer> {
    const url = `${this.#url}${path}?${new URLSearchParams(query)}`;
    return this.#http.call({ method: 'GET', url, headers: this.#headers });
  }

  post(path: string, body: unknown): Promise<HttpAnswer> {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    return this.#http.call({ method: 'POST', url: this.#url + path, headers, body: JSON.stringify(body) });
  }
}
