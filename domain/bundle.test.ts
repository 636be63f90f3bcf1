import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Bundle,
  bundleIcon,
  gigabytes,
  groupBundles,
  isUnlimitedValidity,
  pricePerGigabyte,
  validityHours,
} from './bundle.ts';

const bundle = (over: Partial<Bundle>): Bundle => ({
  name: 'Day',
  category: 'Data',
  description: '1 GB for a day',
  data: '1',
  dataUnit: 'GB',
  validity: '1',
  validityUnit: 'day',
  periodType: 'Daily',
  amount: 1000,
  currency: 'MGA',
  productCode: 'D1',
  ...over,
});

describe('the bundle list', () => {
  test('BUN-1 categories are alphabetical, bundles go by validity, unlimited last, missing period is Others', () => {
    const groups = groupBundles([
      bundle({ category: 'Voice', productCode: 'V1' }),
      bundle({ productCode: 'never', validity: '-1', validityUnit: undefined }),
      bundle({ productCode: 'month', validity: '1', validityUnit: 'Month' }),
      bundle({ productCode: 'week', validity: '7', validityUnit: 'Days' }),
      bundle({ productCode: 'hours', validity: '12', validityUnit: 'hours', periodType: undefined }),
      bundle({ category: 'international', productCode: 'I1', periodType: '' }),
    ]);
    expect(groups.map(({ category }) => category)).toEqual(['Data', 'international', 'Voice']);
    expect(groups[0]?.bundles.map(({ productCode }) => productCode)).toEqual(['hours', 'week', 'month', 'never']);
    expect(groups[0]?.bundles[0]?.periodType).toBe('Others');
    expect(groups[1]?.bundles[0]?.periodType).toBe('Others');
    expect(groups[0]?.bundles[1]?.periodType).toBe('Daily');
  });

  test('equal validity goes by price', () => {
    const [group] = groupBundles([bundle({ amount: 3000 }), bundle({ amount: 1000 }), bundle({ amount: 2000 })]);
    expect(group?.bundles.map(({ amount }) => amount)).toEqual([1000, 2000, 3000]);
  });

  test('grouping loses no bundle', () => {
    const some = fc.array(
      fc.record({ category: fc.constantFrom('a', 'B', 'c'), validity: fc.constantFrom('-1', '1', '30') }).map(bundle),
    );
    fc.assert(
      fc.property(some, (bundles) => {
        expect(groupBundles(bundles).flatMap((group) => group.bundles)).toHaveLength(bundles.length);
      }),
    );
  });
});

test('validity is compared across units', () => {
  expect(isUnlimitedValidity({ validity: '-1' })).toBe(true);
  expect(isUnlimitedValidity({ validity: '1' })).toBe(false);
  const inHours = (validity: string, validityUnit: string) => validityHours({ validity, validityUnit });
  expect(inHours('24', 'Hours')).toBe(inHours('1', 'DAY'));
  expect(inHours('7', 'jours')).toBe(inHours('1', 'semaine'));
  expect(inHours('30', 'days')).toBe(inHours('1', 'mois'));
  expect(inHours('7', 'andro')).toBe(inHours('1', 'herinandro'));
  expect(inHours('365', 'jours')).toBe(inHours('1', 'an'));
  expect(inHours('90', 'minutes')).toBe(1.5);
  expect(inHours('soon', 'days')).toBe(0);
});

test.each([
  ['Data bundles', 'data'],
  ['Home INTERNET', 'internet'],
  ['SMS packs', 'sms'],
  ['International calls', 'international'],
  ['Roaming', 'roaming'],
  ['Voice', 'default'],
] as const)('BUN-2 %s has the icon %s', (category, icon) => {
  expect(bundleIcon(category)).toBe(icon);
});

test('price per gigabyte works for every unit and is null without data', () => {
  expect(pricePerGigabyte({ amount: 1000, data: '512', dataUnit: 'MB' })).toBe(2000);
  expect(pricePerGigabyte({ amount: 3000, data: '1.5', dataUnit: 'Go' })).toBe(2000);
  expect(pricePerGigabyte({ amount: 2048, data: '2', dataUnit: 'TB' })).toBe(1);
  expect(pricePerGigabyte({ amount: 1000, data: '-1', dataUnit: 'GB' })).toBeNull();
  expect(pricePerGigabyte({ amount: 1000, data: 'Unlimited', dataUnit: 'GB' })).toBeNull();
  expect(pricePerGigabyte({ amount: 1000 })).toBeNull();
});

test('spaces around catalogue values are ignored', () => {
  expect(isUnlimitedValidity({ validity: ' -1 ' })).toBe(true);
  expect(validityHours({ validity: '1', validityUnit: ' Hours ' })).toBe(1);
  expect(gigabytes({ data: ' 2 ', dataUnit: ' GB ' })).toBe(2);
});

test('a validity without a unit is in days, and a unit is matched by prefix', () => {
  expect(validityHours({ validity: '2' })).toBe(48);
  for (const unit of ['admin', 'quinzemois', 'jours par semaine', 'dixheures', 'douze ans'])
    expect(validityHours({ validity: '1', validityUnit: unit }), unit).toBe(24);
});

test('data that is missing or not in bytes has no size', () => {
  expect(gigabytes({ data: '1' })).toBeNull();
  expect(gigabytes({ data: '0', dataUnit: 'GB' })).toBeNull();
  expect(gigabytes({ dataUnit: 'GB' })).toBeNull();
  expect(gigabytes({ data: '3', dataUnit: 'songs' })).toBeNull();
  expect(gigabytes({ data: '1048576', dataUnit: 'KB' })).toBe(1);
});

test('categories that differ only in accents or case keep their order', () => {
  const groups = groupBundles([bundle({ category: 'été' }), bundle({ category: 'ETE' }), bundle({ category: 'a' })]);
  expect(groups.map(({ category }) => category)).toEqual(['a', 'été', 'ETE']);
});
