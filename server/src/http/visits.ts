import { createHmac, randomBytes } from 'node:crypto';
import { networksOf } from './client-networks.ts';

const pattern = /^[A-Za-z0-9_-]{22}$/;

/** Of the cookies in a header, the one of that name. */
export function cookieOf(header: unknown, name: string): string | null {
  const found = String(header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? null;
}

const networkVisit = 'network-';
/** Many people share a network, so what one of them did is not asked of the next. */
export const isOfBrowser = (visit: string | null): visit is string => visit !== null && !visit.startsWith(networkVisit);

/** Which browser asks, for as long as it stays open: codes and repeated orders are bound to it. */
export interface Visits {
  /** Whose codes, orders and proofs these are: the browser's, else the network's of a client that keeps no cookies. */
  of(request: { headers: Record<string, unknown>; ip: string }): string;
  /** Null for clients that keep no cookies. */
  ofBrowser(headers: Record<string, unknown>): string | null;
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
  const hashed = (text: string) => createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22);
  const ofBrowser = (headers: Record<string, unknown>) => {
    const visit = inCookie(headers.cookie);
    return visit && hashed(visit);
  };
  return {
    of: ({ headers, ip }) => ofBrowser(headers) ?? networkVisit + hashed(`network ${networksOf(ip)[0]}`),
    ofBrowser,
    inCookie,
    start: () => randomBytes(16).toString('base64url'),
    cookie,
    setCookie: (visit) => `${cookie(visit)}; Path=/; SameSite=Lax; HttpOnly${isSecure ? '; Secure' : ''}`,
  };
}
