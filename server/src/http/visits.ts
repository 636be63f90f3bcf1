import { createHmac, randomBytes } from 'node:crypto';

const pattern = /^[A-Za-z0-9_-]{22}$/;

/** Of the cookies in a header, the one of that name. */
export function cookieOf(header: unknown, name: string): string | null {
  const found = String(header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? null;
}

/** Which browser asks, for as long as it stays open: codes and repeated orders are bound to it. */
export interface Visits {
  /** What other tables know a visit by. Null for clients that are no browser. */
  of(headers: Record<string, unknown>): string | null;
  /** As it stands in the cookie; null where none came, or one that we never gave. */
  inCookie(header: unknown): string | null;
  start(): string;
  /** As a browser sends it, and as it is told to keep it. */
  cookie(visit: string): string;
  setCookie(visit: string): string;
}

export function createVisits({ secret, isSecure }: { secret: string; isSecure: boolean }): Visits {
  // By this name a browser takes it from this very host over TLS alone, and from no other host of the same domain.
  const name = isSecure ? '__Host-visit' : 'visit';
  const inCookie = (header: unknown) => {
    const visit = cookieOf(header, name);
    return visit && pattern.test(visit) ? visit : null;
  };
  const cookie = (visit: string) => `${name}=${visit}`;
  return {
    of(headers) {
      const visit = inCookie(headers.cookie);
      if (!visit) return null;
      return createHmac('sha256', secret).update(visit).digest('base64url').slice(0, 22);
    },
    inCookie,
    start: () => randomBytes(16).toString('base64url'),
    cookie,
    setCookie: (visit) => `${cookie(visit)}; Path=/; SameSite=Lax; HttpOnly${isSecure ? '; Secure' : ''}`,
  };
}
