import { expect, test } from 'vitest';
import { foreignLineType, hybridPostpaidCheck } from './line-types.ts';
import { type OperatorPack, publicPack } from './operator.ts';
import { airtimeMode, brandMoneyMode, cardMode, mpesaMode, smartCashMode } from './transaction-types.ts';

/** The public fields of a pack; everything else stays on the server. */
const publicNames = [
  'code',
  'opco',
  'productCode',
  'channel',
  'runMode',
  'brand',
  'country',
  'numbering',
  'currency',
  'languages',
  'timeZone',
  'limits',
  'amountChips',
  'features',
  'care',
  'paymentMaxTry',
  'methods',
  'map',
];
const serverNames = ['defaultLocale', 'budgets', 'catalogue', 'cdnBase', 'smsSender'];
const pack = Object.fromEntries(
  [...publicNames, ...serverNames].map((name) => [name, `its ${name}`]),
) as unknown as OperatorPack;

test('the browser gets only the public fields of a pack', () => {
  expect(publicPack(pack)).toEqual(Object.fromEntries(publicNames.map((name) => [name, `its ${name}`])));
});

test('a second currency is sent if there is one, and its field is absent otherwise', () => {
  const secondCurrency = { code: 'CDF', digits: 0, plausible: { least: 1_000, most: 9_000 } };
  expect(publicPack({ ...pack, secondCurrency }).secondCurrency).toEqual(secondCurrency);
  expect(Object.keys(publicPack(pack))).not.toContain('secondCurrency');
});

test('ways to pay and line types have the names of the API', () => {
  expect([cardMode, airtimeMode, mpesaMode, smartCashMode]).toEqual([
    'PAYMENT_GATEWAY',
    'AIRTIME',
    'MPESA',
    'SMARTCASH_SECURE',
  ]);
  expect(brandMoneyMode('brand')).toBe('BRAND_MONEY');
  expect([hybridPostpaidCheck, foreignLineType]).toEqual(['HYBRID_POSTPAID_CHECK', 'INVALID']);
});
