import { AccessToken } from '../access-token.ts';
import type { HttpAnswer, HttpClient } from '../http-client.ts';
import type { Terms } from '../provider-terms.ts';
import { rsaEncrypt } from '../rsa-encrypt.ts';
import { keyAnswer, type SmartcashCodes, tokenAnswer } from './messages.ts';

/** `{reference}` and `{msisdn}` are replaced. */
export interface SmartcashPaths {
  token: string;
  key: string;
  payment: string;
  status: string;
  refund: string;
  user: string;
}

export interface SmartcashSettings extends Terms {
  url: string;
  clientId: string;
  clientSecret: string;
  oaepHash: string;
  country: string;
  currency: string;
  paths: SmartcashPaths;
  /** By name; `{token}`, `{country}` and `{currency}` are replaced. */
  headers: Readonly<Record<string, string>>;
  codes: SmartcashCodes;
}

export const defaultPaths: SmartcashPaths = {
  token: '/oauth/token',
  key: '/v1/keys',
  payment: '/v1/payments',
  status: '/v1/payments/{reference}',
  refund: '/v1/payments/{reference}/refunds',
  user: '/v1/users/{msisdn}',
};

export const defaultHeaders: Readonly<Record<string, string>> = {
  authorization: 'Bearer {token}',
  'x-country': '{country}',
  'x-currency': '{currency}',
};

/** Transport for SmartCash. It has no public specification, so every path and header is a setting. */
export class SmartcashClient {
  readonly #http: HttpClient;
  readonly #settings: SmartcashSettings;
  readonly #token: AccessToken;

  constructor(http: HttpClient, settings: SmartcashSettings) {
    this.#http = http;
    this.#settings = settings;
    this.#token = new AccessToken(() => this.#fetchToken());
  }

  call(path: keyof SmartcashPaths, values: Record<string, string>, body?: unknown): Promise<HttpAnswer> {
    const encoded = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, encodeURIComponent(value)]));
    const url = this.#settings.url + fill(this.#settings.paths[path], encoded);
    return this.#token.send((token) =>
      body === undefined
        ? this.#http.call({ method: 'GET', url, headers: this.#headers(token) })
        : this.#http.call({ method: 'POST', url, headers: this.#headers(token), body: JSON.stringify(body) }),
    );
  }

  /** Fetches the key before each PIN, so that an outdated key is never used. */
  async lock(pin: string): Promise<string | null> {
    const answer = await this.call('key', {});
    const parsed = answer.kind === 'answer' && answer.status < 400 ? keyAnswer.safeParse(answer.json) : null;
    return parsed?.success ? rsaEncrypt(pin, { base64Der: parsed.data.key, oaepHash: this.#settings.oaepHash }) : null;
  }

  #headers(token: string): Record<string, string> {
    const { country, currency, headers } = this.#settings;
    const filled = Object.entries(headers).map(([name, value]) => [name, fill(value, { token, country, currency })]);
    return { 'content-type': 'application/json', ...Object.fromEntries(filled) };
  }

  async #fetchToken() {
    const { url, paths, clientId, clientSecret } = this.#settings;
    const answer = await this.#http.call({
      method: 'POST',
      url: url + paths.token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }),
    });
    const parsed = answer.kind === 'answer' && answer.status < 400 ? tokenAnswer.safeParse(answer.json) : null;
    return parsed?.success ? { value: parsed.data.access_token, lifeSeconds: parsed.data.expires_in } : null;
  }
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '');
}
