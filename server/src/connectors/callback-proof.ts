import { createHash, timingSafeEqual } from 'node:crypto';

/** What providers may send as our own reference; anything else could not be one. */
export const referencePattern = /^[A-Za-z0-9._-]{1,64}$/;

/** Takes as long for a right text as for a wrong one, of whatever length. */
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
