import { useLanguage } from '../lib/language.tsx';
import { useLanguageName } from '../lib/use-language-name.ts';
import { useMe } from '../lib/use-me.ts';
import type { TextKey } from '../texts/en.ts';
import { LongText } from '../ui/long-text.tsx';

interface Props {
  label: TextKey;
  texts: Record<string, string>;
  change: (texts: Record<string, string>) => void;
  isRequired: boolean;
}

/** A text for customers, once in each language of the operator. */
export function LanguageTexts({ label, texts, change, isRequired }: Props) {
  const { say } = useLanguage();
  const { languages } = useMe().operator;
  const nameOf = useLanguageName();
  return languages.map((locale) => (
    <LongText
      key={locale}
      lang={locale}
      label={`${say(label)} (${nameOf(locale)})`}
      value={texts[locale] ?? ''}
      change={(text) => change({ ...texts, [locale]: text })}
      most={300}
      autosize
      minRows={2}
      required={isRequired}
    />
  ));
}
