import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { attemptSession, languageSession, orderSession, paidSession, type QueryData } from './session.ts';

const kept = new Map<string, string>();
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
};
const order: QueryData = {
  msisdn: '390000001',
  amount: 5_000,
  currency: 'MGA',
  transactionType: 'PREPAID_RECHARGE',
  redirectPage: '/prepaid-recharge',
};

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('window', { sessionStorage: storage });
});
afterEach(() => void vi.unstubAllGlobals());

describe('the key of an attempt', () => {
  test('is the same for the same order, after a reload too, and kept before it is used', () => {
    const key = attemptSession.keyFor({ amount: 5_000 });
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(kept.get('paymentAttempt')).toContain(key);
    expect(attemptSession.keyFor({ amount: 5_000 })).toBe(key);
  });

  test('is another for another order', () => {
    const key = attemptSession.keyFor({ amount: 5_000 });
    expect(attemptSession.keyFor({ amount: 6_000 })).not.toBe(key);
  });

  test('is new once the attempt is over, or a new order begins', () => {
    const key = attemptSession.keyFor(order);
    attemptSession.clear();
    const second = attemptSession.keyFor(order);
    expect(second).not.toBe(key);
    orderSession.write(order);
    expect(attemptSession.keyFor(order)).not.toBe(second);
  });

  test('is taken by the server as one', () => {
    expect(attemptSession.keyFor(order)).toMatch(/^[A-Za-z0-9_-]{8,128}$/);
  });

  test('works without any storage, where every press is an attempt of its own', () => {
    vi.stubGlobal('window', {
      get sessionStorage() {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    expect(attemptSession.keyFor(order)).toMatch(/^[0-9a-f]{32}$/);
    expect(orderSession.write(order)).toBe(false);
    expect(orderSession.read()).toBeNull();
  });
});

test('an order is kept under QueryData and goes with its attempt', () => {
  orderSession.write(order);
  attemptSession.keyFor(order);
  expect(JSON.parse(kept.get('QueryData') ?? '')).toEqual(order);
  expect(orderSession.read()).toEqual(order);
  orderSession.clear();
  expect(kept.size).toBe(0);
});

test('an order that was paid in this tab is found by its payment, and no other', () => {
  paidSession.remember('one', order);
  paidSession.remember('two', { ...order, amount: 1_000 });
  expect(paidSession.find('one')).toEqual(order);
  expect(paidSession.find('two')?.amount).toBe(1_000);
  expect(paidSession.find('three')).toBeNull();
});

test('the language is kept as selectedLanguage', () => {
  languageSession.write('FR');
  expect(languageSession.read()).toBe('FR');
  expect(kept.has('selectedLanguage')).toBe(true);
});
