import { expect, test } from 'vitest';
import { airtimeOf } from './airtime-balance.ts';

const entry = (serviceType: 'AIRTIME' | 'DATA', balance: number, balanceType: 'limited' | 'unlimited' = 'limited') => ({
  serviceType,
  balance,
  balanceType,
  balanceDescription: '',
  unitType: 'MGA',
});

test('AIR-2 only airtime counts, in total, and unlimited airtime covers any amount', () => {
  expect(airtimeOf([])).toBe(0);
  expect(airtimeOf([entry('AIRTIME', 700), entry('DATA', 5_000), entry('AIRTIME', 300)])).toBe(1_000);
  expect(airtimeOf([entry('AIRTIME', 0, 'unlimited')])).toBeGreaterThan(1_000_000_000);
});
