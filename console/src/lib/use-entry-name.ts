import type { SheetColumn, SheetNames } from '@portal/contract/console/sheets.ts';
import { useLanguage } from './language.tsx';

type Cells = Readonly<Record<string, string>>;

/** What people call an entry, in the reader's language if the operator has it; empty where its key is its name. */
export function useEntryName() {
  const { code } = useLanguage();
  const chosen = (names: SheetNames): string =>
    (names.find(({ language }) => language === code) ?? names[0])?.name ?? '';
  const named = (key: string, name: string) => (name && name !== key ? `${key} – ${name}` : key);
  const nameIn = (cells: Cells | undefined, columns: readonly SheetColumn[]): string =>
    chosen(
      columns.filter(({ isName }) => isName).map(({ name, language }) => ({ language, name: cells?.[name] ?? '' })),
    );
  return {
    nameIn,
    /** Its key and its name. */
    entryIn: (key: string, cells: Cells | undefined, columns: readonly SheetColumn[]): string =>
      named(key, nameIn(cells, columns)),
    /** The same for what a proposal is called: the key of its first entry, and how many more there are. */
    proposed(name: string, names: SheetNames): string {
      const [, key = name, more = ''] = /^(.*?)( \+ \d+)?$/s.exec(name) ?? [];
      return `${named(key, chosen(names))}${more}`;
    },
  };
}
