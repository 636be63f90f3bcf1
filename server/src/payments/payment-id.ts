import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte & 31]).join('');
}

/** 130 random bits in letters and digits, which every provider takes as a reference and nobody can guess. */
export const newPaymentId = () => randomText(26);

/** Some providers take at most twelve characters. */
export const newShortReference = () => randomText(12);

export const paymentIdPattern = /^[0-9a-hjkmnp-tv-z]{26}$/;
