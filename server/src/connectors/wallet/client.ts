import { constants, createCipheriv, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto';
import type { HttpAnswer, HttpClient } from '../http-client.ts';
import { keyAnswer, tokenAnswer } from './messages.ts';

export interface WalletSettings {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Newest first; two may be live while keys rotate. */
  callbackKeys: readonly string[];
  oaepHash: string;
  country: string;
  currency: string;
}

const refreshEarlySeconds = 15;

/** Transport of the wallet's API: tokens, body signing, time limits. Its words are read in messages.ts. */
export class WalletClient {
  readonly #http: HttpClient;
  readonly #settings: WalletSettings;
  #token: { value: string; until: number } | null = null;
  #key: { pem: string; until: number } | null = null;

  constructor(http: HttpClient, settings: WalletSettings) {
    this.#http = http;
    this.#settings = settings;
  }

  get(path: string): Promise<HttpAnswer> {
    return this.#withToken((headers) => this.#http.call({ method: 'GET', url: this.#settings.url + path, headers }));
  }

  post(path: string, body: unknown, options: { signed: boolean }): Promise<HttpAnswer> {
    const text = JSON.stringify(body);
    return this.#withToken(async (headers) => {
      const signature = options.signed ? await this.#sign(text, headers) : {};
      if (!signature) return { kind: 'silence', detail: 'no signing key' };
      const url = this.#settings.url + path;
      return this.#http.call({ method: 'POST', url, headers: { ...headers, ...signature }, body: text });
    });
  }

  /** A token may be taken back before its time. 401 means that nothing was done, so asking once more is no second request. */
  async #withToken(send: (headers: Record<string, string>) => Promise<HttpAnswer>): Promise<HttpAnswer> {
    for (const isLast of [false, true]) {
      const headers = await this.#headers();
      if (!headers) break;
      const answer = await send(headers);
      if (isLast || answer.kind === 'silence' || answer.status !== 401) return answer;
      this.#token = null;
    }
    return { kind: 'silence', detail: 'no access token' };
  }

  async #headers(): Promise<Record<string, string> | null> {
    if (!this.#token || this.#token.until < Date.now()) {
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
      if (!parsed?.success) return null;
      const life = Math.max(parsed.data.expires_in - refreshEarlySeconds, 1);
      this.#token = { value: parsed.data.access_token, until: Date.now() + life * 1000 };
    }
    return {
      authorization: `Bearer ${this.#token.value}`,
      'content-type': 'application/json',
      'x-country': this.#settings.country,
      'x-currency': this.#settings.currency,
    };
  }

  /** The exact bytes of the body, encrypted under a fresh key that only the provider can open. */
  async #sign(body: string, headers: Record<string, string>): Promise<Record<string, string> | null> {
    if (!this.#key || this.#key.until < Date.now()) {
      const answer = await this.#http.call({
        method: 'GET',
        url: `${this.#settings.url}/v1/rsa/encryption-keys`,
        headers,
      });
      const parsed = answer.kind === 'answer' ? keyAnswer.safeParse(answer.json) : null;
      if (!parsed?.success) return null;
      this.#key = { pem: parsed.data.data.key, until: Date.now() + 600_000 };
    }
    const key = randomBytes(32);
    const iv = randomBytes(16);
    const cipher = createCipheriv('aes-256-cbc', key, iv);
    const publicKey = createPublicKey({ key: Buffer.from(this.#key.pem, 'base64'), format: 'der', type: 'spki' });
    return {
      'x-signature': Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]).toString('base64'),
      'x-key': publicEncrypt(
        { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: this.#settings.oaepHash },
        Buffer.from(`${key.toString('base64')}:${iv.toString('base64')}`),
      ).toString('base64'),
    };
  }
}
