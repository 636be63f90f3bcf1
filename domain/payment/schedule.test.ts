import { describe, expect, test } from 'vitest';
import {
  callLeaseSeconds,
  deliveryDelay,
  enquiryDelay,
  lateMoneyDelay,
  orderLifeSeconds,
  provesNeverArrived,
  provesNotThere,
  refundDelay,
  refundEnquiryDelay,
  usualLag,
  usualLateMoneyTerm,
} from './schedule.ts';

const hour = 3_600;
const day = 24 * hour;

/** The ages at which a payment without a clear response is enquired about. */
function enquiryAges(): number[] {
  const ages: number[] = [];
  let age = enquiryDelay(0, 0) ?? 0;
  for (let enquiries = 0; ; enquiries += 1) {
    ages.push(age);
    const delay = enquiryDelay(enquiries, age);
    if (delay === null) return ages;
    age += delay;
  }
}

describe('enquiries', () => {
  const ages = enquiryAges();
  const gaps = ages.slice(1).map((age, index) => age - (ages[index] ?? 0));

  test('start at 10, 20, 40 … seconds', () => {
    expect(ages.slice(0, 7)).toEqual([10, 20, 40, 80, 160, 320, 640]);
  });

  test('come every 10 minutes to a day, hourly to three days, and then stop', () => {
    const between = (from: number, to: number) =>
      gaps.filter((_gap, index) => (ages[index] ?? 0) >= from && (ages[index] ?? 0) < to);
    expect(new Set(between(1_300, day))).toEqual(new Set([600]));
    expect(new Set(between(day, 3 * day))).toEqual(new Set([hour]));
    expect(ages.at(-1)).toBeGreaterThanOrEqual(3 * day);
    expect(ages.at(-1)).toBeLessThan(3 * day + 2 * hour);
  });

  test('are at most 10 minutes apart on the first day', () => {
    expect(Math.max(...gaps.filter((_gap, index) => (ages[index] ?? 0) < day))).toBe(600);
  });

  test('"not found" proves nothing without both six responses and a day', () => {
    expect(provesNeverArrived(5, 30 * day)).toBe(false);
    expect(provesNeverArrived(1_000, day - 1)).toBe(false);
    expect(provesNeverArrived(6, day)).toBe(true);
  });
});

test('a failed payment is enquired about every half hour, for 25 hours by default', () => {
  expect(lateMoneyDelay).toBe(1_800);
  expect(usualLateMoneyTerm).toBe(25 * hour);
});

describe('refunds', () => {
  const delays: number[] = [];
  for (let tries = 0, delay = refundDelay(0); delay !== null; tries += 1, delay = refundDelay(tries))
    delays.push(delay);

  test('are attempted 17 times', () => {
    expect(delays.length).toBe(17);
    expect(refundDelay(17)).toBeNull();
    expect(refundDelay(1_000)).toBeNull();
  });

  test('last about seven days in all', () => {
    const days = delays.reduce((sum, delay) => sum + delay, 0) / day;
    expect(days).toBeGreaterThan(6.5);
    expect(days).toBeLessThan(7.5);
  });

  test('are retried with growing delays', () => {
    expect(delays[0]).toBeLessThanOrEqual(60);
    expect(delays).toEqual([...delays].sort((left, right) => left - right));
  });
});

test('an unclear delivery is looked up with growing delays, and goes to REVIEW after three days', () => {
  const delays = Array.from({ length: 12 }, (_, attempts) => deliveryDelay(attempts, 0) ?? 0);
  expect(delays[0]).toBeLessThanOrEqual(10);
  expect(delays).toEqual([...delays].sort((left, right) => left - right));
  expect(Math.max(...delays)).toBe(600);
  expect(deliveryDelay(0, 3 * day)).toBeNull();
});

test('a lease outlasts three outbound calls of 20 seconds, and an order outlasts a lease', () => {
  expect(callLeaseSeconds).toBeGreaterThan(60);
  expect(orderLifeSeconds).toBeGreaterThan(callLeaseSeconds);
});

test('REL-10 (its rule; the flow beside the payments) a request counts as not arrived only after both three lookups and the lag', () => {
  expect(provesNotThere(2, day, usualLag)).toBe(false);
  expect(provesNotThere(3, usualLag - 1, usualLag)).toBe(false);
  expect(provesNotThere(3, usualLag, usualLag)).toBe(true);
  expect(usualLag).toBe(600);
});

test('a refund is looked up soon, then every ten minutes, for a week', () => {
  expect(refundEnquiryDelay(3, 79)).toBe(80);
  // Lookups that fail are not counted, but wait longer with age all the same.
  expect([0, 11, 300, 7 * day - 1].map((age) => refundEnquiryDelay(0, age))).toEqual([10, 11, 300, 600]);
  expect(refundEnquiryDelay(3, 7 * day)).toBeNull();
  const delays = Array.from({ length: 12 }, (_, looks) => refundEnquiryDelay(looks, 0));
  expect(delays.slice(0, 3)).toEqual([10, 20, 40]);
  expect(delays.at(-1)).toBe(600);
});
