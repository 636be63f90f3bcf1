/** The nine digits under which everything is stored, from any spelling of a Malagasy number; undefined when it is none. */
export function lineNumberFrom(text: string): string | undefined {
  const digits = text.replace(/[\s.-]/g, '');
  return /^(?:\+?261|0)?(\d{9})$/.exec(digits)?.[1];
}

/** The charging system writes numbers with their leading 0 and knows no other spelling. */
export function lineNumberFromNational(text: string): string | undefined {
  return /^0(\d{9})$/.exec(text)?.[1];
}

export function nationalNumber(number: string): string {
  return `0${number}`;
}
