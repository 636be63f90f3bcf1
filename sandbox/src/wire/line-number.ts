/**
 * The nine digits under which everything is stored, from any spelling of a number; undefined when it is none. Countries
 * with longer numbers use the same lines with a digit before them.
 */
export function lineNumberFrom(text: string): string | undefined {
  const digits = text.replace(/[\s.-]/g, '');
  return /^(?:\+?[1-9]\d{2}|0)?\d?(\d{9})$/.exec(digits)?.[1];
}

/** The charging system writes numbers with their leading 0 and knows no other spelling. */
export function lineNumberFromNational(text: string): string | undefined {
  return /^0\d?(\d{9})$/.exec(text)?.[1];
}

export function nationalNumber(number: string, prefix: string): string {
  return prefix + number;
}
