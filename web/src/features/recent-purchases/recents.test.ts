import { expect, test } from 'vitest';
import { deviceKeys } from '../../lib/device-keys.ts';
import type { QueryData } from '../../lib/session.ts';
import { safeStorage } from '../../lib/storage.ts';
import { canRepeat, recentsIn } from './recents.ts';

function memory() {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as unknown as Storage;
  return { kept, recents: recentsIn(safeStorage(() => storage)) };
}

const order = (msisdn: string, amount = 5_000): QueryData => ({
  msisdn,
  amount,
  currency: 'XTS',
  transactionType: 'PREPAID_RECHARGE',
  redirectPage: '/prepaid-recharge',
});
const bought = (id: string, made = order(id)) => ({ id, at: '2026-03-02T08:00:00Z', order: made });

test('the last five purchases are stored, newest first, without duplicates', () => {
  const { recents } = memory();
  for (const id of ['1', '2', '3', '4', '5', '6']) recents.remember(bought(id));
  expect(recents.list().map(({ id }) => id)).toEqual(['6', '5', '4', '3', '2']);
  recents.remember(bought('7', order('4')));
  recents.remember(bought('7', order('4')));
  expect(recents.list().map(({ id }) => id)).toEqual(['7', '6', '5', '3', '2']);
  recents.remember(bought('8', order('4', 1_000)));
  expect(recents.list().map(({ id }) => id)).toEqual(['8', '7', '6', '5', '3']);
});

test('a repeated purchase is a new order, without the former order number, gateways and theme', () => {
  const { recents } = memory();
  const asThen = { orderId: 'o1', theme: 'dark', pgOptions: [{ paymentOpt: 'CARD' }] } as const;
  recents.remember(bought('1', { ...order('1'), ...asThen, pgOptions: [...asThen.pgOptions] }));
  expect(recents.list()[0]?.order).toEqual(order('1'));
});

test('a shared phone stores nothing until it is set to not shared', () => {
  const { recents, kept } = memory();
  kept.set(deviceKeys.shared, '1');
  recents.remember(bought('2'));
  expect(recents.list()).toEqual([]);
  expect(recents.hasTraces()).toBe(false);
  kept.delete(deviceKeys.shared);
  recents.remember(bought('3'));
  expect(recents.list()).toHaveLength(1);
  expect(recents.hasTraces()).toBe(true);
});

test('a searched place and a stored order count as traces', () => {
  for (const key of [deviceKeys.lastPlace, deviceKeys.keptOrder]) {
    const { recents, kept } = memory();
    kept.set(key, '{}');
    expect(recents.hasTraces()).toBe(true);
  }
});

test('blocked storage stores nothing and breaks nothing', () => {
  const recents = recentsIn(
    safeStorage(() => {
      throw new Error('forbidden');
    }),
  );
  recents.remember(bought('1'));
  expect(recents.hasTraces()).toBe(false);
  expect(recents.list()).toEqual([]);
});

test('airtime and bundles can be repeated, bills cannot', () => {
  expect(canRepeat(order('1'))).toBe(true);
  expect(canRepeat({ ...order('1'), transactionType: 'POSTPAID_BILL' })).toBe(false);
});
