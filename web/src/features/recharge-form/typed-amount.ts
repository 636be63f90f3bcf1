import { type AmountLimits, amountProblem, readAmount } from '@portal/domain/amount-input.ts';
import { formatMoney } from '@portal/domain/money.ts';
import type { PublicPack } from '@portal/domain/operator.ts';

export interface AmountRead {
  /** Null when it is not a payable amount. */
  amount: number | null;
  /** Null while the field is empty. */
  error: { key: string; params?: Record<string, string> } | null;
}

/**
 * Parses an amount that was typed, pasted or posted: with and without script the result is the same amount, or the
 * same error.
 */
export function readTyped(
  typed: string,
  limits: AmountLimits,
  { code, digits }: PublicPack['currency'],
  locale: string,
): AmountRead {
  if (typed.trim() === '') return { amount: null, error: null };
  const amount = readAmount(typed);
  if (amount === null) return { amount, error: { key: 'recharge.amountWhole' } };
  const problem = amountProblem(amount, limits);
  if (!problem) return { amount, error: null };
  const bound = problem.kind === 'below' ? problem.min : problem.max;
  const params = { amount: formatMoney({ amount: bound, currency: code }, locale, digits) };
  return { amount: null, error: { key: problem.kind === 'below' ? 'recharge.minimum' : 'recharge.maximum', params } };
}

/** The text a refused form shows again: unchanged, so that nobody sends another amount without noticing. */
export const writtenBack = (typed: string): string => typed.slice(0, 40);
