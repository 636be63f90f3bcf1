/** Digits, or groups of three with one consistent separator; then optionally two zeros after the other separator. */
const whole = /^(?:\d+|[1-9]\d{0,2}(?:(?:,\d{3})+(?=$|\.)|(?:\.\d{3})+(?=$|,)))(?:[.,]00)?$/;

/**
 * Parses whole units, with either thousands separator. A comma or a point that could mean a fraction is refused rather
 * than guessed, since the amount would be wrong by a factor of a hundred. Fractions are never cut off.
 */
export function readAmount(text: string): number | null {
  const written = text.replace(/\s/g, '');
  if (!whole.test(written)) return null;
  // A number above the safe integers is above every limit, and is refused as such.
  return Math.min(Number(written.replace(/[.,]00$/, '').replace(/[.,]/g, '')), Number.MAX_SAFE_INTEGER);
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
