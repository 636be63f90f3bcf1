import { constants, createCipheriv, publicEncrypt, randomBytes, randomUUID } from 'node:crypto';

const country = { 'x-country': 'MG', 'x-currency': 'MGA' };

// The tests check the responses field by field.
// biome-ignore lint/suspicious/noExplicitAny: wire answers of many shapes
export type WireAnswer = any;

/** A merchant client of the wallet, written against the wire format and not against the emulator. */
export class WalletMerchant {
  readonly base: string;
  #token = '';
  #key: Buffer = Buffer.alloc(0);

  constructor(http: string) {
    this.base = `${http}/wallet`;
  }

  async login(): Promise<void> {
    await this.takeToken();
    const keys = (await (await this.get('/v1/rsa/encryption-keys')).json()) as WireAnswer;
    this.#key = Buffer.from(keys.data.key, 'base64');
  }

  async takeToken(): Promise<WireAnswer> {
    const credentials = {
      client_id: 'sandbox-wallet-client',
      client_secret: 'sandbox-wallet-secret',
      grant_type: 'client_credentials',
    };
    const answer = await fetch(`${this.base}/auth/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    });
    const token = (await answer.json()) as WireAnswer;
    this.#token = token.access_token;
    return token;
  }

  lock(text: string): string {
    const key = { key: this.#key, format: 'der', type: 'spki', padding: constants.RSA_PKCS1_OAEP_PADDING } as const;
    return publicEncrypt(key, Buffer.from(text)).toString('base64');
  }

  get(path: string): Promise<Response> {
    return fetch(this.base + path, { headers: { authorization: `Bearer ${this.#token}`, ...country } });
  }

  post(path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.base + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json', ...country, ...headers },
      body,
    });
  }

  async pay(
    msisdn: string,
    amount: number,
    options: { id?: string; signedBody?: string; pin?: string } = {},
  ): Promise<{ id: string; answer: WireAnswer }> {
    const id = options.id ?? randomUUID().replaceAll('-', '');
    const place = { country: 'MG', currency: 'MGA' };
    const pin = options.pin === undefined ? undefined : this.lock(options.pin);
    const order = {
      reference: 'Recharge',
      subscriber: { ...place, msisdn },
      transaction: { ...place, amount, id },
      pin,
    };
    const body = JSON.stringify(order);
    const key = randomBytes(32);
    const iv = randomBytes(16);
    const cipher = createCipheriv('aes-256-cbc', key, iv);
    const signature = Buffer.concat([cipher.update(options.signedBody ?? body), cipher.final()]).toString('base64');
    const response = await this.post('/merchant/v2/payments/', body, {
      'x-signature': signature,
      'x-key': this.lock(`${key.toString('base64')}:${iv.toString('base64')}`),
    });
    return { id, answer: await response.json() };
  }

  async enquire(id: string): Promise<WireAnswer> {
    return (await this.get(`/standard/v1/payments/${id}`)).json();
  }

  async refund(moneyId: string): Promise<WireAnswer> {
    const body = JSON.stringify({ transaction: { airtel_money_id: moneyId } });
    return (await this.post('/standard/v1/payments/refund', body)).json();
  }
}
