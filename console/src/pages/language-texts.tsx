import { Textarea } from '@mantine/core';
import { useLanguage } from '../lib/language.tsx';
import { useMe } from '../lib/use-me.ts';
import type { TextKey } from '../texts/en.ts';

interface Props {
  label: TextKey;
  texts: Record<string, string>;
  change: (texts: Record<string, string>) => void;
  isRequired: boolean;
}

/** What customers read, once in each language of the operator. */
export function LanguageTexts({ label, texts, change, isRequired }: Props) {
  const { say, code } = useLanguage();
  const { languages } = useMe().operator;
  const names = new Intl.DisplayNames([code === 'mg' ? 'fr' : code], { type: 'language', fallback: 'code' });
  return languages.map((locale, place) => (
    <Textarea
      key={locale}
      lang={locale}
      label={`${say(label)} (${names.of(locale.slice(0, 2)) ?? locale})`}
      value={texts[locale] ?? ''}
      onChange={(event) => change({ ...texts, [locale]: event.currentTarget.value })}
      maxLength={300}
      autosize
      minRows={2}
      required={isRequired}
      data-autofocus={place === 0 ? true : undefined}
    />
  ));
}
