import { numberFormat, writeNumber } from './number-format.ts';
import type { OperatorPack } from './operator.ts';

/** `amount` is an integer in the smallest unit of the currency that this portal uses. */
export type Money = { readonly amount: number; readonly currency: string };

export type MoneyRule = { readonly allowNegative?: boolean };

export function money(amount: number, currency: string, rule: MoneyRule = {}): Money {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`an amount must be a safe integer, not ${amount}`);
  if (amount < 0 && !rule.allowNegative) throw new RangeError(`an amount must not be negative: ${amount}`);
  if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError(`not a currency code: ${currency}`);
  return { amount, currency };
}

/** Minor digits of one of the operator's currencies. */
export function digitsOf(
  { currency, secondCurrency }: Pick<OperatorPack, 'currency' | 'secondCurrency'>,
  code: string,
): number {
  return code === secondCurrency?.code ? secondCurrency.digits : currency.digits;
}

/** The operator's own number of digits overrides the standard's. */
export function minorDigits(currency: string, operatorDigits?: number): number {
  if (operatorDigits !== undefined) return operatorDigits;
  const format = numberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

export function addMoney(left: Money, right: Money): Money {
  if (left.currency !== right.currency) throw new RangeError(`cannot add ${right.currency} to ${left.currency}`);
  return money(left.amount + right.amount, left.currency, { allowNegative: true });
}

/** Exact: '45250.40' with 2 digits is 4525040. Null if the text is not such a number or has too many digits. */
export function parseMajor(text: string, digits: number): number | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (!match) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (/[1-9]/.test(fraction.slice(digits))) return null;
  const amount = Number(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  if (!Number.isSafeInteger(amount)) return null;
  return sign && amount !== 0 ? -amount : amount;
}

export function toMajorString(amount: number, digits: number): string {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`an amount must be a safe integer, not ${amount}`);
  const padded = String(Math.abs(amount)).padStart(digits + 1, '0');
  const sign = amount < 0 ? '-' : '';
  if (digits === 0) return sign + padded;
  return `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}

/** The code, a space and the grouped amount, in every language alike; whole amounts carry no decimals. */
export function formatMoney(value: Money, locale: string, digits: number): string {
  const hasFraction = value.amount % 10 ** digits !== 0;
  // A decimal string keeps every digit; dividing would go through a float.
  const decimal = toMajorString(value.amount, digits);
  return `${value.currency} ${writeNumber(hasFraction ? decimal : (decimal.split('.')[0] ?? ''), locale)}`;
}

/** `amount` is in whole major units, the smallest that covers `minor`. */
export function roundUpToMajor(minor: number, digits: number): { amount: number; rounded: boolean } {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`an amount must be a safe integer, not ${minor}`);
  const scale = 10 ** digits;
  const rest = minor % scale;
  const whole = (minor - rest) / scale;
  // Adding 0 turns the -0 that JavaScript gives for small negative amounts into 0.
  return { amount: (rest > 0 ? whole + 1 : whole) + 0, rounded: rest !== 0 };
}
