import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { en, type TextKey, type Texts } from '../texts/en.ts';
import { fr } from '../texts/fr.ts';
import { mg } from '../texts/mg.ts';

const packages: Record<string, Texts> = { en, fr, mg };
export const languageNames = { en: 'English', fr: 'Français', mg: 'Malagasy' } as const;
const stored = 'console-language';

/** Locale for dates and numbers: no browser supports Malagasy, and the country formats as in French. */
export const figuresOf = (code: string): string => ({ en: 'en-GB', mg: 'fr' })[code] ?? code;

export interface Language {
  code: string;
  choose(code: string): void;
  say(key: TextKey, parameters?: Readonly<Record<string, unknown>>): string;
  /** A text whose key contains a value of the server; falls back to that value. */
  sayOr(key: string): string;
}

const Context = createContext<Language | null>(null);

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [code, setCode] = useState(initialLanguage);
  useEffect(() => {
    document.documentElement.lang = code;
  }, [code]);
  const language = useMemo<Language>(() => {
    const texts = packages[code] ?? en;
    return {
      code,
      choose(next) {
        localStorage.setItem(stored, next);
        setCode(next);
      },
      say: (key, parameters = {}) =>
        texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole)),
      sayOr: (key) => (texts as Record<string, string>)[key] ?? key.split('.').slice(1).join(' '),
    };
  }, [code]);
  return <Context value={language}>{children}</Context>;
}

export function useLanguage(): Language {
  const language = useContext(Context);
  if (!language) throw new Error('no language is given');
  return language;
}

function initialLanguage(): string {
  const wanted = [localStorage.getItem(stored) ?? '', ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find((code) => code in packages) ?? 'en';
}
