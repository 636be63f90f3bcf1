const made = new Map<string, Intl.NumberFormat>();

/** Making a format costs a hundred times what using it does, and a page writes a hundred amounts. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options);
  let format = made.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, options);
    made.set(key, format);
  }
  return format;
}
