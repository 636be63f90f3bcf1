import { expect, test } from 'vitest';
import { deviceKeys } from '../../lib/device-keys.ts';
import type { QueryData } from '../../lib/session.ts';
import { safeStorage } from '../../lib/storage.ts';
import { keptOrderIn } from './kept-order.ts';

function memory() {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as unknown as Storage;
  const store = safeStorage(() => storage);
  const clock = { now: 0 };
  return { items, store, clock, kept: keptOrderIn(store, () => clock.now) };
}

const order: QueryData = {
  msisdn: '390000001',
  emailId: 'somebody@example.com',
  amount: 1_000,
  currency: 'XTS',
  transactionType: 'PREPAID_RECHARGE',
  redirectPage: '/',
};

test('PRF-6 an order is stored for a day, without personal data', () => {
  const { kept, clock, items } = memory();
  expect(kept.keep(order)).toBe(true);
  expect(kept.read()).toMatchObject({ msisdn: '390000001', amount: 1_000 });
  expect([...items.values()].join()).not.toContain('somebody@example.com');
  clock.now = 24 * 3_600_000 - 1;
  expect(kept.read()).not.toBeNull();
  clock.now += 1;
  expect(kept.read()).toBeNull();
});

test('PRF-6 bills and home-broadband orders are not stored', () => {
  const { kept } = memory();
  for (const transactionType of ['POSTPAID_BILL', 'HBB_LEADS'] as const)
    expect(kept.keep({ ...order, transactionType })).toBe(false);
  expect(kept.read()).toBeNull();
});

test('PRF-6 an order that was stored waits until it is placed itself', () => {
  const { kept } = memory();
  kept.keep(order);
  kept.forgetIfSame({ ...order, msisdn: '390000002' });
  kept.forgetIfSame({ ...order, amount: 2_000 });
  expect(kept.read()).not.toBeNull();
  kept.forgetIfSame({ ...order, redirectPage: '/' });
  expect(kept.read()).toBeNull();
});

test('MNY-4 a shared phone stores no order', () => {
  const { kept, items } = memory();
  items.set(deviceKeys.shared, '1');
  expect(kept.read()).toBeNull();
  expect(kept.keep(order)).toBe(false);
  expect([...items.keys()]).toEqual([deviceKeys.shared]);
});

test('subscribers are notified, and blocked storage breaks nothing', () => {
  const { kept } = memory();
  const heard: (string | null)[] = [];
  const stop = kept.onChange(() => heard.push(kept.text()));
  kept.keep(order);
  expect([kept.takeNews(), kept.takeNews()]).toEqual([true, false]);
  kept.forget();
  stop();
  kept.keep(order);
  expect(heard).toEqual([expect.stringContaining('390000001'), null]);
  const forbidden = keptOrderIn(
    safeStorage(() => {
      throw new Error('forbidden');
    }),
    () => 0,
  );
  expect(forbidden.keep(order)).toBe(false);
  expect(forbidden.read()).toBeNull();
});
