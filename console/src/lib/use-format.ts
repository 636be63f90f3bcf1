import { formatMoney } from '@portal/domain/money.ts';
import { numberFormat } from '@portal/domain/number-format.ts';
import { figuresOf, useLanguage } from './language.tsx';
import { useMe } from './use-me.ts';

/** Formats amounts and times for the operator's people, in the operator's time zone wherever they are. */
export function useFormat() {
  const { code: language } = useLanguage();
  const code = figuresOf(language);
  const { timeZone, currencies } = useMe().operator;
  const moment = new Intl.DateTimeFormat(code, { dateStyle: 'medium', timeStyle: 'medium', timeZone });
  const span = new Intl.DateTimeFormat(code, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const clock = new Intl.DateTimeFormat(code, { timeStyle: 'short', timeZone });
  const calendar = new Intl.DateTimeFormat(code, { dateStyle: 'medium', timeZone: 'UTC' });
  const unit = (count: number, name: 'day' | 'hour' | 'minute') =>
    count === 0 ? '' : numberFormat(code, { style: 'unit', unit: name, unitDisplay: 'short' }).format(count);
  return {
    /** A duration in its two largest units; empty while it has not ended. */
    span(from: string, to: string | null): string {
      if (to === null) return '';
      const minutes = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));
      const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
      return [unit(days, 'day'), unit(hours, 'hour'), days > 0 ? '' : unit(minutes % 60, 'minute')]
        .filter(Boolean)
        .join(' ');
    },
    /** Metres below a kilometre. */
    distance: (metres: number) =>
      numberFormat(code, {
        ...{ style: 'unit', unitDisplay: 'short', maximumSignificantDigits: 3 },
        unit: metres < 1000 ? 'meter' : 'kilometer',
      }).format(metres < 1000 ? Math.round(metres) : metres / 1000),
    /** A calendar day, such as 2026-03-02. */
    day: (date: string) => calendar.format(new Date(date)),
    time: (iso: string) => moment.format(new Date(iso)),
    /** Two moments, to the minute; what both have in common is said once. */
    timeRange: (from: string, to: string) => span.formatRange(new Date(from), new Date(to)),
    hour: (iso: string) => clock.format(new Date(iso)),
    digits: (currency: string) => currencies[currency] ?? 0,
    count: (value: number) => numberFormat(code, {}).format(value),
    /** A line never ends between the currency and the figure. */
    money: (amount: number, currency: string) =>
      formatMoney({ amount, currency }, code, currencies[currency] ?? 0).replace(' ', '\u00a0'),
  };
}
