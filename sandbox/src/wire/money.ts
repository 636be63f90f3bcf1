import { parseMajor, toMajorString } from '@portal/domain/money.ts';
import type { SandboxSettings } from '../settings.ts';

type Currencies = Pick<SandboxSettings, 'currency' | 'currencyDigits' | 'secondCurrency'>;

/** Decimal digits of a currency; undefined for one that the operator does not accept. */
export function digitsOf({ currency, currencyDigits, secondCurrency }: Currencies, code: unknown): number | undefined {
  if (code === currency) return currencyDigits;
  return code !== undefined && code === secondCurrency ? 0 : undefined;
}

/** Converts a wire amount, in major units as a number or text, to the smallest unit. */
export function minorFrom(value: unknown, digits: number): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  return parseMajor(String(value), digits) ?? undefined;
}

export function majorOf(amount: number, digits: number): number {
  return Number(toMajorString(amount, digits));
}

/** For display: 'USD 2.50'. */
export function shownMoney(amount: number, code: string, settings: Currencies): string {
  const digits = digitsOf(settings, code) ?? 0;
  const hasFraction = !Number.isInteger(amount / 10 ** digits);
  const minimumFractionDigits = hasFraction ? 2 : 0;
  return `${code} ${(amount / 10 ** digits).toLocaleString('en', { minimumFractionDigits })}`;
}
