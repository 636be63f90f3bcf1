import { dualCurrency } from './constants.ts';
import { numberFormat } from './number-format.ts';
import type { OperatorPack } from './operator.ts';

/** How much of `to` one of `from` costs, as decimal text: a float would not say the same sum twice. */
export interface ExchangeRate {
  from: string;
  to: string;
  value: string;
  /** When whoever quotes it set it; ISO 8601. */
  at: string;
}

/** What was paid in the second currency, and the price it stands for. */
export interface Conversion extends ExchangeRate {
  /** In the first currency's minor units. */
  price: number;
}

const decimal = /^(\d{1,9})(?:\.(\d{1,15}))?$/;

/** Null for what is no rate: nothing, none at all, below none, without end, or a number written with an exponent. */
export function readRate(value: unknown): string | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const text = String(value).trim();
  return decimal.test(text) && /[1-9]/.test(text) ? text : null;
}

/** Minor units into minor units, exactly. A part of the smallest unit is rounded up, so that the sum covers the price. */
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

/** Cards and the rest are not worth their fee below one unit of the first currency: only the brand's wallet stays. */
export function keepsOnlyWallet(amount: number, { secondCurrency }: Currencies): boolean {
  return Boolean(secondCurrency) && amount < dualCurrency.leastMajorForAllOptions * dualCurrency.unitsPerMajor;
}

/** A way to pay takes the operator's first currency, and others where its pack says so. */
export function takesCurrency(
  method: Pick<OperatorPack['methods'][number], 'currencies'>,
  currency: string,
  { currency: first }: Pick<OperatorPack, 'currency'>,
): boolean {
  return (method.currencies ?? [first.code]).includes(currency);
}
