/** Spaces are what a grouped amount is pasted with; a comma or a point could mean a fraction and is refused. */
export function readAmount(text: string): number | null {
  const digits = text.replace(/\s/g, '');
  if (!/^\d+$/.test(digits)) return null;
  // What is more than can be counted is above every limit, and is told so.
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}

export type AmountLimits = { readonly min: number; readonly max: number };
export type AmountProblem =
  | { readonly kind: 'below'; readonly min: number }
  | { readonly kind: 'above'; readonly max: number };

export function amountProblem(amount: number, { min, max }: AmountLimits): AmountProblem | null {
  if (amount < min) return { kind: 'below', min };
  if (amount > max) return { kind: 'above', max };
  return null;
}
