import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface SealedTokens {
  seal(purpose: string, value: unknown, lifeSeconds: number): string;
  /** Null if the token was not issued here for this purpose, or has expired. */
  open(purpose: string, token: string): unknown;
}

const maximumLength = 4096;

/**
 * Without script, an order travels in the URL and contains a phone number. So tokens are encrypted and authenticated,
 * and the purpose is authenticated too, so that a token of one kind is never accepted as another.
 */
export function sealedTokens(secret: string, now: () => Date): SealedTokens {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sealed-token', 32));
  return {
    seal(purpose, value, lifeSeconds) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose));
      const text = JSON.stringify({ value, until: now().getTime() + lifeSeconds * 1000 });
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(purpose, token) {
      if (token.length > maximumLength) return null;
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length < 29) return null;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(purpose));
        decipher.setAuthTag(bytes.subarray(12, 28));
        const text = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
        const { value, until } = JSON.parse(text) as { value: unknown; until: number };
        return until > now().getTime() ? value : null;
      } catch {
        return null;
      }
    },
  };
}
