import { createHmac, randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idLength = 26;
/** Some providers accept references of at most twelve characters. */
const shortLength = 12;

function textOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += alphabet[byte & 31];
  return text;
}

/** 130 random bits in letters and digits: accepted as a reference by every provider, and unguessable. */
export const newPaymentId = () => textOf(randomBytes(idLength));

/**
 * Derived from the attempt with a secret: unguessable, but the same on every retry. If a restored database lost the
 * order, the provider still knows the reference and refuses to take the money again.
 */
export const referencesBy =
  (secret: string) =>
  (attempt: string): { id: string; short: string } => {
    const bytes = createHmac('sha512', secret).update(`payment ${attempt}`).digest();
    return { id: textOf(bytes.subarray(0, idLength)), short: textOf(bytes.subarray(idLength, idLength + shortLength)) };
  };

export const paymentIdPattern = /^[0-9a-hjkmnp-tv-z]{26}$/;
/** 60 bits in the same alphabet: the short reference in SMS and receipts. */
export const referencePattern = /^[0-9a-hjkmnp-tv-z]{12}$/;
