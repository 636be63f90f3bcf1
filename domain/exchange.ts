import { dualCurrency } from './constants.ts';
import { numberFormat } from './number-format.ts';
import type { OperatorPack } from './operator.ts';

/** How much of `to` one of `from` costs, as decimal text, because a float is not exact. */
export interface ExchangeRate {
  from: string;
  to: string;
  value: string;
  /** When its source set it; ISO 8601. */
  at: string;
}

/** A price that was paid in the second currency, with the rate. */
export interface Conversion extends ExchangeRate {
  /** In the first currency's minor units. */
  price: number;
}

const decimal = /^(\d{1,9})(?:\.(\d{1,15}))?$/;

/** Null if invalid: missing, zero, negative, infinite, or in exponent notation. */
export function readRate(value: unknown): string | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const text = String(value).trim();
  return decimal.test(text) && /[1-9]/.test(text) ? text : null;
}

/** Converts minor units exactly. Fractions are rounded up, so that the amount covers the price. */
export function convertAmount(amount: number, rate: string, digits: { from: number; to: number }): number {
  const [, whole = '', fraction = ''] = decimal.exec(rate) ?? [];
  if (!whole || !Number.isSafeInteger(amount) || amount < 0)
    throw new RangeError(`cannot convert ${amount} at ${rate}`);
  const over = 10n ** BigInt(fraction.length + digits.from);
  const product = BigInt(amount) * BigInt(whole + fraction) * 10n ** BigInt(digits.to);
  const converted = Number((product + over - 1n) / over);
  if (!Number.isSafeInteger(converted)) throw new RangeError(`${amount} at ${rate} is more than can be counted`);
  return converted;
}

/** '1 USD = 2 800 CDF': the rate as a person reads it, with every digit it has. */
export function formatRate({ from, to, value }: Pick<ExchangeRate, 'from' | 'to' | 'value'>, locale: string): string {
  const format = numberFormat(locale, { maximumFractionDigits: 15, useGrouping: 'always' });
  return `1 ${from} = ${format.format(value as Intl.StringNumericLiteral)} ${to}`;
}

type Currencies = Pick<OperatorPack, 'currency' | 'secondCurrency'>;

/**
 * Below one unit of the first currency other methods cost more than they earn, so only the brand's wallet is offered.
 */
export function keepsOnlyWallet(amount: number, { secondCurrency }: Currencies): boolean {
  return Boolean(secondCurrency) && amount < dualCurrency.leastMajorForAllOptions * dualCurrency.unitsPerMajor;
}

/** A way to pay accepts the operator's first currency, and others if its pack lists them. */
export function takesCurrency(
  method: Pick<OperatorPack['methods'][number], 'currencies'>,
  currency: string,
  { currency: first }: Pick<OperatorPack, 'currency'>,
): boolean {
  return (method.currencies ?? [first.code]).includes(currency);
}
