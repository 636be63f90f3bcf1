import type { HttpAnswer } from './http-client.ts';

const refreshEarlySeconds = 15;

/** A provider's access token, kept for its life and shared by whoever asks while it is fetched. */
export class AccessToken {
  readonly #fetch: () => Promise<{ value: string; lifeSeconds: number } | null>;
  #kept: { value: string; until: number } | null = null;
  #fetching: Promise<string | null> | null = null;

  constructor(fetch: () => Promise<{ value: string; lifeSeconds: number } | null>) {
    this.#fetch = fetch;
  }

  /** A token may be taken back before its time. Its refusal means that nothing was done, so sending once more is no second request. */
  async send(
    send: (token: string) => Promise<HttpAnswer>,
    isTokenRefused: (answer: HttpAnswer) => boolean = isUnauthorised,
  ): Promise<HttpAnswer> {
    for (const isLast of [false, true]) {
      const token = await this.#value();
      if (token === null) break;
      const answer = await send(token);
      if (isLast || !isTokenRefused(answer)) return answer;
      if (this.#kept?.value === token) this.#kept = null;
    }
    return { kind: 'silence', detail: 'no access token', isUnsent: true };
  }

  async #value(): Promise<string | null> {
    if (this.#kept && this.#kept.until >= Date.now()) return this.#kept.value;
    this.#fetching ??= this.#renew().finally(() => {
      this.#fetching = null;
    });
    return this.#fetching;
  }

  async #renew(): Promise<string | null> {
    const fresh = await this.#fetch();
    if (!fresh) return null;
    const life = Math.max(fresh.lifeSeconds - refreshEarlySeconds, 1);
    this.#kept = { value: fresh.value, until: Date.now() + life * 1000 };
    return fresh.value;
  }
}

function isUnauthorised(answer: HttpAnswer): boolean {
  return answer.kind === 'answer' && answer.status === 401;
}
