const formats = new Map<string, Intl.DateTimeFormat>();

/** One for each locale and options, kept because making a format takes far longer than writing a date with it. */
export function keptDateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}
