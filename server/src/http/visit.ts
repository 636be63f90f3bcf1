import { createHmac, randomBytes } from 'node:crypto';

export const visitCookie = 'visit';
const pattern = /^[A-Za-z0-9_-]{22}$/;

/** Of the cookies in a header, the one of that name. */
export function cookieOf(header: unknown, name: string): string | null {
  const found = String(header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? null;
}

/** Which browser asks, for as long as it stays open: codes and repeated orders are bound to it. Null for other clients. */
export function visitOf(headers: Record<string, unknown>, secret: string): string | null {
  const value = cookieOf(headers.cookie, visitCookie);
  if (!value || !pattern.test(value)) return null;
  return createHmac('sha256', secret).update(value).digest('base64url').slice(0, 22);
}

export const newVisit = () => randomBytes(16).toString('base64url');
