import { writeDate } from '@portal/domain/date-format.ts';
import { type Language, withPrefix } from '@portal/domain/language.ts';
import { digitsOf, formatMoney } from '@portal/domain/money.ts';
import { groupNational, readNational } from '@portal/domain/msisdn.ts';
import { writeNumber } from '@portal/domain/number-format.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { createContext, use } from 'react';
import type { Api, Failure } from './api.ts';
import type { Translate } from './translate.ts';

/** What a posted form comes back with when something in it was wrong: the words typed, and what to say beside them. */
export interface FormState {
  values: Record<string, string>;
  /** Text keys by field; `form` is about the whole. */
  errors: Record<string, { key: string; params?: Record<string, string | number> } | { text: string }>;
}

/** Everything a screen may know about where it stands. */
export interface Page {
  operator: PublicPack;
  language: PublicPack['languages'][number];
  t: Translate;
  api: Api;
  /** Path without language prefix, and query, of what is shown. */
  path: string;
  query: Readonly<Record<string, string>>;
  form: FormState | null;
  sandbox: boolean;
  href(path: string): string;
  /** `stay` leaves the reader where they are: for an address that follows what is set on a screen. */
  navigate(path: string, options?: { replace?: boolean; stay?: boolean }): void;
  /** Somebody is likely to go there next: its script and words may come ahead of time. */
  prepare(path: string): void;
  changeLanguage(code: string): void;
  /** Counts how a flow ended; no number, address, code or PIN is ever part of it. */
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

/** Money and numbers the way this operator and this language write them. */
export function useFormats() {
  const { operator, language } = usePage();
  const prefix = `+${operator.numbering.countryCode}`;
  const group = (national: string) => groupNational(national, operator.numbering.groups);
  return {
    money: (amount: number, currency = operator.currency.code) =>
      formatMoney({ amount, currency }, language.formats, digitsOf(operator, currency)),
    plain: (amount: number) => writeNumber(String(Math.round(amount * 1000) / 1000), language.formats),
    dateTime: (iso: string) =>
      writeDate(new Date(iso), language, { dateStyle: 'medium', timeStyle: 'short', timeZone: operator.timeZone }),
    group,
    /** Whole, among other words: it is never broken in two. */
    number: (national: string) => `${prefix} ${group(national)}`.replaceAll(' ', '\u00a0'),
    read: (text: string) => readNational(text, operator.numbering),
    prefix,
  };
}

/** What a failed call says beside a field of a posted form: the server's words, else the text under the key. */
export const failureError = (failure: Failure, key: string): FormState['errors'][string] =>
  failure.isSaid ? { text: failure.message } : { key };

/** The words for a field of a posted form, if something is wrong with it. */
export function formError(form: FormState | null, field: string, t: Translate): string | undefined {
  const error = form?.errors[field];
  if (!error) return undefined;
  return 'text' in error ? error.text : t(error.key, error.params);
}
