import { formatMoney } from '@portal/domain/money.ts';
import { useLanguage } from './language.tsx';
import { useMe } from './use-me.ts';

/** Amounts and times, as the operator's people read them: in the operator's time zone, wherever they sit. */
export function useFormat() {
  const { code: language } = useLanguage();
  // No browser knows how Malagasy writes dates and figures; the country writes them as in French.
  const code = language === 'mg' ? 'fr' : language;
  const { timeZone, currencies } = useMe().operator;
  const moment = new Intl.DateTimeFormat(code, { dateStyle: 'medium', timeStyle: 'medium', timeZone });
  const clock = new Intl.DateTimeFormat(code, { timeStyle: 'short', timeZone });
  const calendar = new Intl.DateTimeFormat(code, { dateStyle: 'medium', timeZone: 'UTC' });
  const unit = (count: number, name: 'day' | 'hour' | 'minute') =>
    count === 0 ? '' : new Intl.NumberFormat(code, { style: 'unit', unit: name, unitDisplay: 'narrow' }).format(count);
  return {
    /** How long it took, in the two largest units; nothing while it is not over. */
    span(from: string, to: string | null): string {
      if (to === null) return '';
      const minutes = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));
      const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
      return [unit(days, 'day'), unit(hours, 'hour'), days > 0 ? '' : unit(minutes % 60, 'minute')]
        .filter(Boolean)
        .join(' ');
    },
    /** A day of the calendar, such as 2026-03-02. */
    day: (date: string) => calendar.format(new Date(date)),
    time: (iso: string) => moment.format(new Date(iso)),
    hour: (iso: string) => clock.format(new Date(iso)),
    digits: (currency: string) => currencies[currency] ?? 0,
    money: (amount: number, currency: string) => formatMoney({ amount, currency }, code, currencies[currency] ?? 0),
  };
}
