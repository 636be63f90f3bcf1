import { type Bundle, isUnlimitedValidity, otherPeriods } from '@portal/domain/bundle.ts';
import type { Translate } from '../../lib/translate.ts';

export interface Fact {
  kind: 'data' | 'voice' | 'sms';
  label: string;
  value: string;
}

/** Normalises numbers, whatever their format. */
const plainly = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/\s/g, ' ')
    .replaceAll(/(\d)[ ,.](?=\d{3}\b)/g, '$1');

/** Texts of a bundle: its contents, largest first on screen, and its validity. */
export function bundleWords(t: Translate, plain: (amount: number) => string) {
  function amountWords(amount: string, unit = ''): string {
    const text = amount.trim();
    // As the charging system writes it, or as the catalogue table does.
    const isUnlimited = /^(-1|unlimited)$/i.test(text);
    const shown = isUnlimited ? t('bundles.unlimited') : Number.isNaN(Number(text)) ? text : plain(Number(text));
    return `${shown} ${unit}`.trim();
  }

  return {
    facts({ data, dataUnit, voice, voiceUnit, sms }: Bundle): Fact[] {
      return [
        data && { kind: 'data' as const, label: t('bundles.data'), value: amountWords(data, dataUnit) },
        voice && { kind: 'voice' as const, label: t('bundles.voice'), value: amountWords(voice, voiceUnit) },
        sms && { kind: 'sms' as const, label: t('bundles.sms'), value: amountWords(sms) },
      ].filter((fact): fact is Fact => Boolean(fact));
    },

    /** A figure on its own: data and calls have a unit, messages need their noun. */
    headline(bundle: Bundle): string {
      const [first] = this.facts(bundle);
      if (!first) return bundle.name;
      return first.kind === 'sms' ? `${first.value} ${first.label}` : first.value;
    },

    validity(bundle: Pick<Bundle, 'validity' | 'validityUnit'>): string {
      if (isUnlimitedValidity(bundle)) return t('bundles.unlimitedValidity');
      const { validity, validityUnit = 'DAYS' } = bundle;
      const one = Number(validity) === 1;
      if (/^(day|jour|andro)/i.test(validityUnit))
        return one ? t('bundles.day') : t('bundles.days', { count: validity });
      if (/^(hour|heure|ora)/i.test(validityUnit))
        return one ? t('bundles.hour') : t('bundles.hours', { count: validity });
      return `${validity} ${validityUnit}`;
    },

    /** Whether its description only repeats the facts beside it. */
    isRepeated(bundle: Bundle): boolean {
      const said = this.facts(bundle).flatMap(({ value, label }) => [value, label]);
      const rest = [...said, this.validity(bundle)].reduce(
        (text, words) => text.replaceAll(plainly(words), ' '),
        plainly(bundle.description),
      );
      return !/[\p{L}\d]/u.test(rest);
    },

    /** Whether its name tells all that is inside. */
    isNamed(bundle: Bundle): boolean {
      const name = plainly(bundle.name);
      return this.facts(bundle).every(({ value }) => name.includes(plainly(value)));
    },

    period(periodType: string | undefined): string {
      return periodType && periodType !== otherPeriods ? periodType : t('bundles.others');
    },

    /** '22:00-06:00' in words; null for one that is valid all day. */
    hours(hours: string | undefined): string | null {
      const [from, to] = hours?.split('-') ?? [];
      return from && to ? t('bundles.between', { from, to }) : null;
    },
  };
}
