import type { HttpAnswer, HttpClient } from '../http-client.ts';
import type { DigitsOf } from '../major-amount.ts';
import type { Terms } from '../terms.ts';

export interface CardCheckoutSettings extends Terms {
  url: string;
  secretKey: string;
  /** Fixed texts that its webhooks carry; two may be live while they are changed. */
  webhookSecrets: readonly string[];
  /** Where customers may be sent; a link to any other place is not followed. */
  checkoutOrigins: readonly string[];
  /** The gateway counts in whole units with a fraction. */
  digitsOf: DigitsOf;
  /** The portal's time, by which a page is taken for closed: this machine's own may be wrong by a day. */
  now: () => Date;
  /** Whose shop it is, as the checkout page tells the customer. */
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
