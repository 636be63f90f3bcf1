import { randomBytes } from 'node:crypto';

/** Access tokens with a real expiry. */
export class AccessTokens {
  #lifeSeconds: number;
  #validUntil = new Map<string, number>();

  constructor(lifeSeconds: number) {
    this.#lifeSeconds = lifeSeconds;
  }

  issue(): { token: string; lifeSeconds: number } {
    const now = Date.now();
    for (const [token, until] of this.#validUntil) if (until <= now) this.#validUntil.delete(token);
    const token = randomBytes(24).toString('base64url');
    this.#validUntil.set(token, now + this.#lifeSeconds * 1000);
    return { token, lifeSeconds: this.#lifeSeconds };
  }

  accepts(authorization: string | undefined): boolean {
    const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
    return token !== undefined && (this.#validUntil.get(token) ?? 0) > Date.now();
  }
}
