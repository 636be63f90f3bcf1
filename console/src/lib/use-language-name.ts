import { figuresOf, languageNames, useLanguage } from './language.tsx';

/** The name of an operator's language, in the reader's language. */
export function useLanguageName(): (locale: string) => string {
  const { code, say } = useLanguage();
  const names = new Intl.DisplayNames([figuresOf(code)], { type: 'language', fallback: 'code' });
  return (locale) => {
    const language = locale.slice(0, 2);
    // No browser has these names in Malagasy.
    return language in languageNames
      ? say(`language.${language as keyof typeof languageNames}`)
      : (names.of(language) ?? locale);
  };
}
