import { type DateLanguage, writeDate } from '@portal/domain/date-format.ts';
import { formatMoney } from '@portal/domain/money.ts';

const statedDigits = 2;

/** The amount due, to the last hundredth that the bill states; what can be paid may be rounded. */
export function statedMoney(amount: number, currency: string, locale: string): string {
  return formatMoney({ amount: Math.round(amount * 10 ** statedDigits), currency }, locale, statedDigits);
}

/** A calendar day, so no time zone may shift it. */
export const calendarDate = (date: string, language: DateLanguage): string =>
  writeDate(new Date(`${date}T00:00:00Z`), language, { dateStyle: 'medium', timeZone: 'UTC' });
