import { z } from 'zod';
import type { HttpAnswer, HttpClient } from '../http-client.ts';
import type { Terms } from '../provider-terms.ts';

export interface OrangeMoneySettings extends Terms {
  url: string;
  /** "dev", or the two-letter country code. */
  environment: string;
  clientId: string;
  clientSecret: string;
  merchantKey: string;
  /** Origins that customers may be redirected to. */
  checkoutOrigins: readonly string[];
  /** The callback URL, without the part that names the payment. */
  callbackUrl: string;
  /** Creates and checks that part. */
  callbackKey: string;
  /** Minor digits of the operator's currency; the gateway counts in major units. */
  digits: number;
  /**
   * Relative to `url`. The public documentation has no refund call, so this one is believed; confirm it with the
   * wallet's operator.
   */
  refundPath?: string;
}

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });
const refreshEarlySeconds = 15;

export class OrangeMoneyClient {
  readonly #http: HttpClient;
  readonly #settings: OrangeMoneySettings;
  #token: { value: string; until: number } | null = null;

  constructor(http: HttpClient, settings: OrangeMoneySettings) {
    this.#http = http;
    this.#settings = settings;
  }

  /**
   * A token may be revoked before it expires. A 401 means that the request had no effect, so it is safe to send it once
   * more.
   */
  async post(path: string, body: unknown): Promise<HttpAnswer> {
    for (const isLast of [false, true]) {
      const token = await this.#validToken();
      if (!token) break;
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const url = this.#settings.url + path;
      const answer = await this.#http.call({ method: 'POST', url, headers, body: JSON.stringify(body) });
      if (isLast || answer.kind === 'silence' || answer.status !== 401) return answer;
      this.#token = null;
    }
    return { kind: 'silence', detail: 'no access token', isUnsent: true };
  }

  async #validToken(): Promise<string | null> {
    if (this.#token && this.#token.until > Date.now()) return this.#token.value;
    const { url, clientId, clientSecret } = this.#settings;
    const answer = await this.#http.call({
      method: 'POST',
      url: `${url}/oauth/v3/token`,
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    const parsed = answer.kind === 'answer' ? tokenAnswer.safeParse(answer.json) : null;
    if (!parsed?.success) return null;
    const life = Math.max(parsed.data.expires_in - refreshEarlySeconds, 1);
    this.#token = { value: parsed.data.access_token, until: Date.now() + life * 1000 };
    return this.#token.value;
  }
}
