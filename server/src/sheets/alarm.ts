import type { SheetAlarm, SheetChange } from '@portal/contract/console/sheets.ts';
import type { Sheet } from './sheet.ts';

const shownRows = 20;

const amountOf = (cell: string | undefined) => Number((cell ?? '').trim().replace(',', '.'));
const isFarFrom = (before: number, after: number) => before > 0 && after > 0 && Math.abs(after - before) * 2 > before;

/** The grouping marks within numbers are left out, as 5 000 and 5,000 are. */
const withoutGrouping = (text: string) => text.replace(/(?<=\d)[ ,.\u00a0\u202f](?=\d{3}(?!\d))/g, '');
const figuresIn = (text: string): string[] => withoutGrouping(text).match(/\d+(?:[.,]\d+)?/g) ?? [];

type Words = NonNullable<SheetAlarm>['words'][number];

/** Texts of an entry that still name what it contained or cost before: a customer would read two different figures. */
function staleWords({ columns }: Pick<Sheet, 'columns'>, { key, before: [old], after }: SheetChange): Words[] {
  if (!old) return [];
  const figures = columns.filter(({ section, kind }) => section === 'contents' || kind === 'money');
  const texts = columns.filter(({ section }) => section === 'words').map(({ name }) => name);
  return after.flatMap(({ cells }) =>
    figures.flatMap(({ name }): Words[] => {
      const [was, now] = [old.cells[name] ?? '', cells[name] ?? ''];
      if (was === now || !/^\d/.test(was)) return [];
      const stale = texts.filter((text) => {
        const named = figuresIn(cells[text] ?? '');
        return named.includes(was) && !named.includes(now);
      });
      return stale.length > 0 ? [{ key, cells, columns: stale, was, now }] : [];
    }),
  );
}

/**
 * Warns of prices that change by more than half, of texts that contradict the figures, and of a tenth of the table
 * ending: a typing error or half a file.
 */
export function alarmOf(sheet: Pick<Sheet, 'columns'>, changes: readonly SheetChange[], total: number): SheetAlarm {
  const money = sheet.columns.filter(({ kind }) => kind === 'money').map(({ name }) => name);
  const prices = changes.flatMap(({ key, before: [old], after }) =>
    money.flatMap((column) => {
      const far = old && after.find(({ cells }) => isFarFrom(amountOf(old.cells[column]), amountOf(cells[column])));
      return far ? [{ key, column, before: old.cells, after: far.cells }] : [];
    }),
  );
  const words = changes.flatMap((change) => staleWords(sheet, change));
  const ended = changes.filter(({ kind }) => kind === 'ended').length;
  // In a small table a single entry is a tenth; its end is told as it is.
  const isMuch = ended > 1 && ended * 10 > total;
  if (prices.length === 0 && words.length === 0 && !isMuch) return null;
  return {
    prices: prices.slice(0, shownRows),
    priceCount: prices.length,
    words: words.slice(0, shownRows),
    ended,
    total: isMuch ? total : null,
  };
}
