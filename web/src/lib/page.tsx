import { writeDate } from '@portal/domain/date-format.ts';
import { type Language, withPrefix } from '@portal/domain/language.ts';
import { digitsOf, formatMoney } from '@portal/domain/money.ts';
import { groupNational, readNational } from '@portal/domain/msisdn.ts';
import { writeNumber } from '@portal/domain/number-format.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { createContext, type ReactNode, use } from 'react';
import type { Api, Failure } from './api.ts';
import { useHydrated } from './hydrated.ts';
import type { Translate } from './translate.ts';

/** A posted form that is rendered again because of errors: the typed values, and the message for each field. */
export interface FormState {
  values: Record<string, string>;
  /** Text keys by field; `form` is for the whole form. */
  errors: Record<string, { key: string; params?: Record<string, string | number> } | { text: string }>;
}

/** Everything a screen may know about its surroundings. */
export interface Page {
  operator: PublicPack;
  language: PublicPack['languages'][number];
  t: Translate;
  api: Api;
  /** Path without language prefix, and query, of the current page. */
  path: string;
  query: Readonly<Record<string, string>>;
  form: FormState | null;
  sandbox: boolean;
  href(path: string): string;
  /** `stay` keeps the scroll position and focus: for a URL that mirrors the settings of a screen. */
  navigate(path: string, options?: { replace?: boolean; stay?: boolean }): void;
  /** A likely next page: its script and texts may be prefetched. */
  prepare(path: string): void;
  changeLanguage(code: string): void;
  /** Counts the outcome of a flow; never with a number, address, code or PIN. */
  track(
    event: 'success' | 'failure',
    flow: 'recharge' | 'payment' | 'lead' | 'otp' | 'feedback',
    outcome?: string,
  ): void;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = use(PageContext);
  if (!page) throw new Error('a screen was rendered outside a page');
  return page;
}

export const hrefIn = (language: Language) => (path: string) => withPrefix(path, language);

/** Formats money and numbers for this operator and language. */
export function useFormats() {
  const { operator, language } = usePage();
  const prefix = `+${operator.numbering.countryCode}`;
  const group = (national: string) => groupNational(national, operator.numbering.groups);
  return {
    money: (amount: number, currency = operator.currency.code) =>
      unbroken(formatMoney({ amount, currency }, language.formats, digitsOf(operator, currency))),
    plain: (amount: number) => writeNumber(String(Math.round(amount * 1000) / 1000), language.formats),
    dateTime: (iso: string) =>
      writeDate(new Date(iso), language, { dateStyle: 'medium', timeStyle: 'short', timeZone: operator.timeZone }),
    group,
    number: (national: string) => unbroken(`${prefix} ${group(national)}`),
    read: (text: string) => readNational(text, operator.numbering),
    prefix,
  };
}

/** An amount or a number is read as one word, and stays on one line. */
export const unbroken = (text: string) => text.replaceAll(' ', '\u00a0');

/** Message for a failed call beside a field of a posted form: the server's, else the text of the key. */
export const failureError = (failure: Failure, key: string): FormState['errors'][string] =>
  failure.isSaid ? { text: failure.message } : { key };

/** The error text of a field of a posted form, if any. */
export function formError(form: FormState | null, field: string, t: Translate): string | undefined {
  const error = form?.errors[field];
  if (!error) return undefined;
  return 'text' in error ? error.text : t(error.key, error.params);
}

/**
 * Shown where no script of ours runs: disabled, or in a browser that is too old for it, which `noscript` does not
 * cover.
 */
export const WithoutScript = ({ children }: { children: ReactNode }) =>
  useHydrated() ? null : <div className="without-script">{children}</div>;
