import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { networksOf } from './address-networks.ts';

/** A random value, a keyed hash of the network it was issued to, and a signature over both. */
const pattern = /^([A-Za-z0-9_-]{22})([A-Za-z0-9_-]{11})([A-Za-z0-9_-]{22})$/;

/** The value of the named cookie. */
export function cookieOf(header: unknown, name: string): string | null {
  const found = String(header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? null;
}

const networkVisit = 'network-';
/** A visit that stands for a network is shared by many people, so one person's history must not be applied to another. */
export const isOfBrowser = (visit: string | null): visit is string => visit !== null && !visit.startsWith(networkVisit);

/** Identifies a browser by a session cookie. Codes and repeated orders are bound to it. */
export interface Visits {
  /** The owner of codes, orders and proofs: the browser, or the network if the client keeps no cookies. */
  of(request: { headers: Record<string, unknown>; ip: string }): string;
  /** Null for clients that keep no cookies. */
  ofBrowser(headers: Record<string, unknown>): string | null;
  /** The value of the cookie; null if it is missing or was not issued by us. */
  inCookie(header: unknown): string | null;
  /** Issues a new visit to a browser at this address. */
  start(ip: string): string;
  /**
   * The keyed hash of the network whose budget is charged: the one that the visit was issued to, even if it is used
   * from another.
   */
  gotBy(request: { headers: Record<string, unknown>; ip: string }): string;
  /** The cookie as a browser sends it, and as Set-Cookie. */
  cookie(visit: string): string;
  setCookie(visit: string): string;
}

export function createVisits({ secret, isSecure }: { secret: string; isSecure: boolean }): Visits {
  // With the `__Host-` prefix a browser accepts the cookie only over TLS and from this very host, not from a sibling
  // domain.
  const name = isSecure ? '__Host-visit' : 'visit';
  const keyed = (text: string, length: number) =>
    createHmac('sha256', secret).update(text).digest('base64url').slice(0, length);
  const hashOf = (text: string) => keyed(text, 22);
  const networkOf = (ip: string) => keyed(`network of a visit ${networksOf(ip)[0]}`, 11);
  const signatureOf = (value: string, network: string) => keyed(`visit ${value} got by ${network}`, 22);

  const inCookie = (header: unknown) => {
    const visit = cookieOf(header, name);
    const [, value = '', network = '', signature = ''] = pattern.exec(visit ?? '') ?? [];
    if (!signature || !timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(value, network)))) return null;
    return visit;
  };
  const cookie = (visit: string) => `${name}=${visit}`;
  const ofBrowser = (headers: Record<string, unknown>) => {
    const visit = inCookie(headers.cookie);
    return visit && hashOf(visit);
  };
  return {
    of: ({ headers, ip }) => ofBrowser(headers) ?? networkVisit + hashOf(`network ${networksOf(ip)[0]}`),
    ofBrowser,
    inCookie,
    start(ip) {
      const value = randomBytes(16).toString('base64url');
      const network = networkOf(ip);
      return value + network + signatureOf(value, network);
    },
    gotBy: ({ headers, ip }) => pattern.exec(inCookie(headers.cookie) ?? '')?.[2] ?? networkOf(ip),
    cookie,
    setCookie: (visit) => `${cookie(visit)}; Path=/; SameSite=Lax; HttpOnly${isSecure ? '; Secure' : ''}`,
  };
}
