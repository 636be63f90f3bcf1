import { type DateLanguage, writeDate } from '@portal/domain/date-format.ts';
import { formatMoney } from '@portal/domain/money.ts';

const statedDigits = 2;

/** What is owed, to the last hundredth that the bill states: what can be paid may be coarser. */
export function statedMoney(amount: number, currency: string, locale: string): string {
  return formatMoney({ amount: Math.round(amount * 10 ** statedDigits), currency }, locale, statedDigits);
}

/** A day of the calendar is the same day everywhere, so no time zone may move it. */
export const calendarDate = (date: string, language: DateLanguage): string =>
  writeDate(new Date(`${date}T00:00:00Z`), language, { dateStyle: 'medium', timeZone: 'UTC' });
