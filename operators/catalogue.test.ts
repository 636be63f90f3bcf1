import { describe, expect, test } from 'vitest';
import { pack } from './mg/pack.ts';

describe('the catalogue', () => {
  test('names every bundle in every language of the pack', () => {
    const codes = pack.languages.map(({ code }) => code).sort();
    for (const item of pack.catalogue)
      for (const words of [item.name, item.category, item.description, item.periodType ?? item.name]) {
        expect(Object.keys(words).sort()).toEqual(codes);
        expect(Object.values(words).every((word) => word.trim() !== '')).toBe(true);
      }
  });

  test('sells each product once, at a whole price, with something in it', () => {
    expect(new Set(pack.catalogue.map(({ productCode }) => productCode)).size).toBe(pack.catalogue.length);
    for (const { amount, data, voice, sms } of pack.catalogue) {
      expect(Number.isSafeInteger(amount) && amount > 0).toBe(true);
      expect(Boolean(data || voice || sms)).toBe(true);
    }
  });

  test('has something for every kind of service', () => {
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
  });
});
