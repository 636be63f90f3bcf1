import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { networksOf } from './client-networks.ts';

/** A random value, the network that got it as a keyed hash, and our seal on both. */
const pattern = /^([A-Za-z0-9_-]{22})([A-Za-z0-9_-]{11})([A-Za-z0-9_-]{22})$/;

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
  /** A new one for a browser at this address. */
  start(ip: string): string;
  /** Whose budget pays for what it does: the network that got the visit, wherever it is shown from now; as a keyed hash. */
  gotBy(request: { headers: Record<string, unknown>; ip: string }): string;
  /** As a browser sends it, and as it is told to keep it. */
  cookie(visit: string): string;
  setCookie(visit: string): string;
}

export function createVisits({ secret, isSecure }: { secret: string; isSecure: boolean }): Visits {
  // By this name a browser takes it from this very host over TLS alone, and from no other host of the same domain.
  const name = isSecure ? '__Host-visit' : 'visit';
  const keyed = (text: string, length: number) =>
    createHmac('sha256', secret).update(text).digest('base64url').slice(0, length);
  const hashed = (text: string) => keyed(text, 22);
  const networkOf = (ip: string) => keyed(`network of a visit ${networksOf(ip)[0]}`, 11);
  const sealOf = (value: string, network: string) => keyed(`visit ${value} got by ${network}`, 22);

  const inCookie = (header: unknown) => {
    const visit = cookieOf(header, name);
    const [, value = '', network = '', seal = ''] = pattern.exec(visit ?? '') ?? [];
    if (!seal || !timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(value, network)))) return null;
    return visit;
  };
  const cookie = (visit: string) => `${name}=${visit}`;
  const ofBrowser = (headers: Record<string, unknown>) => {
    const visit = inCookie(headers.cookie);
    return visit && hashed(visit);
  };
  return {
    of: ({ headers, ip }) => ofBrowser(headers) ?? networkVisit + hashed(`network ${networksOf(ip)[0]}`),
    ofBrowser,
    inCookie,
    start(ip) {
      const value = randomBytes(16).toString('base64url');
      const network = networkOf(ip);
      return value + network + sealOf(value, network);
    },
    gotBy: ({ headers, ip }) => pattern.exec(inCookie(headers.cookie) ?? '')?.[2] ?? networkOf(ip),
    cookie,
    setCookie: (visit) => `${cookie(visit)}; Path=/; SameSite=Lax; HttpOnly${isSecure ? '; Secure' : ''}`,
  };
}
