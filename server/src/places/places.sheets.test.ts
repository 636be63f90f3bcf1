import { loadPack } from '@portal/operators/load-pack.ts';
import { readPlaces } from '@portal/operators/places.ts';
import { expect, test } from 'vitest';
import type { Sheet, Table } from '../sheets/sheets.service.ts';
import { createPlaceTables } from './places.sheets.ts';

test.each(['mg', 'ng', 'cd'])(
  'D9 what %s brings of shops, sites and towns reads as a file of the console would',
  async (code) => {
    const brought: { sheet: Sheet<unknown>; entries: readonly unknown[] }[] = [];
    const keep = <Entry>(sheet: Sheet<Entry>, entries: readonly Entry[]) => {
      brought.push({ sheet: sheet as Sheet<unknown>, entries });
      return {} as Table<Entry>;
    };
    createPlaceTables({ keep }, await loadPack(code), readPlaces(code));
    expect(brought.map(({ sheet }) => sheet.name)).toEqual(['shops', 'sites', 'towns']);
    for (const { sheet, entries } of brought)
      for (const entry of entries) expect(sheet.read(sheet.cellsOf(entry))).toEqual({ entry });
    expect(brought.slice(0, 2).every(({ entries }) => entries.length > 100)).toBe(true);
  },
);

const cells = {
  ...{ id: 'S1', kind: 'shop', title: 'One', name: 'One - Town', latitude: '-18.9', longitude: '47.5' },
  ...{ address: 'Lot 1', phone: '', town: 'Town', region: 'Analamanga' },
};

async function shopSheet(): Promise<Sheet<unknown> | undefined> {
  let shops: Sheet<unknown> | undefined;
  const keep = <Entry>(sheet: Sheet<Entry>) => {
    if (sheet.name === 'shops') shops = sheet as Sheet<unknown>;
    return {} as Table<Entry>;
  };
  createPlaceTables({ keep }, await loadPack('mg'), readPlaces('mg'));
  return shops;
}

test('CNS-12 the phone of a shop is a number to call', async () => {
  const shops = await shopSheet();
  const codes = (phone: string) => {
    const found = shops?.read({ ...cells, phone });
    return found && 'problems' in found ? found.problems.map(({ column, code }) => `${column} ${code}`) : [];
  };
  for (const phone of ['', '034 12 345 67', '+261 34 12 345 67', '020 22 123-45', '300'])
    expect(codes(phone)).toEqual([]);
  for (const phone of ['javascript:alert(1)', '=cmd|x', 'not a phone', '12', '+', '034 12 345 67 (Rija)'])
    expect(codes(phone), phone).toEqual(['phone notPhone']);
});

test('CNS-12 a point that is in the country but for a lost minus is refused with the number that was meant', async () => {
  const shops = await shopSheet();
  const problems = (latitude: string, longitude: string) => {
    const found = shops?.read({ ...cells, latitude, longitude });
    return found && 'problems' in found
      ? found.problems.map(({ column, code, expected }) => `${column} ${code} ${expected}`)
      : [];
  };
  expect(problems('18.8792', '47.5079')).toEqual(['latitude otherSign -18.8792']);
  expect(problems('18,8792', '47.5079')).toEqual(['latitude otherSign -18.8792']);
  expect(problems('-18.8792', '-47.5079')).toEqual(['longitude otherSign 47.5079']);
  expect(problems('18.8792', '-47.5079')).toEqual(['latitude otherSign -18.8792', 'longitude otherSign 47.5079']);
  expect(problems('48.85', '2.35')).toEqual(['latitude outsideCountry null']);
});

test('opening hours of a shop are taken as they can be read, and refused with an example otherwise', async () => {
  const shops = await shopSheet();
  const read = (opening_hours: string) => shops?.read({ ...cells, opening_hours });
  expect(read('Mo-Sa 08:00-17:00')).toMatchObject({ entry: { hours: 'Mo-Sa 08:00-17:00' } });
  expect(read('')).toMatchObject({ entry: { hours: '' } });
  expect(read('8 to 5')).toMatchObject({
    problems: [{ column: 'opening_hours', code: 'notHours', expected: expect.stringContaining('Mo-Fr 08:00') }],
  });
  // A shop stored before there were opening hours.
  expect(shops?.cellsOf({ id: 'S1', lat: 1, lng: 2 })).toMatchObject({ opening_hours: '' });
});
