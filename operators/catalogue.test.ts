import { bundleIcon, gigabytes } from '@portal/domain/bundle.ts';
import type { CatalogueItem } from '@portal/domain/operator.ts';
import { describe, expect, test } from 'vitest';
import { pack } from './mg/pack.ts';

const languages = pack.languages.map(({ code }) => code).sort();
const ofKind = (serviceType: CatalogueItem['serviceType']) =>
  pack.catalogue.filter((item) => item.serviceType === serviceType);
const sizeOf = ({ data }: CatalogueItem) => gigabytes({ data: data?.amount, dataUnit: data?.unit }) ?? Number.NaN;
const perGigabyte = (item: CatalogueItem) => item.amount / sizeOf(item);
const allDayData = ofKind('DATA').filter(({ hours, lineType }) => !hours && lineType === 'PREPAID');
const nightData = ofKind('DATA').filter(({ hours, data }) => hours && data?.unit);

describe('the catalogue', () => {
  test('sells at least eighty bundles, each with its own code', () => {
    expect(pack.catalogue.length).toBeGreaterThanOrEqual(80);
    expect(new Set(pack.catalogue.map(({ productCode }) => productCode)).size).toBe(pack.catalogue.length);
    for (const { productCode } of pack.catalogue) expect(productCode).toMatch(/^[A-Z][A-Z0-9.]{2,9}$/);
  });

  test('names every bundle in every language of the pack, without duplicates', () => {
    for (const item of pack.catalogue)
      for (const words of [item.name, item.category, item.description, item.periodType ?? item.name]) {
        expect(Object.keys(words).sort()).toEqual(languages);
        expect(Object.values(words).every((word) => word.trim() !== '')).toBe(true);
      }
    for (const language of languages) {
      const sold = pack.catalogue.filter(({ lineType }) => lineType === 'PREPAID');
      const texts = sold.map(({ category, description }) => `${category[language]}: ${description[language]}`);
      expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
    }
  });

  test('sells every bundle at a whole price, with some content', () => {
    for (const { amount, data, voice, sms } of pack.catalogue) {
      expect(Number.isSafeInteger(amount) && amount > 0).toBe(true);
      expect(Boolean(data || voice || sms)).toBe(true);
    }
  });

  test('has bundles for every kind of service, and for postpaid numbers', () => {
    const kinds = new Set(pack.catalogue.map(({ serviceType }) => serviceType));
    expect([...kinds].sort()).toEqual([
      'BROADBAND',
      'DATA',
      'HBB',
      'INTERNATIONAL',
      'MIXED',
      'ROAMING',
      'SMS',
      'VOICE',
    ]);
    expect(pack.catalogue.filter(({ lineType }) => lineType === 'POSTPAID').length).toBeGreaterThan(2);
    expect(pack.catalogue.some(({ validityDays }) => validityDays === -1)).toBe(true);
    expect(pack.catalogue.some(({ periodType }) => periodType === undefined)).toBe(true);
  });

  test('has prices per gigabyte within the local range, and lower ones at night', () => {
    for (const item of allDayData) {
      expect(perGigabyte(item), item.productCode).toBeGreaterThan(2_400);
      expect(perGigabyte(item), item.productCode).toBeLessThan(9_500);
    }
    expect(pack.catalogue.find(({ productCode }) => productCode === 'D1G7')?.amount).toBe(5_000);
    const cheapestByDay = Math.min(...allDayData.map(perGigabyte));
    for (const item of nightData) expect(perGigabyte(item), item.productCode).toBeLessThan(cheapestByDay);
  });

  test('has higher prices for a longer validity of the same content', () => {
    const days = ({ validityDays }: CatalogueItem) => (validityDays === -1 ? Number.POSITIVE_INFINITY : validityDays);
    for (const shorter of pack.catalogue)
      for (const longer of pack.catalogue) {
        const isSame =
          shorter.category.EN === longer.category.EN &&
          shorter.name.EN === longer.name.EN &&
          shorter.lineType === longer.lineType &&
          shorter.description.EN?.split(', ').slice(2).join() === longer.description.EN?.split(', ').slice(2).join();
        if (isSame && days(shorter) < days(longer))
          expect(longer.amount, `${shorter.productCode}, ${longer.productCode}`).toBeGreaterThan(shorter.amount);
      }
  });

  test('marks a few bundles as popular for the home page', () => {
    const popular = pack.catalogue.filter((item) => item.popular);
    expect(popular.length).toBeGreaterThanOrEqual(3);
    expect(popular.length).toBeLessThanOrEqual(4);
    expect(popular.every(({ lineType }) => lineType === 'PREPAID')).toBe(true);
  });

  test.each([
    ['DATA', ['data', 'internet']],
    ['SMS', ['sms']],
    ['INTERNATIONAL', ['international']],
    ['ROAMING', ['roaming']],
    ['BROADBAND', ['internet']],
    ['HBB', ['internet']],
    ['VOICE', ['default']],
    ['MIXED', ['default']],
  ] as const)('BUN-2 the category of %s has its icon in every language', (kind, icons) => {
    for (const { category } of ofKind(kind))
      for (const name of Object.values(category)) expect(icons, name).toContain(bundleIcon(name));
  });
});
