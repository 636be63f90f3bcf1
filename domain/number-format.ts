const made = new Map<string, Intl.NumberFormat>();

/** Caches formats: creating one costs a hundred times its use, and a page formats a hundred amounts. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options);
  let format = made.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, options);
    made.set(key, format);
  }
  return format;
}

/** The separators of thousands and decimals; null if the locale does not group by three. */
export type NumberMarks = readonly [group: string, decimal: string] | null;

const marksByLocale = new Map<string, NumberMarks>();

export function numberMarks(locale: string): NumberMarks {
  let marks = marksByLocale.get(locale);
  if (marks === undefined) {
    const format = numberFormat(locale, { useGrouping: 'always', minimumFractionDigits: 1 });
    const parts = format.formatToParts(-1_234_567.8);
    const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
    marks = [part('group'), part('decimal')];
    if (written('-1234567.8', marks) !== format.format(-1_234_567.8)) marks = null;
    marksByLocale.set(locale, marks);
  }
  return marks;
}

/**
 * Sets separators that the server sent with the page, because creating the first format takes a tenth of a second on a
 * slow phone.
 */
export function knowMarks(locale: string, marks: NumberMarks): void {
  marksByLocale.set(locale, marks);
}

function written(decimal: string, [group, point]: readonly [string, string]): string {
  const [whole = '', fraction] = decimal.split('.');
  const grouped = whole.replace(/\d(?=(\d{3})+$)/g, `$&${group}`);
  return fraction === undefined ? grouped : grouped + point + fraction;
}

/** Formats a decimal string by the locale without losing digits. */
export function writeNumber(decimal: string, locale: string): string {
  const marks = numberMarks(locale);
  if (marks) return written(decimal, marks);
  const digits = decimal.split('.')[1]?.length ?? 0;
  const options = { useGrouping: 'always', minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return numberFormat(locale, options).format(decimal as Intl.StringNumericLiteral);
}
