import { readAmount } from '@portal/domain/amount-input.ts';
import { parseMajor } from '@portal/domain/money.ts';

export type MoneyProblem = 'noAmount' | 'noCents' | 'tooManyCents' | 'unclearAmount';

/** Thousands separated by one sign, and a fraction by another. */
const withFraction = /^(\d+|\d{1,3}(?:([.,])\d{3})+)([.,])(\d+)$/;

/**
 * Parses a typed amount into the smallest unit of a currency with so many digits. A comma or a point that could mean
 * thousands as well as a fraction is refused rather than guessed.
 */
export function readMoney(text: string, digits: number): { amount: number } | { problem: MoneyProblem } {
  const written = text.replace(/\s/g, '');
  const [, whole = '', sign, point, fraction = ''] = withFraction.exec(written) ?? [];
  // 12.500 is twelve thousand five hundred, unless the currency has cents.
  if (digits > 0 && whole && !sign && fraction.length === 3) return { problem: 'unclearAmount' };
  const units = readAmount(written);
  if (units !== null) return amountOf(`${units}`, digits);
  if (!whole || sign === point) return { problem: 'noAmount' };
  if (digits === 0) return { problem: 'noCents' };
  if (fraction.length > digits) return { problem: 'tooManyCents' };
  return amountOf(`${whole.replace(/[.,]/g, '')}.${fraction}`, digits);
}

/** The same where any of several currencies may be meant; a problem where it is invalid in one of them. */
export function readSums(
  text: string,
  currencies: Readonly<Record<string, number>>,
): { sums: { amount: number; currency: string }[] } | { problem: MoneyProblem } {
  const read = Object.entries(currencies).map(([currency, digits]) => ({ currency, ...readMoney(text, digits) }));
  const sums = read.flatMap((one) => ('amount' in one ? [{ amount: one.amount, currency: one.currency }] : []));
  const [problem] = read.flatMap((one) => ('problem' in one ? [one.problem] : []));
  return sums.length > 0 ? { sums } : { problem: problem ?? 'noAmount' };
}

function amountOf(major: string, digits: number): { amount: number } | { problem: MoneyProblem } {
  const amount = parseMajor(major, digits);
  return amount ? { amount } : { problem: 'noAmount' };
}
