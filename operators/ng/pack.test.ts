import { paystack } from '@portal/domain/constants.ts';
import { formatMoney } from '@portal/domain/money.ts';
import { isMobile, isOwnNetwork, readNational } from '@portal/domain/msisdn.ts';
import { expect, test } from 'vitest';
import { packageNames, readPackage } from '../content.ts';
import { loadPack } from '../load-pack.ts';

const pack = await loadPack('ng');
const { numbering, currency } = pack;

test('D9 a pack is loaded by its code, and one that does not exist is refused in words', async () => {
  expect(pack.code).toBe('ng');
  expect((await loadPack('mg')).code).toBe('mg');
  await expect(loadPack('zz')).rejects.toThrow('There is no operator pack "zz". Known packs: cd, mg, ng.');
});

test('D9 its numbers are accepted in the usual formats', () => {
  for (const typed of ['0939 000 0005', '+234 939 000 0005', '2349390000005', '9390000005'])
    expect(readNational(typed, numbering), typed).toBe('9390000005');
  expect(isOwnNetwork('9390000005', numbering)).toBe(true);
  expect(isMobile('8030000005', numbering)).toBe(true);
  expect(isOwnNetwork('8030000005', numbering)).toBe(false);
});

test('CRD-2 prices are in naira, and sent to the popup in hundredths', () => {
  expect(formatMoney({ amount: 12_000, currency: currency.code }, 'en-NG', currency.digits)).toBe('NGN 12,000');
  expect(paystack.amountFactor * 10 ** -currency.digits).toBe(100);
  expect(pack.methods.map(({ gateway }) => gateway)).toEqual(['paystack', 'wallet', 'smartcash']);
});

test('BRB-1 lists each product once, in English, broadband included', () => {
  expect(new Set(pack.catalogue.map(({ productCode }) => productCode)).size).toBe(pack.catalogue.length);
  expect(pack.catalogue.length).toBeGreaterThanOrEqual(12);
  for (const { name, category, description, amount, data, voice, sms } of pack.catalogue) {
    for (const words of [name, category, description]) expect(Object.keys(words)).toEqual(['EN']);
    expect(Number.isSafeInteger(amount) && amount > 0 && Boolean(data || voice || sms)).toBe(true);
  }
  expect(pack.catalogue.filter(({ serviceType }) => serviceType === 'BROADBAND').length).toBeGreaterThan(1);
  expect(pack.features.dataBalance).toBe(true);
});

test('CMS-1 has header, footer, loader and every shared text', () => {
  expect(packageNames('ng', 'EN')).toEqual(
    expect.arrayContaining(['footer', 'header', 'loader-translation', 'translation']),
  );
  expect(readPackage('ng', 'EN', 'translation')).toHaveProperty(['broadband.balance'], 'Fetch your Data Balance');
});
