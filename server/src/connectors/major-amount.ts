import { parseMajor, toMajorString } from '@portal/domain/money.ts';

/** Minor digits of a currency, where a provider counts in major units and the portal never does. */
export type DigitsOf = (currency: string) => number;

export function majorNumber(amount: number, digits: number): number {
  return Number(toMajorString(amount, digits));
}

/** For providers that know no fractions; null for an amount that has one. */
export function wholeMajor(amount: number, digits: number): number | null {
  const text = toMajorString(amount, digits);
  return /^\d+(\.0+)?$/.test(text) ? Number(text) : null;
}

/** Never through arithmetic on floats: the shortest text of a JSON number is what was sent. Null for what is no such amount. */
export function minorAmount(major: number | string, digits: number): number | null {
  return parseMajor(String(major), digits);
}
