import { createHash, timingSafeEqual } from 'node:crypto';

/** References of ours that a provider may send back; anything else cannot be one. */
export const referencePattern = /^[A-Za-z0-9._-]{1,64}$/;

/** Compares in constant time, whatever the length. */
export function isSameText(given: unknown, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(expected));
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
