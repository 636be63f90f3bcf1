import { createCipheriv, randomBytes } from 'node:crypto';
import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import { AccessToken } from '../access-token.ts';
import type { CodeTable } from '../code-table.ts';
import type { HttpAnswer, HttpClient } from '../http-client.ts';
import type { DigitsOf } from '../major-amount.ts';
import type { Terms } from '../provider-terms.ts';
import { rsaEncrypt } from '../rsa-encrypt.ts';
import { keyAnswer, tokenAnswer } from './messages.ts';

export interface WalletSettings extends Terms {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Newest first; two may be valid during a rotation. */
  callbackKeys: readonly string[];
  oaepHash: string;
  country: string;
  /** The wallet's currencies, that of prices first; each request is about one of them. */
  currencies: readonly [string, ...string[]];
  digitsOf: DigitsOf;
  /** Whether its enquiry repeats amount and currency; if not, they are bound to our reference. */
  statesAmount: boolean;
  /** This wallet's own refusals, by response code; they take precedence over the listed ones. */
  codes: CodeTable<PaymentReason>;
}

const keyLifeMs = 600_000;

/** Transport for the wallet's API: tokens, body signing, timeouts. messages.ts reads the responses. */
export class WalletClient {
  readonly #http: HttpClient;
  readonly #settings: WalletSettings;
  readonly #token: AccessToken;
  #key: { base64Der: string; until: number } | null = null;

  constructor(http: HttpClient, settings: WalletSettings) {
    this.#http = http;
    this.#settings = settings;
    this.#token = new AccessToken(() => this.#fetchToken());
  }

  get(path: string, currency = this.#settings.currencies[0]): Promise<HttpAnswer> {
    return this.#token.send((token) =>
      this.#http.call({ method: 'GET', url: this.#settings.url + path, headers: this.#headers(token, currency) }),
    );
  }

  post(path: string, body: unknown, currency: string): Promise<HttpAnswer> {
    return this.#send(path, JSON.stringify(body), { 'x-currency': currency });
  }

  async postSigned(path: string, body: unknown, currency: string): Promise<HttpAnswer> {
    const text = JSON.stringify(body);
    const signature = await this.#sign(text);
    return signature
      ? this.#send(path, text, { ...signature, 'x-currency': currency })
      : { kind: 'silence', detail: 'no signing key', isUnsent: true };
  }

  /** Encrypts a PIN so that only the wallet can decrypt it. */
  async lock(text: string): Promise<string | null> {
    if (!this.#key || this.#key.until < Date.now()) {
      const answer = await this.get('/v1/rsa/encryption-keys');
      const parsed = answer.kind === 'answer' ? keyAnswer.safeParse(answer.json) : null;
      if (!parsed?.success) return null;
      this.#key = { base64Der: parsed.data.data.key, until: Date.now() + keyLifeMs };
    }
    return rsaEncrypt(text, { base64Der: this.#key.base64Der, oaepHash: this.#settings.oaepHash });
  }

  #send(path: string, body: string, more: { 'x-currency': string } & Record<string, string>): Promise<HttpAnswer> {
    const url = this.#settings.url + path;
    return this.#token.send((token) =>
      this.#http.call({
        method: 'POST',
        url,
        headers: { ...this.#headers(token, more['x-currency']), ...more },
        body,
      }),
    );
  }

  async #fetchToken() {
    const answer = await this.#http.call({
      method: 'POST',
      url: `${this.#settings.url}/auth/oauth2/token`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: this.#settings.clientId,
        client_secret: this.#settings.clientSecret,
        grant_type: 'client_credentials',
      }),
    });
    const parsed = answer.kind === 'answer' ? tokenAnswer.safeParse(answer.json) : null;
    return parsed?.success ? { value: parsed.data.access_token, lifeSeconds: parsed.data.expires_in } : null;
  }

  #headers(token: string, currency: string): Record<string, string> {
    return {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-country': this.#settings.country,
      'x-currency': currency,
    };
  }

  /** Encrypts the exact bytes of the body under a fresh key that only the provider can decrypt. */
  async #sign(body: string): Promise<Record<string, string> | null> {
    const key = randomBytes(32);
    const iv = randomBytes(16);
    const lockedKey = await this.lock(`${key.toString('base64')}:${iv.toString('base64')}`);
    if (lockedKey === null) return null;
    const cipher = createCipheriv('aes-256-cbc', key, iv);
    const signature = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]).toString('base64');
    return { 'x-signature': signature, 'x-key': lockedKey };
  }
}
