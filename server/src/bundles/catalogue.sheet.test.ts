import { loadPack } from '@portal/operators/load-pack.ts';
import { describe, expect, test } from 'vitest';
import { catalogueSheet } from './catalogue.sheet.ts';

const pack = await loadPack('mg');
const sheet = catalogueSheet(pack);
const d1g7 = sheet.cellsOf(pack.catalogue.find(({ productCode }) => productCode === 'D1G7') as never);
const problems = (changes: Record<string, string>) => {
  const read = sheet.read({ ...d1g7, ...changes });
  return 'problems' in read ? read.problems.map(({ column, code }) => `${column} ${code}`) : [];
};

test.each(['mg', 'ng', 'cd'])('the catalogue of %s is the same after a round trip through cells', async (code) => {
  const other = await loadPack(code);
  const { cellsOf, read, columns } = catalogueSheet(other);
  for (const item of other.catalogue) {
    expect(read(cellsOf(item)), item.productCode).toEqual({ entry: item });
    expect(Object.keys(cellsOf(item)).sort()).toEqual(columns.map(({ name }) => name).sort());
  }
});

describe('a bundle', () => {
  test.each([
    ['price', '0', 'price notPrice'],
    ['price', '-5000', 'price notPrice'],
    ['price', '5000.5', 'price notPrice'],
    ['price', '5,000', 'price notPrice'],
    ['price', '5.000', 'price notPrice'],
    ['price', '5,5', 'price notPrice'],
    ['price', '1e3', 'price notPrice'],
    ['price', '99999999999', 'price notPrice'],
    ['price', '', 'price required'],
    ['currency', 'EUR', 'currency otherCurrency'],
    ['family', 'TV', 'family notChoice'],
    ['line', 'HYBRID', 'line notChoice'],
    ['validity_days', '0', 'validity_days notWhole'],
    ['validity_days', '7.5', 'validity_days notWhole'],
    ['hours', '25:00-06:00', 'hours notHours'],
    ['popular', 'perhaps', 'popular notChoice'],
    ['data', 'lots', 'data notContent'],
    ['data_unit', 'Go', 'data_unit notUnit'],
    ['data', '', 'data required'],
    ['code', 'd1 g7', 'code notCode'],
    ['name_fr', '', 'name_fr required'],
    ['period_mg', '', 'period_mg required'],
    ['description_en', 'x'.repeat(201), 'description_en tooLong'],
  ])('with %s %j', (column, value, problem) => {
    expect(problems({ [column]: value })).toContain(problem);
  });

  test('CNS-11 has a description that fits an SMS, accents aside', () => {
    expect(problems({ description_fr: '1 Go, Europe et îles – déjà' })).toEqual([]);
    expect(problems({ description_en: '1 GB 😀', description_mg: '1 Go ₽' })).toEqual([
      'description_en foreignLetters',
      'description_mg foreignLetters',
    ]);
  });

  test('must have contents', () => {
    const nothing = { data: '', data_unit: '', data_unit_shown_en: '', data_unit_shown_fr: '', data_unit_shown_mg: '' };
    expect(problems(nothing)).toEqual(['data nothingInside']);
  });

  test('is parsed as spreadsheets write it: grouped thousands, a decimal comma, texts in one line', () => {
    const read = sheet.read({ ...d1g7, price: '1 250 000', data: '1,5', name_fr: 'Tselatra\n1,5 Go', popular: 'oui' });
    expect(read).toMatchObject({
      entry: { amount: 1_250_000, data: { amount: '1.5' }, name: { FR: 'Tselatra 1,5 Go' }, popular: true },
    });
  });
});
