import { toWall } from '@portal/domain/zoned-time.ts';
import { AccessToken } from '../access-token.ts';
import type { HttpAnswer, HttpClient } from '../http-client.ts';
import type { Terms } from '../provider-terms.ts';
import { isTokenRefused, type PulledRow, readPullPage, tokenAnswer } from './messages.ts';

export interface MpesaSettings extends Terms {
  url: string;
  consumerKey: string;
  consumerSecret: string;
  shortCode: string;
  passkey: string;
  /** The user who may reverse payments; its password, encrypted with the provider's certificate, follows. */
  initiator: string;
  securityCredential: string;
  /** The time zone of the provider's timestamps. */
  timeZone: string;
  /** The portal's time; the clock of this machine may be wrong. */
  now: () => Date;
  /** Digits without plus. */
  countryCode: string;
  currency: string;
  /** Minor digits of the currency; the provider only takes whole major units. */
  digits: number;
  /** The callback URL, to which a payment's reference and its MAC are appended. */
  callbackUrl: string;
  /** The key of that MAC. */
  callbackKey: string;
}

const mostPages = 10_000;

/** Transport for Daraja: token, password, timestamps. messages.ts reads the responses. */
export class MpesaClient {
  readonly #http: HttpClient;
  readonly #settings: MpesaSettings;
  readonly #token: AccessToken;

  constructor(http: HttpClient, settings: MpesaSettings) {
    this.#http = http;
    this.#settings = settings;
    this.#token = new AccessToken(() => this.#fetchToken());
  }

  post(path: string, body: unknown): Promise<HttpAnswer> {
    const text = JSON.stringify(body);
    return this.#token.send(
      (token) =>
        this.#http.call({
          method: 'POST',
          url: this.#settings.url + path,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: text,
        }),
      isTokenRefused,
    );
  }

  /** The three fields that authenticate a request of the shop. */
  credentials(now: Date) {
    const { shortCode, passkey } = this.#settings;
    const Timestamp = this.#timeAt(now, '');
    const Password = Buffer.from(`${shortCode}${passkey}${Timestamp}`).toString('base64');
    return { BusinessShortCode: shortCode, Password, Timestamp };
  }

  /** All transactions of the shop in a range; null if any page of the list is unclear. */
  async pull(from: Date, to: Date): Promise<PulledRow[] | null> {
    const dates = { StartDate: this.#timeAt(from, '-'), EndDate: this.#timeAt(to, '-') };
    const rows = new Map<string, PulledRow>();
    for (let page = 0; page < mostPages; page += 1) {
      const body = { ShortCode: this.#settings.shortCode, ...dates, OffSetValue: String(rows.size) };
      const read = readPullPage(await this.post('/pulltransactions/v1/query', body), this.#settings.digits);
      if (!read) return null;
      if (read.length === 0) return [...rows.values()];
      for (const row of read) {
        if (rows.has(row.transactionId)) return null;
        rows.set(row.transactionId, row);
      }
    }
    return null;
  }

  #timeAt(at: Date, separator: '' | '-'): string {
    const iso = at.toISOString();
    const time = `${toWall(iso, this.#settings.timeZone)}:${iso.slice(17, 19)}`;
    return separator === '' ? time.replace(/\D/g, '') : time.replace('T', ' ');
  }

  async #fetchToken() {
    const { consumerKey, consumerSecret, url } = this.#settings;
    const basic = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64');
    const answer = await this.#http.call({
      method: 'GET',
      url: `${url}/oauth/v1/generate?grant_type=client_credentials`,
      headers: { authorization: `Basic ${basic}` },
    });
    const parsed = answer.kind === 'answer' && answer.status < 400 ? tokenAnswer.safeParse(answer.json) : null;
    return parsed?.success ? { value: parsed.data.access_token, lifeSeconds: parsed.data.expires_in } : null;
  }
}
