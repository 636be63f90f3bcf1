import { parseMajor, toMajorString } from '@portal/domain/money.ts';

/** Minor digits of a currency, for providers that count in major units; the portal never does. */
export type DigitsOf = (currency: string) => number;

export function majorNumber(amount: number, digits: number): number {
  return Number(toMajorString(amount, digits));
}

/** For providers without fractions; null for an amount that has one. */
export function wholeMajor(amount: number, digits: number): number | null {
  const text = toMajorString(amount, digits);
  return /^\d+(\.0+)?$/.test(text) ? Number(text) : null;
}

/**
 * Works on the decimal text, never with float arithmetic: a JSON number's shortest text is what was sent. Null if it is
 * not an amount of that currency.
 */
export function minorAmount(major: number | string, digits: number): number | null {
  return parseMajor(String(major), digits);
}
