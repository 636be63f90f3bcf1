import type { SheetChange } from '@portal/contract/console/sheets.ts';
import { expect, test } from 'vitest';
import { alarmOf } from './alarm.ts';
import { column } from './sheet.ts';

const sheet = { columns: [column('code'), column('price', { kind: 'money' })] };
const lineOf = (price: string) => ({ cells: { code: 'A', price }, from: null, until: null });
const change = (before: string, after: string): SheetChange => ({
  ...{ key: 'A', kind: 'changed', revision: 1, before: [lineOf(before)], after: [lineOf(after)] },
});
const ends = (count: number): SheetChange[] =>
  Array.from({ length: count }, (_, at) => ({ ...change('1', '1'), key: `${at}`, kind: 'ended', after: [] }));

test('a price that changes by more than half, up or down, is told with both figures; by half it is not', () => {
  for (const after of ['15000', '5000', '12000']) expect(alarmOf(sheet, [change('10000', after)], 50)).toBeNull();
  for (const after of ['15001', '4999', '100000'])
    expect(alarmOf(sheet, [change('10000', after)], 50)).toMatchObject({
      ...{ priceCount: 1, total: null },
      prices: [{ key: 'A', column: 'price', before: { price: '10000' }, after: { price: after } }],
    });
});

test('so is the end of more than a tenth of the entries, also of a table without prices; that of one entry is not', () => {
  expect(alarmOf(sheet, ends(5), 50)).toBeNull();
  expect(alarmOf(sheet, ends(6), 50)).toEqual({ prices: [], priceCount: 0, words: [], ended: 6, total: 50 });
  const places = { columns: [column('id')] };
  expect(alarmOf(places, ends(90), 92)).toEqual({ prices: [], priceCount: 0, words: [], ended: 90, total: 92 });
  expect(alarmOf(places, ends(1), 6)).toBeNull();
});

test('so are texts that still name what an offer contained or cost before', () => {
  const columns = [
    column('code'),
    column('data', { section: 'contents' }),
    column('price', { kind: 'money', section: 'price' }),
    column('name', { section: 'words' }),
    column('description', { section: 'words' }),
  ];
  const cellsOf = (data: string, price: string, name: string, description = '') => ({
    cells: { code: 'A', data, price, name, description },
    ...{ from: null, until: null },
  });
  const wordsAfter = (before: ReturnType<typeof cellsOf>, after: ReturnType<typeof cellsOf>) =>
    alarmOf({ columns }, [{ key: 'A', kind: 'changed', revision: 1, before: [before], after: [after] }], 50)?.words.map(
      (found) => [found.columns, found.was, found.now],
    ) ?? [];
  const before = cellsOf('100', '5000', 'Tselatra 100 MB', '100 MB, 1 day, MGA 5 000');
  expect(wordsAfter(before, cellsOf('200', '5000', 'Tselatra 100 MB', '200 MB, 1 day'))).toEqual([
    [['name'], '100', '200'],
  ]);
  expect(wordsAfter(before, cellsOf('100', '6000', 'Tselatra 100 MB', '100 MB, MGA 5,000'))).toEqual([
    [['description'], '5000', '6000'],
  ]);
  expect(wordsAfter(before, cellsOf('200', '6000', 'Tselatra 1000 MB', '200 MB rather than 100'))).toEqual([]);
});
