import { createHmac } from 'node:crypto';
import type { HttpAnswer, HttpClient } from '../http-client.ts';
import type { Terms } from '../provider-terms.ts';

export interface CrmSettings extends Terms {
  url: string;
  keyId: string;
  secret: string;
}

/** Signs time, method, path and body of every request, so that it cannot be altered or replayed. */
export class CrmClient {
  readonly #http: HttpClient;
  readonly #settings: CrmSettings;

  constructor(http: HttpClient, settings: CrmSettings) {
    this.#http = http;
    this.#settings = settings;
  }

  get(path: string): Promise<HttpAnswer> {
    return this.#call('GET', path, '');
  }

  post(path: string, body: unknown): Promise<HttpAnswer> {
    return this.#call('POST', path, JSON.stringify(body));
  }

  #call(method: 'GET' | 'POST', path: string, body: string): Promise<HttpAnswer> {
    const { url, keyId, secret } = this.#settings;
    const at = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', secret).update([at, method, path, body].join('\n')).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-key-id': keyId,
      'x-signed-at': at,
      'x-signature': signature,
    };
    return this.#http.call({ method, url: url + path, headers, ...(body ? { body } : {}) });
  }
}
