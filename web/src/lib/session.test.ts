import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forgetOrders, type QueryData, session } from './session.ts';

const kept = new Map<string, string>();
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
  key: (index: number) => [...kept.keys()][index] ?? null,
  get length() {
    return kept.size;
  },
};
const order: QueryData = {
  orderId: '0123456789abcdef0123456789abcdef',
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
  test('is the same for the same order, also after a reload, and is stored before it is used', () => {
    const key = session.attempt.keyFor({ amount: 5_000 });
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(kept.get('paymentAttempt')).toContain(key);
    expect(session.attempt.keyFor({ amount: 5_000 })).toBe(key);
  });

  test('differs for another order', () => {
    const key = session.attempt.keyFor({ amount: 5_000 });
    expect(session.attempt.keyFor({ amount: 6_000 })).not.toBe(key);
  });

  test('is new after the attempt has ended, or for a new order', () => {
    const key = session.attempt.keyFor(order);
    session.attempt.clear();
    const second = session.attempt.keyFor(order);
    expect(second).not.toBe(key);
    session.order.write(order);
    expect(session.attempt.keyFor(order)).not.toBe(second);
  });

  test('is taken by the server as one', () => {
    expect(session.attempt.keyFor(order)).toMatch(/^[A-Za-z0-9_-]{8,128}$/);
  });

  test('works without storage, with a new key for every click', () => {
    vi.stubGlobal('window', {
      get sessionStorage() {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    expect(session.attempt.keyFor(order)).toMatch(/^[0-9a-f]{32}$/);
    expect(session.order.write(order)).toBe(false);
    expect(session.order.read()).toBeNull();
  });
});

test('an order is stored under QueryData and deleted with its attempt', () => {
  session.order.write(order);
  session.attempt.keyFor(order);
  expect(JSON.parse(kept.get('QueryData') ?? '')).toEqual(order);
  expect(session.order.read()).toEqual(order);
  session.order.clear();
  expect(kept.size).toBe(0);
});

test('a changed order keeps its attempt and its payment; another order has neither', () => {
  session.order.write(order);
  const key = session.attempt.keyFor(order);
  session.submitted.write('payment');
  session.order.change({ emailId: 'client@example.mg' });
  expect(session.order.read()).toEqual({ ...order, emailId: 'client@example.mg' });
  expect(session.attempt.keyFor(order)).toBe(key);
  expect(session.submitted.read()).toBe('payment');
  session.order.write(order);
  expect(session.submitted.read()).toBeNull();
  session.submitted.write('payment');
  session.order.clear();
  expect(session.submitted.read()).toBeNull();
  session.order.change({ emailId: 'client@example.mg' });
  expect(session.order.read()).toBeNull();
});

test('a payment finds the order that this tab paid, and no other', () => {
  session.paid.remember('one', order);
  session.paid.remember('two', { ...order, amount: 1_000 });
  expect(session.paid.find('one')).toEqual(order);
  expect(session.paid.find('two')?.amount).toBe(1_000);
  expect(session.paid.find('three')).toBeNull();
});

test('the language is stored as selectedLanguage', () => {
  session.language.write('FR');
  expect(session.language.read()).toBe('FR');
  expect(kept.has('selectedLanguage')).toBe(true);
});

test('D19 the session stores the keys of the specification, in its formats', () => {
  session.language.write('FR');
  session.redirectUrl.write('/data-bundle');
  session.devices.write({ heading_image: '/odu.svg', deviceName: 'Outdoor unit', features: ['5G'] });
  session.works.write('Fanilo', { id: '42' });
  expect(kept.get('selectedLanguage')).toBe('FR');
  expect(Object.fromEntries(kept)).toMatchObject({
    selectedLanguage: 'FR',
    redirect_url: '/data-bundle',
    isFaniloWorks: 'true',
    id: '42',
  });
  expect(kept.size).toBe(5);
  expect(JSON.parse(kept.get('devices_detail') ?? '')).toEqual({
    heading_image: '/odu.svg',
    deviceName: 'Outdoor unit',
    features: ['5G'],
  });
  expect(session.redirectUrl.read()).toBe('/data-bundle');
  expect(session.devices.read()?.deviceName).toBe('Outdoor unit');
  expect(session.works.read('Fanilo')).toEqual({ id: '42' });
  expect(session.works.read('Other')).toBeNull();
});

test('MNY-6 an order gets its own number and keeps it when the payment method changes; the next order gets a new one', () => {
  const { orderId: _, ...bare } = order;
  session.order.write(bare);
  const first = session.order.read();
  expect(first?.orderId).toMatch(/^[0-9a-f]{32}$/);
  session.order.change({ emailId: 'client@example.mg' });
  session.order.write(session.order.read() as QueryData);
  expect(session.order.read()?.orderId).toBe(first?.orderId);
  session.order.write(bare);
  expect(session.order.read()?.orderId).toMatch(/^[0-9a-f]{32}$/);
  expect(session.order.read()?.orderId).not.toBe(first?.orderId);
});

test('D19 when an order ends, every key with a number, an email, an order or its options is deleted', () => {
  session.order.write({ ...order, emailId: 'client@example.mg' });
  session.attempt.keyFor(order);
  session.submitted.write('payment');
  session.paid.remember('payment', order);
  session.lead.write({ msisdn: order.msisdn });
  kept.set(`payment-options:${JSON.stringify([order])}`, '[]');
  kept.set('exchange:CDF:500', '{}');
  kept.set('typed', JSON.stringify({ byField: { 'msisdn 0': order.msisdn } }));
  session.language.write('FR');
  session.redirectUrl.write('/data-bundle');
  session.outcomes.isFirst('payment');
  forgetOrders();
  expect([...kept.keys()].sort()).toEqual(['countedOutcomes', 'redirect_url', 'selectedLanguage']);
});
