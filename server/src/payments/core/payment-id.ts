import { createHmac, randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idLength = 26;
/** Some providers take at most twelve characters. */
const shortLength = 12;

function textOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += alphabet[byte & 31];
  return text;
}

/** 130 random bits in letters and digits, which every provider takes as a reference and nobody can guess. */
export const newPaymentId = () => textOf(randomBytes(idLength));

/**
 * As hard to guess, but the same whenever the same attempt comes: where a restored database has lost the order, its
 * provider still knows the reference and refuses to take the money again.
 */
export const referencesBy =
  (secret: string) =>
  (attempt: string): { id: string; short: string } => {
    const bytes = createHmac('sha512', secret).update(`payment ${attempt}`).digest();
    return { id: textOf(bytes.subarray(0, idLength)), short: textOf(bytes.subarray(idLength, idLength + shortLength)) };
  };

export const paymentIdPattern = /^[0-9a-hjkmnp-tv-z]{26}$/;
/** 60 bits of the same letters: what an SMS and a receipt name it by. */
export const referencePattern = /^[0-9a-hjkmnp-tv-z]{12}$/;
