import { expect, test } from 'vitest';
import { type Balance, balanceGroups, isUnlimited } from './balances.ts';

const balance = (balanceDescription: string, more: Partial<Balance> = {}): Balance => ({
  serviceType: 'DATA',
  balanceDescription,
  balanceType: 'limited',
  balance: 3.2,
  unitType: 'GB',
  ...more,
});

test('BRB-3 data and airtime are separate groups, sorted by expiry', () => {
  const groups = balanceGroups([
    balance('Credit', { serviceType: 'AIRTIME', unitType: 'NGN', balance: 1_500 }),
    balance('Never ends'),
    balance('Month', { expireTime: '2026-12-15T10:00:00.000Z' }),
    balance('Day', { expireTime: '2026-11-16T10:00:00.000Z' }),
  ]);
  expect(groups.map(({ kind, balances }) => [kind, balances.map((one) => one.balanceDescription)])).toEqual([
    ['DATA', ['Day', 'Month', 'Never ends']],
    ['AIRTIME', ['Credit']],
  ]);
});

test('BRB-3 a group without entries is left out', () => {
  expect(balanceGroups([])).toEqual([]);
  expect(balanceGroups([balance('Month')]).map(({ kind }) => kind)).toEqual(['DATA']);
});

test('BRB-3 unlimited is recognised by its type', () => {
  expect(isUnlimited(balance('Nights', { balanceType: 'unlimited' }))).toBe(true);
  expect(isUnlimited(balance('Month'))).toBe(false);
});
