import type { SheetAlarm, SheetChange } from '@portal/contract/console/sheets.ts';
import type { Sheet } from './sheet.ts';

const shownPrices = 20;

const amountOf = (cell: string | undefined) => Number((cell ?? '').trim().replace(',', '.'));
const isFarFrom = (before: number, after: number) => before > 0 && after > 0 && Math.abs(after - before) * 2 > before;

/** Warns of prices that change by more than half, or a tenth of the table ending: a typing error or half a file. */
export function alarmOf(sheet: Pick<Sheet, 'columns'>, changes: readonly SheetChange[], total: number): SheetAlarm {
  const money = sheet.columns.filter(({ kind }) => kind === 'money').map(({ name }) => name);
  const prices = changes.flatMap(({ key, before: [old], after }) =>
    money.flatMap((column) => {
      const far = old && after.find(({ cells }) => isFarFrom(amountOf(old.cells[column]), amountOf(cells[column])));
      return far ? [{ key, column, before: old.cells, after: far.cells }] : [];
    }),
  );
  const ended = changes.filter(({ kind }) => kind === 'ended').length;
  // In a small table a single entry is a tenth; its end is told as it is.
  const isMuch = ended > 1 && ended * 10 > total;
  if (prices.length === 0 && !isMuch) return null;
  return { prices: prices.slice(0, shownPrices), priceCount: prices.length, ended, total: isMuch ? total : null };
}
