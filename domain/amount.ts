/** Digits, or one sign between thousands and the same all along; then perhaps cents, of nothing, behind another sign. */
const whole = /^(?:\d+|[1-9]\d{0,2}(?:(?:,\d{3})+(?=$|\.)|(?:\.\d{3})+(?=$|,)))(?:[.,]00)?$/;

/**
 * Whole units as a person writes them, by whichever sign between the thousands. Where a comma or a point could mean a
 * fraction nothing is guessed: it would be a hundred times too much, or too little. Nor is a fraction cut off.
 */
export function readAmount(text: string): number | null {
  const written = text.replace(/\s/g, '');
  if (!whole.test(written)) return null;
  // What is more than can be counted is above every limit, and is told so.
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
