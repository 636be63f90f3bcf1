import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { en, type TextKey, type Texts } from '../texts/en.ts';
import { fr } from '../texts/fr.ts';
import { mg } from '../texts/mg.ts';

const packages: Record<string, Texts> = { en, fr, mg };
export const languageNames: Record<string, string> = { en: 'English', fr: 'Français', mg: 'Malagasy' };
const stored = 'console-language';

export interface Language {
  code: string;
  choose(code: string): void;
  say(key: TextKey, parameters?: Record<string, string | number>): string;
  /** A text whose key is put together from what the server said; the last part of the key where there is none. */
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
