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
  return {
    time: (iso: string) => moment.format(new Date(iso)),
    hour: (iso: string) => clock.format(new Date(iso)),
    digits: (currency: string) => currencies[currency] ?? 0,
    money: (amount: number, currency: string) => formatMoney({ amount, currency }, code, currencies[currency] ?? 0),
  };
}
