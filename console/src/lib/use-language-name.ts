import { useLanguage } from './language.tsx';

/** What a language of the operator is called in the reader's own. */
export function useLanguageName(): (locale: string) => string {
  const { code } = useLanguage();
  // No browser knows the names in Malagasy.
  const names = new Intl.DisplayNames([code === 'mg' ? 'fr' : code], { type: 'language', fallback: 'code' });
  return (locale) => names.of(locale.slice(0, 2)) ?? locale;
}
