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
  expect(alarmOf(sheet, ends(6), 50)).toEqual({ prices: [], priceCount: 0, ended: 6, total: 50 });
  const places = { columns: [column('id')] };
  expect(alarmOf(places, ends(90), 92)).toEqual({ prices: [], priceCount: 0, ended: 90, total: 92 });
  expect(alarmOf(places, ends(1), 6)).toBeNull();
});
