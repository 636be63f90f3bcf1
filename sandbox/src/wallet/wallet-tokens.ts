import { randomBytes } from 'node:crypto';

const clientId = 'sandbox-wallet-client';
const clientSecret = 'sandbox-wallet-secret';

/** Access tokens that really expire. */
export class WalletTokens {
  #lifeSeconds: number;
  #validUntil = new Map<string, number>();

  constructor(lifeSeconds: number) {
    this.#lifeSeconds = lifeSeconds;
  }

  issue(client: { id: unknown; secret: unknown; grantType: unknown }) {
    if (client.grantType !== 'client_credentials') return undefined;
    if (client.id !== clientId || client.secret !== clientSecret) return undefined;
    const now = Date.now();
    for (const [token, until] of this.#validUntil) if (until <= now) this.#validUntil.delete(token);
    const token = randomBytes(24).toString('base64url');
    this.#validUntil.set(token, now + this.#lifeSeconds * 1000);
    return { access_token: token, token_type: 'bearer', expires_in: this.#lifeSeconds };
  }

  accepts(authorization: string | undefined): boolean {
    const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
    return token !== undefined && (this.#validUntil.get(token) ?? 0) > Date.now();
  }
}
