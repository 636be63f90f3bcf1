/** A language as dates are written in it. */
export interface DateLanguage {
  formats: string;
  months?: readonly string[];
}

interface DateOptions {
  timeZone: string;
  dateStyle: 'medium' | 'long';
  timeStyle?: 'short';
}

/** Uses Intl, except for a language whose months are not in every browser: there the pack's month names. */
export function writeDate(at: Date, { formats, months }: DateLanguage, options: DateOptions): string {
  if (!months) return new Intl.DateTimeFormat(formats, options).format(at);
  const { timeZone, timeStyle } = options;
  const figures = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at);
  const [day, month, year, time] = figures.split(/\/|, /);
  return `${Number(day)} ${months[Number(month) - 1]} ${year}${timeStyle ? `, ${time}` : ''}`;
}
