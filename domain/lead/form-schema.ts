export type FormOption = { readonly value: string; readonly label?: string };

export type FormField = {
  readonly name: string;
  readonly label: string;
  /** 'select' and 'checkbox' are rendered as such; anything else is the type of a text input. */
  readonly type: string;
  readonly required?: boolean;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly errorMessage?: string;
  readonly placeholder?: string;
  readonly rank: number;
  readonly options?: readonly FormOption[];
  readonly countryCode?: string;
};

export type FormAction = { readonly type: string; readonly label: string; readonly rank: number };
export type FormSchema = { readonly fields: readonly FormField[]; readonly actions: readonly FormAction[] };
export type FormValue = string | boolean;
export type FormValues = Readonly<Record<string, FormValue | undefined>>;

export function byRank<T extends { readonly rank: number }>(items: readonly T[]): T[] {
  return [...items].sort((left, right) => left.rank - right.rank);
}

/** The specification shows two plus signs. */
export function shownCountryCode(field: Pick<FormField, 'countryCode'>): string | undefined {
  return field.countryCode ? `++${field.countryCode}` : undefined;
}
