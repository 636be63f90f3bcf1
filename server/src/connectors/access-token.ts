import type { HttpAnswer } from './http-client.ts';

const refreshEarlySeconds = 15;

/** A provider's access token, cached until it expires. Concurrent callers share one fetch. */
export class AccessToken {
  readonly #fetch: () => Promise<{ value: string; lifeSeconds: number } | null>;
  #cached: { value: string; until: number } | null = null;
  #fetching: Promise<string | null> | null = null;

  constructor(fetch: () => Promise<{ value: string; lifeSeconds: number } | null>) {
    this.#fetch = fetch;
  }

  /**
   * A token may be revoked before it expires. A request refused for its token had no effect, so it is safe to send it
   * once more.
   */
  async send(
    send: (token: string) => Promise<HttpAnswer>,
    isTokenRefused: (answer: HttpAnswer) => boolean = isUnauthorised,
  ): Promise<HttpAnswer> {
    for (const isLast of [false, true]) {
      const token = await this.#value();
      if (token === null) break;
      const answer = await send(token);
      if (isLast || !isTokenRefused(answer)) return answer;
      if (this.#cached?.value === token) this.#cached = null;
    }
    return { kind: 'silence', detail: 'no access token', isUnsent: true };
  }

  async #value(): Promise<string | null> {
    if (this.#cached && this.#cached.until >= Date.now()) return this.#cached.value;
    this.#fetching ??= this.#renew().finally(() => {
      this.#fetching = null;
    });
    return this.#fetching;
  }

  async #renew(): Promise<string | null> {
    const fresh = await this.#fetch();
    if (!fresh) return null;
    const life = Math.max(fresh.lifeSeconds - refreshEarlySeconds, 1);
    this.#cached = { value: fresh.value, until: Date.now() + life * 1000 };
    return fresh.value;
  }
}

function isUnauthorised(answer: HttpAnswer): boolean {
  return answer.kind === 'answer' && answer.status === 401;
}
