import type { SheetColumn } from '@portal/contract/console/sheets.ts';
import { parseMajor } from '@portal/domain/money.ts';
import { useLanguage } from './language.tsx';
import { useFormat } from './use-format.ts';

type Cells = Readonly<Record<string, string>>;

/** Text of a table cell: a price with its currency, a code as text, anything else unchanged. */
export function useCellWords(): (column: SheetColumn, cells: Cells) => string {
  const choiceWords = useChoiceWords();
  const { money, digits } = useFormat();
  return ({ name, kind }, cells) => {
    const cell = cells[name] ?? '';
    if (kind === 'choice') return choiceWords(cell);
    const { currency } = cells;
    if (kind !== 'money' || !currency) return cell;
    const amount = parseMajor(cell.trim().replace(',', '.'), digits(currency));
    return amount === null ? cell : money(amount, currency);
  };
}

/** Text for a code of a table. */
export function useChoiceWords(): (code: string) => string {
  const { sayOr } = useLanguage();
  return (code) => (code ? sayOr(`choice.${code}`) : '');
}
